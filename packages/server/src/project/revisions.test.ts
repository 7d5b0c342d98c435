import { describe, expect, it } from "vitest"
import { createKept, createRevisions, turn } from "./revisions.ts"

describe("revisions", () => {
  it("FP-20: reads again what was read while files changed, once the change is told", async () => {
    let isPending = false
    const revisions = createRevisions(() => isPending)
    let times = 0
    const reading = revisions.read(() => {
      times++
      // The first reading mixes two revisions: a file changes during it.
      if (times === 1) isPending = true
      return times
    })
    for (let turns = 0; turns < 10; turns++) await turn()
    expect(times).toBe(1)
    isPending = false
    revisions.advance()
    expect(await reading).toEqual({ revision: 2, value: 2 })
  })

  it("reads again where the change was told before the reading was over", async () => {
    const revisions = createRevisions(() => false)
    let times = 0
    const reading = revisions.read(() => ++times)
    revisions.advance()
    expect(await reading).toEqual({ revision: 2, value: 2 })
  })

  it("gives what there is of a project that never rests", async () => {
    const revisions = createRevisions(() => true)
    let times = 0
    const reading = revisions.read(() => {
      setImmediate(revisions.advance)
      return ++times
    })
    expect(await reading).toMatchObject({ value: 4 })
  })
})

describe("what is kept", () => {
  it("is made once for all who ask, and anew for who asks for a later revision", async () => {
    let revision = 1
    let times = 0
    const kept = createKept(async () => ({ revision, value: ++times }))
    expect(await Promise.all([kept(1, "a"), kept(1, "a"), kept(1, "b")])).toEqual([1, 1, 2])
    revision = 2
    expect(await kept(1, "a")).toBe(1)
    expect(await Promise.all([kept(2, "a"), kept(2, "a")])).toEqual([3, 3])
  })

  it("is no error", async () => {
    let times = 0
    const kept = createKept(async () => {
      if (times++ === 0) throw new Error("broken")
      return { revision: 1, value: times }
    })
    await expect(kept(1, "")).rejects.toThrow("broken")
    expect(await kept(1, "")).toBe(2)
  })
})
