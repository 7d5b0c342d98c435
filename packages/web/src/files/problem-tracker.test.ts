import type { Problem } from "@callsheet/format"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"
import { createProblemTracker, type ProblemTracker } from "./problem-tracker.ts"
import { createFileServer, type FileServer } from "./testing/file-server.ts"

const name: FileName = { kind: "workflow", workflow: "checkout" }
const validText = '{\n  "version": 1,\n  "blocks": []\n}\n'
const unknown: Problem = {
  code: "operation-unknown",
  severity: "error",
  message: "no such operation",
  line: 3,
  column: 3,
}

interface Tracking {
  readonly server: FileServer
  readonly tracker: ProblemTracker
  readonly note: (text: string) => void
  readonly codes: () => readonly string[]
  readonly lines: () => readonly (number | undefined)[]
}

/** Returns a tracker. `answer` returns the problems that `validate` reports for any text. */
function track(answer: () => readonly Problem[]): Tracking {
  const server = createFileServer({ "files.check": () => ({ problems: answer() }) })
  const tracker = createProblemTracker(server.call)
  const problems = (): readonly Problem[] => tracker.store.getState().get(fileKey(name)) ?? []
  return {
    server,
    tracker,
    note: (text) => tracker.note({ name, path: "a/file", text }),
    codes: () => problems().map(({ code }) => code),
    lines: () => problems().map(({ line }) => line),
  }
}

describe("the problems of a text", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("are the format's at once, and those of the whole project after a pause, requested once", async () => {
    const { note, codes, server } = track(() => [unknown])
    note(validText)
    note("{")
    expect(codes()).toEqual(["json-syntax"])
    note(validText)
    expect(codes()).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    expect([codes(), server.calls("files.check")]).toEqual([["operation-unknown"], 1])
  })

  it("stay in place while somebody types, and move with their lines", async () => {
    const { note, codes, lines } = track(() => [unknown])
    note(validText)
    await vi.advanceTimersByTimeAsync(1000)
    note(validText.replace("{\n", "{\n\n"))
    expect([codes(), lines()]).toEqual([["operation-unknown"], [4]])
  })

  it("are those of the last text, even if a response is late", async () => {
    let answer: readonly Problem[] = [unknown]
    const { note, codes, server } = track(() => answer)
    const release = server.hold("files.check")
    note(validText)
    await vi.advanceTimersByTimeAsync(1000)
    answer = []
    note(`${validText} `)
    release()
    await vi.advanceTimersByTimeAsync(10)
    expect(codes()).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    expect(codes()).toEqual([])
  })

  it("are computed again when other files change", async () => {
    let answer: readonly Problem[] = []
    const { note, codes, tracker } = track(() => answer)
    note(validText)
    await vi.advanceTimersByTimeAsync(1000)
    answer = [unknown]
    tracker.checkAgain()
    await vi.advanceTimersByTimeAsync(1000)
    expect(codes()).toEqual(["operation-unknown"])
  })

  it("are only the format's if the server doesn't respond", async () => {
    const { note, codes, server } = track(() => [unknown])
    server.disconnect()
    note("{")
    await vi.advanceTimersByTimeAsync(1000)
    expect(codes()).toEqual(["json-syntax"])
  })

  it("of a large text are computed when nobody is typing", async () => {
    const { note, codes, server } = track(() => [])
    server.disconnect()
    note(`{ "version": 2, "blocks": [] }${" ".repeat(200_000)}`)
    expect(codes()).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    expect(codes()).toEqual(["version-invalid"])
  })
})
