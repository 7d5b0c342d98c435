import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { systemClock, systemRandom } from "./create-node-ports.ts"

describe("a wait", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("takes as long as requested", async () => {
    const hour = 60 * 60 * 1000
    let isOver = false
    void systemClock.sleep(hour, new AbortController().signal).then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(hour - 1)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isOver).toBe(true)
  })

  it("ends at once when the signal aborts, and leaves no timer behind", async () => {
    const controller = new AbortController()
    const waiting = systemClock.sleep(60_000, controller.signal)
    controller.abort()
    await waiting
    await systemClock.sleep(60_000, controller.signal)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe("random numbers", () => {
  it("stay below their bound", () => {
    const drawn = new Set(Array.from({ length: 200 }, () => systemRandom.integer(3)))
    expect(drawn).toEqual(new Set([0, 1, 2]))
  })

  it("make version 4 UUIDs", () => {
    expect(systemRandom.uuid()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})
