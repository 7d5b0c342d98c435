import { describe, expect, it } from "vitest"
import type { FileName } from "@callsheet/server/calls"
import { createFileStore, type FileStore } from "./create-file-store.ts"
import { fileKey } from "./file-key.ts"
import { isDirty, isInConflict, isMissing, type FileState } from "./file-state.ts"
import { createFileServer, type FileServer } from "./testing/file-server.ts"

const name: FileName = { kind: "workflow", workflow: "checkout" }

interface Opened {
  readonly server: FileServer
  readonly files: FileStore
  readonly file: () => FileState
}

/** Opens the file in a store. A null text means that the file doesn't exist. */
async function opened(text: string | null): Promise<Opened> {
  const server = createFileServer()
  if (text !== null) server.write(name, text)
  let now = 0
  const files = createFileStore({ call: server.call, now: () => (now += 10_000) })
  files.watch(name)
  await server.idle()
  const file = (): FileState => {
    const state = files.store.getState().get(fileKey(name))?.file
    if (state === undefined) throw new Error("the file is not open")
    return state
  }
  return { server, files, file }
}

describe("an open file", () => {
  it("has the content of the disk, parsed, with nothing unsaved", async () => {
    const { file } = await opened('{ "version": 1 }')
    expect(file()).toMatchObject({ text: '{ "version": 1 }', value: { version: 1 } })
    expect(isDirty(file())).toBe(false)
  })

  it("has no value if it does not parse, and keeps its text", async () => {
    const { file } = await opened('{ "version": ')
    expect(file()).toMatchObject({ text: '{ "version": ', value: undefined })
  })

  it("is missing if the file doesn't exist, until something is typed", async () => {
    const { files, file, server } = await opened(null)
    expect(isMissing(file())).toBe(true)
    files.edit(name, () => "{}")
    expect([isMissing(file()), isDirty(file())]).toEqual([false, true])
    expect(await files.save(name)).toBe(true)
    expect(server.text(name)).toBe("{}")
  })

  it("is edited, undone, redone and saved, without a call to save unchanged text", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, (text) => `${text} two`)
    files.edit(name, (text) => `${text} three`)
    files.undo(name)
    expect(file().text).toBe("one two")
    files.redo(name)
    files.undo(name)
    expect(await files.save(name)).toBe(true)
    expect(server.text(name)).toBe("one two")
    expect(isDirty(file())).toBe(false)
    expect(await files.save(name)).toBe(true)
    files.undo(name)
    expect([file().text, isDirty(file())]).toEqual(["one", true])
    expect(server.calls("files.save")).toBe(1)
  })

  it("is saved once, however often save is pressed at the same time", async () => {
    const { files, server, file } = await opened("one")
    files.edit(name, () => "two")
    await Promise.all([files.save(name), files.save(name), files.save(name)])
    expect(server.calls("files.save")).toBe(1)
    expect([server.text(name), isDirty(file())]).toEqual(["two", false])
  })

  it("keeps as unsaved what is typed during a save", async () => {
    const { files, server, file } = await opened("one")
    files.edit(name, () => "two")
    const saving = files.save(name)
    files.edit(name, () => "three")
    await saving
    expect([server.text(name), file().text, isDirty(file()), isInConflict(file())]).toEqual([
      "two",
      "three",
      true,
      false,
    ])
    expect(await files.save(name)).toBe(true)
    expect(server.text(name)).toBe("three")
  })

  it("keeps its text if it can't be saved, and shows why until the next edit", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "two")
    server.refuse("files.save", 500, { code: "internal", message: "the disk is full" })
    expect(await files.save(name)).toBe(false)
    expect(file()).toMatchObject({ text: "two", isSaving: false, failure: { message: "the disk is full" } })
    server.disconnect()
    expect(await files.save(name)).toBe(false)
    expect(file().failure?.message).toContain("is not responding")
    server.connect()
    files.edit(name, () => "three")
    expect(file().failure).toBeUndefined()
    expect(await files.save(name)).toBe(true)
  })
})

