import { describe, expect, it } from "vitest"
import { findings } from "../testing/shop.ts"

const block = (id: string) => ({ id, type: "group", blocks: [] })
const loop = (id: string, more: object, ...blocks: readonly unknown[]) => ({
  id,
  type: "loop",
  blocks,
  ...more,
})
const times = (count: number) => ({ mode: "times", count, iteratorVar: `i${count}` })

describe("checkCollisions", () => {
  it("finds ids of different blocks that become the same", async () => {
    expect(
      await findings(
        loop("a", times(2), block("x-{{i2}}")),
        loop("b", times(3), block("x-{{i3}}")),
        block("x-1"),
        block("x-2"),
        block("x-3"),
      ),
    ).toEqual([
      'error id-duplicate: the id "x-{{i3}}" can become the same as "x-{{i2}}" | give the two ids different text around the placeholder',
      expect.stringContaining('"x-1" is also the id of "x-{{i2}}" in iteration 1'),
      expect.stringContaining('"x-1" is also the id of "x-{{i3}}" in iteration 1'),
      expect.stringContaining('"x-2" is also the id of "x-{{i3}}" in iteration 2'),
    ])
  })

  it("ignores ids that only might collide", async () => {
    expect(
      await findings(
        loop("a", times(2), block("x-{{i2}}"), block("y-{{$index}}")),
        block("x-two"),
        block("x-02"),
        block("y-9"),
      ),
    ).toEqual([])
  })

  it("ignores an id that repeats in each iteration of one loop", async () => {
    expect(
      await findings(loop("a", times(2), loop("b-{{i2}}", { mode: "times", count: 2 }, block("x-{{i2}}")))),
    ).toEqual([])
  })

  it("finds an id that uses only the index of an inner loop", async () => {
    expect(
      await findings(
        loop("a", times(2), loop("b", times(3), block("x-{{i3}}"), block("y-{{i2}}-{{$index}}"))),
      ),
    ).toEqual([
      'warning id-duplicate: the id "x-{{i3}}" is the same in each iteration of the loop "a" | add a placeholder of that loop: {{i2}}',
    ])
    expect(await findings(loop("a", times(1), loop("b", times(3), block("x-{{i3}}"))))).toEqual([])
  })

  it("finds an iterator that shadows another", async () => {
    expect(await findings(loop("a", times(2), loop("b", times(2))))).toEqual([
      'warning id-duplicate: the iterator "i2" hides the iterator of the outer loop "a" | rename one of them',
    ])
  })
})
