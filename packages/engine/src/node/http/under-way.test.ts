import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { UnderWay, type Watched } from "./under-way.ts"
import { monotonicMs } from "../monotonic.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new AbortController().signal

function watch(underWay: UnderWay, afterMs: number, signal = never) {
  const ended: string[] = []
  const end = (how: string) => () => {
    ended.push(how)
    underWay.remove(item)
  }
  const item: Watched = {
    signal,
    deadline: monotonicMs() + afterMs,
    cancel: end("cancelled"),
    timeOut: end("timed out"),
    slot: -1,
  }
  underWay.add(item)
  return { item, ended }
}

describe("pending requests", () => {
  it("time out each at its own deadline, in any order", () => {
    const underWay = new UnderWay()
    const late = watch(underWay, 300)
    const early = watch(underWay, 100)
    vi.advanceTimersByTime(150)
    expect([early.ended, late.ended]).toEqual([["timed out"], []])
    vi.advanceTimersByTime(200)
    expect(late.ended).toEqual(["timed out"])
  })

  it("time out on time after an earlier one ended", () => {
    const underWay = new UnderWay()
    const first = watch(underWay, 100)
    vi.advanceTimersByTime(50)
    underWay.remove(first.item)
    const second = watch(underWay, 100)
    vi.advanceTimersByTime(90)
    expect(second.ended).toEqual([])
    vi.advanceTimersByTime(15)
    expect([first.ended, second.ended]).toEqual([[], ["timed out"]])
  })

  it("may wait longer than the longest timer", () => {
    const underWay = new UnderWay()
    const { ended } = watch(underWay, 2 ** 32)
    vi.advanceTimersByTime(2 ** 31)
    expect(ended).toEqual([])
    vi.advanceTimersByTime(2 ** 31)
    expect(ended).toEqual(["timed out"])
  })

  it("are cancelled by their own signal, all that share it and no others", () => {
    const underWay = new UnderWay()
    const stop = new AbortController()
    const hanging = Array.from({ length: 20 }, () => watch(underWay, 1_000, stop.signal))
    const other = watch(underWay, 1_000)
    underWay.remove(hanging[3]!.item)
    stop.abort()
    expect(hanging.map(({ ended }) => ended.length)).toEqual(hanging.map((_, index) => (index === 3 ? 0 : 1)))
    expect(other.ended).toEqual([])
  })
})
