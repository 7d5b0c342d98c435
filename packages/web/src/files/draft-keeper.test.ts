import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { FileName } from "@callsheet/server/calls"
import { createDraftKeeper, type DraftKeeper } from "./draft-keeper.ts"
import { fileKey } from "./file-key.ts"
import { createFileServer, type FileServer } from "./testing/file-server.ts"

const name: FileName = { kind: "workflow", workflow: "checkout" }
const unsaved = (text: string) => ({ text, etag: "e" })

interface Kept {
  readonly server: FileServer
  readonly keeper: DraftKeeper
  /** The drafts stored on the server. */
  readonly draft: () => string | undefined
}

function createKeeper(): Kept {
  let draft: string | undefined
  const server = createFileServer({
    "drafts.keep": ({ text }: { readonly text: string }) => {
      draft = text
      return { kept: text.includes("secret") ? "memory" : "disk" }
    },
    "drafts.drop": () => {
      draft = undefined
      return {}
    },
  })
  return { server, keeper: createDraftKeeper(server.call, () => Date.now()), draft: () => draft }
}

describe("drafts", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("are stored after a pause of half a second, once", async () => {
    const { server, keeper, draft } = createKeeper()
    for (const text of ["a", "ab", "abc"]) {
      keeper.note(name, unsaved(text))
      await vi.advanceTimersByTimeAsync(400)
    }
    expect([draft(), keeper.isUnkept()]).toEqual([undefined, true])
    await vi.advanceTimersByTimeAsync(100)
    expect([draft(), keeper.isUnkept(), server.calls("drafts.keep")]).toEqual(["abc", false, 1])
  })

  it("are stored every three seconds during continuous typing", async () => {
    const { server, keeper } = createKeeper()
    for (let at = 0; at < 100; at++) {
      keeper.note(name, unsaved(`${at}`))
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(server.calls("drafts.keep")).toBe(3)
  })

  it("are dropped when nothing is unsaved, and only if the server has one", async () => {
    const { server, keeper, draft } = createKeeper()
    keeper.note(name, unsaved("a"))
    keeper.note(name, undefined)
    await vi.advanceTimersByTimeAsync(5000)
    expect([server.calls("drafts.keep"), server.calls("drafts.drop")]).toEqual([0, 0])
    keeper.note(name, unsaved("a"))
    await vi.advanceTimersByTimeAsync(5000)
    keeper.note(name, undefined)
    await vi.advanceTimersByTimeAsync(5000)
    expect([draft(), server.calls("drafts.drop")]).toEqual([undefined, 1])
  })

  it("wait in the page while the server doesn't respond, and are sent when it does", async () => {
    const { server, keeper, draft } = createKeeper()
    server.disconnect()
    keeper.note(name, unsaved("a"))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([keeper.isUnkept(), server.calls("drafts.keep")]).toEqual([true, 1])
    server.connect()
    keeper.flush()
    await vi.advanceTimersByTimeAsync(0)
    expect([draft(), keeper.isUnkept()]).toEqual(["a", false])
  })

  it("are sent at once when the page is left, and count as at risk if too large for that", async () => {
    const { keeper, draft } = createKeeper()
    keeper.note(name, unsaved("a"))
    expect(keeper.isAtRisk()).toBe(true)
    keeper.flush(true)
    expect(keeper.isAtRisk()).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(draft()).toBe("a")
    keeper.note(name, unsaved("x".repeat(60_000)))
    keeper.flush(true)
    expect(keeper.isAtRisk()).toBe(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(keeper.isAtRisk()).toBe(false)
  })

  it("are sent again if the page is left while they are being sent", async () => {
    const { server, keeper } = createKeeper()
    const release = server.hold("drafts.keep")
    keeper.note(name, unsaved("a"))
    await vi.advanceTimersByTimeAsync(500)
    expect(keeper.isAtRisk()).toBe(true)
    keeper.flush(true)
    expect([keeper.isAtRisk(), server.calls("drafts.keep")]).toEqual([false, 2])
    release()
  })

  it("are stored again after a save that may have dropped them", async () => {
    const { keeper, draft, server } = createKeeper()
    keeper.note(name, unsaved("a"))
    await vi.advanceTimersByTimeAsync(500)
    await server.call("drafts.drop", { file: name })
    keeper.learn(name, "unknown")
    await vi.advanceTimersByTimeAsync(500)
    expect(draft()).toBe("a")
  })

  it("are not sent again unchanged after a rejection, and count as not stored", async () => {
    const { server, keeper, draft } = createKeeper()
    server.refuse("drafts.keep", 422, { code: "draft-limit", message: "there are too many" })
    keeper.note(name, unsaved("a"))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([server.calls("drafts.keep"), keeper.isUnkept()]).toEqual([1, true])
    keeper.note(name, unsaved("ab"))
    await vi.advanceTimersByTimeAsync(500)
    expect([draft(), keeper.isUnkept()]).toEqual(["ab", false])
  })

  it("that the server keeps only in memory are reported until they no longer are", async () => {
    const { keeper } = createKeeper()
    const reported = (): readonly string[] => [...keeper.inMemory.getState()]
    keeper.note(name, unsaved("a secret"))
    await vi.advanceTimersByTimeAsync(500)
    expect(reported()).toEqual([fileKey(name)])
    keeper.note(name, unsaved("none"))
    await vi.advanceTimersByTimeAsync(500)
    expect(reported()).toEqual([])
    keeper.note(name, unsaved("a secret"))
    await vi.advanceTimersByTimeAsync(500)
    keeper.note(name, undefined)
    await vi.advanceTimersByTimeAsync(500)
    expect(reported()).toEqual([])
  })

  it("whose deletion failed are deleted later", async () => {
    const { server, keeper } = createKeeper()
    keeper.learn(name, unsaved("a"))
    server.refuse("drafts.drop", 500, { code: "internal", message: "no" })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.calls("drafts.drop")).toBe(1)
  })
})
