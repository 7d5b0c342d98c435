import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { startDeadline } from "./call-in-child.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe("a deadline", () => {
  it("ends once, on time", () => {
    const onEnd = vi.fn()
    startDeadline(500, onEnd)
    vi.advanceTimersByTime(499)
    expect(onEnd).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10_000)
    expect(onEnd).toHaveBeenCalledTimes(1)
  })

  it("does not count while paused, and continues with the rest", () => {
    const onEnd = vi.fn()
    const deadline = startDeadline(500, onEnd)
    vi.advanceTimersByTime(400)
    deadline.pause()
    vi.advanceTimersByTime(5000)
    deadline.resume()
    vi.advanceTimersByTime(99)
    expect(onEnd).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onEnd).toHaveBeenCalledTimes(1)
  })

  it("ends an endless pause", () => {
    const onEnd = vi.fn()
    startDeadline(500, onEnd).pause()
    vi.advanceTimersByTime(60_000)
    expect(onEnd).toHaveBeenCalledTimes(1)
  })

  it("never ends without a limit, or after it was cleared", () => {
    const onEnd = vi.fn()
    startDeadline(undefined, onEnd)
    startDeadline(500, onEnd).clear()
    vi.advanceTimersByTime(1e9)
    expect(onEnd).not.toHaveBeenCalled()
  })
})
