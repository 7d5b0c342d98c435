import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createEditedParser } from "./parse-edited.ts"
import { parseJson } from "./parse-json.ts"

const item = fc.oneof(
  fc.record({ id: fc.nat(30), text: fc.string({ maxLength: 4 }) }),
  fc.constantFrom<unknown>("[", ",", '"', [1, [2]], null, {}, []),
  fc.integer(),
)
const items = fc.array(item, { minLength: 20, maxLength: 40 })
const holder = fc.oneof(
  items,
  fc.record({ version: fc.constant(1), blocks: items }),
  fc.record({ blocks: items, others: items, name: fc.string() }),
  fc.record({ ["__proto__"]: items, name: fc.string() }),
)

/** An edit at a position, given as a fraction of the text. It starts at an item or anywhere. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  isAtItem: fc.boolean(),
  removes: fc.oneof(fc.constant("nothing"), fc.constant("item"), fc.constant("two items"), fc.nat(3)),
  inserted: fc.oneof(
    fc.constantFrom("", "", "1", ' {"a": [1]}', '{"a":1},', '1, "b",', ",1", "0", "9".repeat(20)),
    fc.constantFrom(" ", ",", "]", "[", "}", '"', '"x": 1,'),
  ),
})

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

function edited(text: string, { at, isAtItem, removes, inserted }: Edit): string {
  const place = Math.floor(at * text.length)
  const from = isAtItem ? Math.max(0, text.indexOf(",", place)) + 1 : place
  const nextItem = (start: number): number => Math.max(start, text.indexOf(",", start + 1))
  const end =
    typeof removes === "number"
      ? from + removes
      : removes === "nothing"
        ? from
        : removes === "item"
          ? nextItem(from)
          : nextItem(nextItem(from))
  return text.slice(0, from) + inserted + text.slice(end)
}

describe("createEditedParser", () => {
  it("returns what parseJson returns for each version of a text", () => {
    fc.assert(
      fc.property(
        holder,
        fc.constantFrom(0, 2),
        fc.array(fc.tuple(edit, fc.boolean()), { maxLength: 12 }),
        (value, indent, edits) => {
          const parse = createEditedParser(0)
          let text = JSON.stringify(value, null, indent)
          expect(parse(text)).toEqual(parseJson(text))
          for (const [step, isUndone] of edits) {
            const next = edited(text, step)
            expect(parse(next)).toEqual(parseJson(next))
            if (!isUndone) text = next
          }
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it("parses only the items that an edit touches", () => {
    const parse = createEditedParser(0)
    const blocks = Array.from({ length: 50 }, (_, id) => ({ id, name: "" }))
    const edited = [7, 30, 12].map((index) => {
      blocks[index] = { id: index, name: "longer by far" }
      return JSON.stringify({ blocks })
    })
    const values = edited.map((text) => {
      const parsed = parse(text)
      return parsed.ok ? (parsed.value as { blocks: readonly unknown[] }).blocks : []
    })
    const isShared = values[0]?.map((block, index) => block === values[2]?.[index])
    expect(isShared?.flatMap((same, index) => (same ? [] : [index]))).toEqual([12, 30])
    expect(values[2]).toEqual(blocks)
  })
})
