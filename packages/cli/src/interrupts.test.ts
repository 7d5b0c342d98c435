import { describe, expect, it } from "vitest"
import { watchInterrupts } from "./interrupts.ts"

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

describe("watchInterrupts", () => {
  it("cancels at the first signal, keeps its exit code, and ends the process at the second", () => {
    const interrupts = watchInterrupts(exit)
    try {
      expect([interrupts.signal.aborted, interrupts.exitCode()]).toEqual([false, undefined])
      process.emit("SIGTERM", "SIGTERM")
      expect([interrupts.signal.aborted, interrupts.exitCode()]).toEqual([true, 143])
      expect(() => process.emit("SIGINT", "SIGINT")).toThrow("exit 130")
      expect(interrupts.exitCode()).toBe(143)
    } finally {
      interrupts.stop()
    }
  })

  it("restores the default signal handling", () => {
    const before = process.listenerCount("SIGINT")
    const interrupts = watchInterrupts(exit)
    expect(process.listenerCount("SIGINT")).toBe(before + 1)
    interrupts.stop()
    expect(process.listenerCount("SIGINT")).toBe(before)
  })
})
