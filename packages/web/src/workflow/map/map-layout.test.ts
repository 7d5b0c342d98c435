import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { outlineRows } from "../../blocks/block-rows.ts"
import { layoutMap, type MapBox, type MapLayout } from "./map-layout.ts"

const block = (id: string): JsonValue => ({ id, type: "assert", assertions: [] })
const blocks = (count: number, name = "b"): JsonValue[] =>
  Array.from({ length: count }, (_, at) => block(`${name}${at}`))
const layoutOf = (list: readonly JsonValue[], closed: readonly string[] = []) => {
  const rows = outlineRows({ blocks: list }, new Set(closed))
  return {
    ...layoutMap(rows, 2),
    rows,
    at: (id: string) => rows.findIndex((row) => "id" in row && row.id === id),
  }
}
const contains = (outer: MapBox, inner: MapBox): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height
const overlaps = (a: MapBox, b: MapBox): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
const boxAt = ({ boxes }: MapLayout, index: number): MapBox =>
  boxes[index] ?? { x: -1, y: -1, width: 0, height: 0 }

const nested: JsonValue[] = [
  block("first"),
  {
    id: "loop",
    type: "loop",
    mode: "count",
    count: 2,
    blocks: [block("in-loop"), { id: "g", type: "group", blocks: blocks(3) }],
  },
  { id: "if", type: "condition", if: "{{x}}", then: [block("yes")], else: [block("no"), block("no2")] },
  block("last"),
]

describe("the layout of a map", () => {
  it("has each block in the box of its container, and no two siblings overlap", () => {
    const map = layoutOf([...nested, ...blocks(300, "more")])
    const { rows, boxes } = map
    expect(boxes).toHaveLength(rows.length)
    rows.forEach((row, index) => {
      const parent = rows.findLastIndex((other, at) => at < index && other.depth === row.depth - 1)
      if (row.depth > 1) expect(contains(boxAt(map, parent), boxAt(map, index)), row.key).toBe(true)
      const siblings = rows.flatMap((other, at) => (at !== index && other.depth === row.depth ? [at] : []))
      expect(siblings.filter((at) => overlaps(boxAt(map, at), boxAt(map, index)))).toEqual([])
    })
  })

  it("has the branches of a condition side by side, and connects blocks in their order", () => {
    const map = layoutOf(nested)
    const [then, other] = [map.at("yes"), map.at("no")].map((index) => boxAt(map, index))
    expect(then?.y).toBe(other?.y)
    expect(then?.x).toBeLessThan(other?.x ?? 0)
    const ids = map.steps.map((step) =>
      step.map((index) => map.rows[index]).map((row) => row && "id" in row && row.id),
    )
    expect(ids).toEqual([
      ["first", "loop"],
      ["loop", "if"],
      ["if", "last"],
      ["in-loop", "g"],
      ["b0", "b1"],
      ["b1", "b2"],
      ["no", "no2"],
    ])
  })

  it("has about the shape of the window for hundreds of blocks, flat or nested, and one column for a few", () => {
    const shapeOf = ({ width, height }: MapLayout): number => width / height
    expect(shapeOf(layoutOf(blocks(300)))).toBeGreaterThan(1.4)
    expect(shapeOf(layoutOf(blocks(300)))).toBeLessThan(2.8)
    expect(shapeOf(layoutOf([{ id: "all", type: "group", blocks: blocks(300) }]))).toBeGreaterThan(1.4)
    expect(new Set(layoutOf(blocks(12)).boxes.map(({ x }) => x)).size).toBe(1)
  })

  it("has one box for a collapsed container, and lays out 1,000 levels of nesting", () => {
    expect(layoutOf(nested, ["id loop"]).boxes).toHaveLength(layoutOf(nested).boxes.length - 5)
    let deep: JsonValue = block("deepest")
    for (let level = 0; level < 1_000; level++) deep = { id: `g${level}`, type: "group", blocks: [deep] }
    expect(layoutOf([deep]).boxes).toHaveLength(1_001)
  })
})
