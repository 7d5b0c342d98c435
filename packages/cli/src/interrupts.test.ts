import { describe, expect, it } from "vitest"
import { withInterrupts } from "./interrupts.ts"

class Ended extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

const exit = (code: number): never => {
  throw new Ended(code)
}

describe("withInterrupts", () => {
  it("cancels at the first signal, keeps its exit code, and ends the process at the second", async () => {
    await withInterrupts(exit, async ({ signal, ended, exitCode }) => {
      expect([signal.aborted, exitCode()]).toEqual([false, undefined])
      process.emit("SIGTERM", "SIGTERM")
      expect([signal.aborted, exitCode()]).toEqual([true, 143])
      expect(() => process.emit("SIGINT", "SIGINT")).toThrow("exit 130")
      expect(exitCode()).toBe(143)
      await ended
    })
  })

  it("restores the default signal handling, even if the work fails", async () => {
    const before = process.listenerCount("SIGINT")
    const work = withInterrupts(exit, async () => {
      expect(process.listenerCount("SIGINT")).toBe(before + 1)
      throw new Error("broken")
    })
    await expect(work).rejects.toThrow("broken")
    expect(process.listenerCount("SIGINT")).toBe(before)
  })
})
