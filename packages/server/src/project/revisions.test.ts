import { describe, expect, it } from "vitest"
import { createRevisionCache, createRevisions, turn } from "./revisions.ts"

describe("revisions", () => {
  it("are read again if files changed during the reading, after the change is reported", async () => {
    let isPending = false
    const revisions = createRevisions(() => isPending)
    let times = 0
    const reading = revisions.read(() => {
      times++
      // A file changes during the first reading, so this reading mixes two revisions.
      if (times === 1) isPending = true
      return times
    })
    for (let turns = 0; turns < 10; turns++) await turn()
    expect(times).toBe(1)
    isPending = false
    revisions.advance()
    expect(await reading).toEqual({ revision: 2, value: 2 })
  })

  it("are read again if the change was reported before the reading was over", async () => {
    const revisions = createRevisions(() => false)
    let times = 0
    const reading = revisions.read(() => ++times)
    revisions.advance()
    expect(await reading).toEqual({ revision: 2, value: 2 })
  })

  it("return the current state of a project that never settles", async () => {
    const revisions = createRevisions(() => true)
    let times = 0
    const reading = revisions.read(() => {
      setImmediate(revisions.advance)
      return ++times
    })
    expect(await reading).toMatchObject({ value: 4 })
  })
})

describe("the cache", () => {
  it("computes a value once for all callers, and again for a later revision", async () => {
    let revision = 1
    let times = 0
    const kept = createRevisionCache(async () => ({ revision, value: ++times }))
    expect(await Promise.all([kept(1, "a"), kept(1, "a"), kept(1, "b")])).toEqual([1, 1, 2])
    revision = 2
    expect(await kept(1, "a")).toBe(1)
    expect(await Promise.all([kept(2, "a"), kept(2, "a")])).toEqual([3, 3])
  })

  it("stores no error", async () => {
    let times = 0
    const kept = createRevisionCache(async () => {
      if (times++ === 0) throw new Error("broken")
      return { revision: 1, value: times }
    })
    await expect(kept(1, "")).rejects.toThrow("broken")
    expect(await kept(1, "")).toBe(2)
  })
})
