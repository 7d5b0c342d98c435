import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { outlineRows } from "./block-rows.ts"
import { dropPlace, placesInGap } from "../workflow/outline/drop-slot.ts"
import { keyOf } from "./block-place.ts"

const group = (id: string, ...blocks: JsonValue[]): JsonValue => ({ id, type: "group", blocks })
const workflow = {
  version: 1,
  blocks: [
    group("a"),
    { id: "if", type: "condition", then: [group("t")] },
    group("b", group("c")),
    { id: "odd", type: "thing", blocks: [group("d")] },
    "text",
  ],
}
const rows = outlineRows(workflow, new Set())
const words = (list: ReturnType<typeof outlineRows>) =>
  list.map((row) => `${row.depth} ${row.row === "branch" ? row.branch : row.id}`)

describe("the rows of an outline", () => {
  it("show branches, empty ones too, and broken blocks", () => {
    expect(words(rows)).toEqual([
      "1 a",
      "1 if",
      "2 then",
      "3 t",
      "2 else",
      "1 b",
      "2 c",
      "1 odd",
      "2 d",
      "1 ",
    ])
    expect(rows.at(-1)).toMatchObject({ kind: undefined, position: 4, siblings: 5 })
  })

  it("omit the content of a closed block, by its id", () => {
    const closed = new Set(["id b", "branch blocks/1/then"])
    expect(words(outlineRows(workflow, closed))).toEqual([
      "1 a",
      "1 if",
      "2 then",
      "2 else",
      "1 b",
      "1 odd",
      "2 d",
      "1 ",
    ])
  })

  it("handle a workflow nested thousands deep, and an invalid one", () => {
    let block: JsonValue = group("deep")
    for (let level = 0; level < 5000; level++) block = group(`g${level}`, block)
    expect(outlineRows({ blocks: [block] }, new Set())).toHaveLength(5001)
    for (const broken of [null, [], { blocks: {} }, { blocks: [null, 1, [], { type: "loop", blocks: 1 }] }])
      expect(() => outlineRows(broken as JsonValue, new Set())).not.toThrow()
  })
})

describe("the drop positions in a gap", () => {
  const placesAt = (gap: number) =>
    placesInGap(rows, gap).map(({ slot, depth }) => `${depth} ${keyOf(slot.list)} ${slot.index}`)

  it("are all that end above it, and the inside of an empty container", () => {
    expect(placesAt(0)).toEqual(["1 blocks 0"])
    expect(placesAt(1)).toEqual(["1 blocks 1", "2 blocks/0/blocks 0"])
    expect(placesAt(3)).toEqual(["3 blocks/1/then 0"])
    expect(placesAt(4)).toEqual(["3 blocks/1/then 1", "4 blocks/1/then/0/blocks 0"])
    expect(placesAt(5)).toEqual(["1 blocks 2", "3 blocks/1/else 0"])
    expect(placesAt(6)).toEqual(["2 blocks/2/blocks 0"])
    expect(placesAt(rows.length)).toEqual(["1 blocks 5"])
  })
})

describe("the target of a drop", () => {
  const drop = (y: number, depth: number, dragged: (string | number)[][] = []) => {
    const place = dropPlace(rows, { y, depth, dragged })
    return place === undefined ? undefined : `${keyOf(place.slot.list)} ${place.slot.index}`
  }

  it("depends on how far to the right the pointer is", () => {
    expect(drop(1, 0)).toBe("blocks 1")
    expect(drop(1, 9)).toBe("blocks/0/blocks 0")
    expect(drop(7, 1)).toBe("blocks 3")
    expect(drop(7, 2)).toBe("blocks/2/blocks 1")
  })

  it("is never inside the dragged block", () => {
    expect(drop(7, 2, [["blocks", 2]])).toBe("blocks 3")
    expect(drop(6, 2, [["blocks", 2]])).toBeUndefined()
  })

  it("is a closed container if the pointer is on it, and next to it at its edges", () => {
    const closed = outlineRows(workflow, new Set(["id b"]))
    const place = dropPlace(closed, { y: 5.5, depth: 1, dragged: [] })
    expect(place).toMatchObject({ slot: { list: ["blocks", 2, "blocks"] }, into: 5 })
    expect(dropPlace(closed, { y: 5.1, depth: 1, dragged: [] })?.into).toBeUndefined()
  })
})
