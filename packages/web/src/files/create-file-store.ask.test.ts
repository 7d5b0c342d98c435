import { describe, expect, it } from "vitest"
import type { FileName } from "@callsheet/server/calls"
import { createFileStore } from "./create-file-store.ts"
import { createFileServer } from "./testing/file-server.ts"

const name: FileName = { kind: "request", api: "shop", resource: "orders", request: "gift" }

async function opened(textToSave: (text: string, onDisk: string | undefined) => string | undefined) {
  const server = createFileServer()
  server.write(name, "one")
  const files = createFileStore({
    call: server.call,
    now: () => 0,
    textToSave: async (_, text, onDisk) => textToSave(text, onDisk),
  })
  files.watch(name)
  await server.idle()
  files.edit(name, () => "two")
  return { server, files }
}

describe("a file whose text is checked before it is saved", () => {
  it("gets the text of the answer, in a step that can be undone", async () => {
    const { server, files } = await opened((text, onDisk) => `${text} instead of ${onDisk ?? ""}`)
    expect(await files.save(name)).toBe(true)
    expect(server.text(name)).toBe("two instead of one")
    files.undo(name)
    const [entry] = files.store.getState().values()
    expect(entry?.file?.text).toBe("two")
  })

  it("isn't written if the user cancels, or if the check fails", async () => {
    const canceled = await opened(() => undefined)
    expect(await canceled.files.save(name)).toBe(false)
    expect(canceled.server.calls("files.save")).toBe(0)
    const failing = await opened(() => {
      throw new Error("not loaded")
    })
    expect(await failing.files.save(name)).toBe(false)
    expect(failing.server.text(name)).toBe("one")
  })

  it("is saved once, however often save is pressed at the same time", async () => {
    const { server, files } = await opened((text) => text)
    await Promise.all([files.save(name), files.save(name)])
    expect(server.calls("files.save")).toBe(1)
  })
})
