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

/** The store with the file open; null: there is none. */
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
  it("is what is on the disk, parsed, with nothing unsaved", async () => {
    const { file } = await opened('{ "version": 1 }')
    expect(file()).toMatchObject({ text: '{ "version": 1 }', value: { version: 1 } })
    expect(isDirty(file())).toBe(false)
  })

  it("has no value where it does not parse, and keeps its text", async () => {
    const { file } = await opened('{ "version": ')
    expect(file()).toMatchObject({ text: '{ "version": ', value: undefined })
  })

  it("is missing where there is none, until something is typed", async () => {
    const { files, file, server } = await opened(null)
    expect(isMissing(file())).toBe(true)
    files.edit(name, () => "{}")
    expect([isMissing(file()), isDirty(file())]).toEqual([false, true])
    expect(await files.save(name)).toBe(true)
    expect(server.text(name)).toBe("{}")
  })

  it("is edited, undone, redone and saved; a save of what is on the disk asks nothing of the server", async () => {
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

  it("is saved once, however often it is asked for at the same time (AB-05)", async () => {
    const { files, server, file } = await opened("one")
    files.edit(name, () => "two")
    await Promise.all([files.save(name), files.save(name), files.save(name)])
    expect(server.calls("files.save")).toBe(1)
    expect([server.text(name), isDirty(file())]).toEqual(["two", false])
  })

  it("keeps what is typed while it is saved, as unsaved", async () => {
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

  it("keeps its text where it cannot be saved, and says why until the next edit (AB-03)", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "two")
    server.refuse("files.save", 500, { code: "internal", message: "the disk is full" })
    expect(await files.save(name)).toBe(false)
    expect(file()).toMatchObject({ text: "two", isSaving: false, failure: { message: "the disk is full" } })
    server.disconnect()
    expect(await files.save(name)).toBe(false)
    expect(file().failure?.message).toContain("does not answer")
    server.connect()
    files.edit(name, () => "three")
    expect(file().failure).toBeUndefined()
    expect(await files.save(name)).toBe(true)
  })
})

describe("a file that changes on the disk", () => {
  it("is shown as it is now where nothing was unsaved, and can be taken back: then it is a conflict", async () => {
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

  it("is shown as it was told last, however the answers overlap", async () => {
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

  it("is in conflict where something was unsaved: nothing is replaced, and nothing written (AB-12)", async () => {
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

  it("is in conflict where only the save hears of it (AS-14)", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.write(name, "theirs")
    expect(await files.save(name)).toBe(false)
    expect([isInConflict(file()), file().disk?.text, server.text(name)]).toEqual([true, "theirs", "theirs"])
    expect(await files.keepMine(name)).toBe(true)
    expect([isDirty(file()), server.text(name)]).toEqual([false, "mine"])
  })

  it("keeps mine one undo away where theirs is taken", async () => {
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

  it("is in conflict once more where it changes again before mine is written", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "mine")
    server.write(name, "theirs")
    files.readAgain()
    await server.idle()
    server.write(name, "later")
    expect(await files.keepMine(name)).toBe(false)
    expect([isInConflict(file()), file().disk?.text, server.text(name)]).toEqual([true, "later", "later"])
  })

  it("takes a text that was made of both, unsaved", async () => {
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
    // What was saved holds what others have written: from there on the person's own steps count.
    files.undo(name)
    expect([file().text, isDirty(file()), isInConflict(file())]).toEqual(["mine", true, false])
  })

  it("is no conflict where both made the same of it", async () => {
    const { files, file, server } = await opened("one")
    files.edit(name, () => "same")
    server.write(name, "same")
    files.readAgain()
    await server.idle()
    expect([isDirty(file()), isInConflict(file())]).toEqual([false, false])
  })

  it("offers both where it was deleted: written anew, or gone with the text one undo away", async () => {
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

  it("is forgotten with what is unsaved when it was deleted from here, whatever is answered late", async () => {
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

  it("is heard of once more when it was saved: another program may have come right behind", async () => {
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

  it("takes no answer for newer than the save that came in between", async () => {
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