describe("a file that changes on the disk", () => {
  it("is reloaded if nothing was unsaved; undoing the reload makes a conflict", async () => {
    const { files, file, server } = await opened("one")
    server.write(name, "theirs")
    files.readAgain()
    await server.idle()
    expect([file().text, isDirty(file())]).toEqual(["theirs", false])
    files.undo(name)
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["one", true, true])
    expect(await files.save(name)).toBe(false)
    expect(server.text(name)).toBe("theirs")
    files.redo(name)
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["theirs", false, false])
  })

  it("shows the last reported state, however the responses overlap", async () => {
    const { files, file, server } = await opened("one")
    const release = server.hold("files.read")
    server.write(name, "two")
    files.readAgain()
    server.write(name, "three")
    files.readAgain()
    release()
    await server.idle()
    expect(file().text).toBe("three")
  })

  it("is in conflict if something was unsaved: nothing is replaced, and nothing written", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.write(name, "theirs")
    files.readAgain()
    await server.idle()
    expect([file().text, isInConflict(file()), file().disk?.text, file().base.text]).toEqual([
      "mine",
      true,
      "theirs",
      "one",
    ])
    expect(await files.save(name)).toBe(false)
    expect(server.text(name)).toBe("theirs")
  })

  it("is in conflict if only the save reports the change", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.write(name, "theirs")
    expect(await files.save(name)).toBe(false)
    expect([isInConflict(file()), file().disk?.text, server.text(name)]).toEqual([true, "theirs", "theirs"])
    expect(await files.keepMine(name)).toBe(true)
    expect([isDirty(file()), server.text(name)]).toEqual([false, "mine"])
  })

  it("keeps mine one undo away after taking theirs", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.write(name, "theirs")
    files.readAgain()
    await server.idle()
    files.discard(name)
    expect([file().text, isDirty(file())]).toEqual(["theirs", false])
    files.undo(name)
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["mine", true, true])
    expect(await files.save(name)).toBe(false)
    expect(await files.keepMine(name)).toBe(true)
    expect(server.text(name)).toBe("mine")
  })

  it("is in conflict again if it changes again before mine is written", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.write(name, "theirs")
    files.readAgain()
    await server.idle()
    server.write(name, "later")
    expect(await files.keepMine(name)).toBe(false)
    expect([isInConflict(file()), file().disk?.text, server.text(name)]).toEqual([true, "later", "later"])
  })

  it("accepts a merged text as unsaved", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.write(name, "theirs")
    files.readAgain()
    await server.idle()
    files.merge(name, "both")
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["both", true, false])
    files.undo(name)
    expect([file().text, isInConflict(file()), file().base.text]).toEqual(["mine", true, "one"])
    expect(await files.save(name)).toBe(false)
    files.redo(name)
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["both", true, false])
    expect(await files.save(name)).toBe(true)
    expect(server.text(name)).toBe("both")
    // The saved text includes changes of others. After the save, undo reverts only the user's own steps.
    files.undo(name)
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["mine", true, false])
  })

  it("is not in conflict if both made the same change", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "same")
    server.write(name, "same")
    files.readAgain()
    await server.idle()
    expect([isDirty(file()), isInConflict(file())]).toEqual([false, false])
  })

  it("offers both if it was deleted: write it again, or let it go with the text one undo away", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.remove(name)
    files.readAgain()
    await server.idle()
    expect([file().text, isInConflict(file()), file().disk]).toEqual(["mine", true, null])
    files.discard(name)
    expect(isMissing(file())).toBe(true)
    files.undo(name)
    expect([file().text, isInConflict(file())]).toEqual(["mine", true])
    expect(await files.keepMine(name)).toBe(true)
    expect(server.text(name)).toBe("mine")
  })

  it("forgets the unsaved text when the user deletes it here, even if a response is late", async () => {
    const { files, server } = await opened("one")
    files.edit(name, () => "two")
    const release = server.hold("files.read")
    files.readAgain()
    server.remove(name)
    files.close(name)
    release()
    await server.idle()
    expect(files.store.getState().size).toBe(0)
  })

  it("is read once more after a save, because another program may have written right after", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "two")
    const release = server.hold("files.save")
    const saving = files.save(name)
    server.write(name, "theirs")
    files.readAgain()
    release()
    await saving
    await server.idle()
    expect([file().text, isDirty(file())]).toEqual(["theirs", false])
  })

  it("doesn't take an old response for newer than a save in between", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "two")
    const release = server.hold("files.read")
    files.readAgain()
    await files.save(name)
    release()
    await server.idle()
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["two", false, false])
  })
})
