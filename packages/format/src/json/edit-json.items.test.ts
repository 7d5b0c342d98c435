import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  copyJsonItems,
  deleteJsonAt,
  insertJsonItem,
  jsonRangeAt,
  deleteJsonItems,
  moveJsonItems,
  replaceJsonValues,
  setJsonAt,
  type EditedJson,
} from "./edit-json.ts"
import type { JsonPointer } from "./pointer.ts"
import { parseJson } from "./parse-json.ts"
import { isJsonArray, type JsonValue } from "./value.ts"

const editedText = (edited: EditedJson): string => {
  if (!edited.ok) throw new Error(edited.findings[0]?.message)
  return edited.text
}
const set = (text: string, pointer: JsonPointer, value: JsonValue) =>
  editedText(setJsonAt(text, pointer, value))
const remove = (text: string, pointer: JsonPointer) => editedText(deleteJsonAt(text, pointer))
const insert = (text: string, array: JsonPointer, index: number, value: JsonValue) =>
  editedText(insertJsonItem(text, array, index, value))
const move = (text: string, from: JsonPointer, array: JsonPointer, index: number) => {
  const item = { array: from.slice(0, -1), index: Number(from.at(-1)), count: 1 }
  return editedText(moveJsonItems(text, item, array, index))
}

const workflow = `{
  "version": 1,
  "blocks": [
    { "id": "a",  "type": "group", "blocks": [] },
    {
      "id": "b",
      "type": "group",
      "blocks": [
        {
          "type": "request",
          "id": "c"
        }
      ]
    }
  ]
}
`

describe("setJsonAt", () => {
  it("sets an item, and a value inside an item", () => {
    expect(set("[1, 2 ,3]\n", [1], "two")).toBe('[1, "two" ,3]\n')
    expect(set(workflow, ["blocks", 0, "id"], "z")).toBe(workflow.replace('"a"', '"z"'))
  })

  it("creates missing arrays and objects", () => {
    expect(set('{\n  "a": 1\n}', ["list", 0, "id"], "x")).toBe(
      '{\n  "a": 1,\n  "list": [\n    {\n      "id": "x"\n    }\n  ]\n}',
    )
  })

  it("adds an item at the end of an array, but not past the end", () => {
    expect(set("[1,2]", [2], 3)).toBe("[1,2,3]")
    expect(() => set("[1,2]", [3], 3)).toThrow("no array for the item 3")
    expect(() => set('{"a":1}', [0], 3)).toThrow("no array")
    expect(() => set("[1]", ["a"], 3)).toThrow("no object")
  })

  it("replaces the whole text", () => {
    expect(set('\ufeff {"a": 1}\n', [], [])).toBe("\ufeff []\n")
  })
})

describe("insertJsonItem", () => {
  it("puts an item on separate lines if its neighbor has separate lines", () => {
    expect(insert('{\r\n\t"b": [\r\n\t\t1,\r\n\t\t2\r\n\t]\r\n}', ["b"], 1, { a: 0 })).toBe(
      '{\r\n\t"b": [\r\n\t\t1,\r\n\t\t{\r\n\t\t\t"a": 0\r\n\t\t},\r\n\t\t2\r\n\t]\r\n}',
    )
  })

  it("keeps a one-line list on one line, in its own style", () => {
    expect(insert("[1,2]", [], 0, { a: 1 })).toBe('[{"a":1},1,2]')
    expect(insert("[1, 2]", [], 1, 0)).toBe("[1, 0, 2]")
    expect(insert('[ {"a":1} ]', [], 1, { b: [2] })).toBe('[ {"a":1},{"b":[2]} ]')
  })

  it("follows the style of items that begin on the line where the previous one ends", () => {
    expect(insert('{\n  "b": [{\n    "a": 1\n  }, {\n    "a": 2\n  }]\n}', ["b"], 2, { a: 3 })).toBe(
      '{\n  "b": [{\n    "a": 1\n  }, {\n    "a": 2\n  }, {\n    "a": 3\n  }]\n}',
    )
  })

  it("expands an empty list if it spans lines, and keeps it on its line otherwise", () => {
    expect(insert('{\n  "blocks": [ ]\n}\n', ["blocks"], 0, 1)).toBe('{\n  "blocks": [\n    1\n  ]\n}\n')
    expect(insert(workflow, ["blocks", 0, "blocks"], 0, { id: "n" })).toBe(
      workflow.replace("[] }", '[{"id": "n"}] }'),
    )
  })

  it("writes a value that nests deeper than the stack", () => {
    let deep: JsonValue = []
    for (let level = 0; level < 50_000; level++) deep = [deep]
    const text = insert("[\n  1\n]", [], 0, deep)
    expect(parseJson(text).ok).toBe(true)
    expect(remove(text, [0])).toBe("[\n  1\n]")
  })

  it("throws if the position doesn't exist", () => {
    expect(() => insert("[1]", [], 2, 0)).toThrow("no array")
    expect(() => insert("{}", [], 0, 0)).toThrow("no array")
    expect(() => insert('{"a":[]}', ["b"], 0, 0)).toThrow("no array")
  })

  it("rejects a text that does not parse, whatever was edited before", () => {
    insert("[1]", [], 0, 0)
    expect(insertJsonItem("[0,1,]", [], 0, 0).ok).toBe(false)
  })
})

describe("moveJsonItems", () => {
  it("moves an item as written, indented for its new depth", () => {
    expect(move(workflow, ["blocks", 1, "blocks", 0], ["blocks"], 0)).toBe(`{
  "version": 1,
  "blocks": [
    {
      "type": "request",
      "id": "c"
    },
    { "id": "a",  "type": "group", "blocks": [] },
    {
      "id": "b",
      "type": "group",
      "blocks": []
    }
  ]
}
`)
  })

  it("counts positions as they are before the move", () => {
    expect(move("[0, 1, 2, 3]", [0], [], 3)).toBe("[1, 2, 0, 3]")
    expect(move("[0, 1, 2, 3]", [3], [], 1)).toBe("[0, 3, 1, 2]")
    expect(move("[0, 1, 2, 3]", [1], [], 4)).toBe("[0, 2, 3, 1]")
    expect(move("[0,[1]]", [0], [1], 1)).toBe("[[1,0]]")
  })

  it("leaves the text unchanged if the item is already there", () => {
    const text = "[0 ,1,\n 2]"
    expect(move(text, [1], [], 1)).toBe(text)
    expect(move(text, [1], [], 2)).toBe(text)
  })

  it("throws if an item would move into itself or doesn't exist", () => {
    expect(() => move("[[1]]", [0], [0], 0)).toThrow("into itself")
    expect(() => move("[1]", [4], [], 0)).toThrow("no item")
  })
})

describe("copyJsonItems", () => {
  it("copies the formatting too", () => {
    expect(
      editedText(
        copyJsonItems(workflow, { array: ["blocks"], index: 0, count: 1 }, ["blocks", 1, "blocks"], 1),
      ),
    ).toBe(
      workflow.replace(
        '"id": "c"\n        }',
        '"id": "c"\n        },\n        { "id": "a",  "type": "group", "blocks": [] }',
      ),
    )
  })
})

describe("jsonRangeAt", () => {
  it("returns the position of a value, with a byte order mark too", () => {
    const text = '\ufeff{"a": [1, {"b": "x\\"]"}]}'
    const range = jsonRangeAt(text, ["a", 1, "b"])
    expect(text.slice(range?.from, range?.to)).toBe('"x\\"]"')
    expect(jsonRangeAt(text, ["a", 2])).toBeUndefined()
    expect(jsonRangeAt(text, ["c", 0])).toBeUndefined()
  })
})

/** Whitespace as people and programs put it between tokens. */
const blanks = fc.constantFrom("", " ", "  ", "\n", "\n  ", "\r\n\t", " \n    ")
const scalars = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.integer(),
  fc.constantFrom('"', "\\", "[{", ",\n", null),
)
const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie("any"), { maxKeys: 3 }),
  ),
})).any
const listOf = fc.array(value, { maxLength: 5 })

/** Formats a value with arbitrary whitespace between its tokens. */
function laidOut(of: JsonValue, next: () => string): string {
  if (typeof of !== "object" || of === null) return JSON.stringify(of)
  const items = isJsonArray(of)
    ? of.map((item) => laidOut(item, next))
    : Object.entries(of).map(
        ([key, item]) => `${JSON.stringify(key)}${next()}:${next()}${laidOut(item, next)}`,
      )
  const inner = items.map((item) => next() + item + next()).join(",")
  return isJsonArray(of) ? `[${items.length === 0 ? next() : inner}]` : `{${inner}}`
}

const oddText = (of: JsonValue) =>
  fc.infiniteStream(blanks).map((stream) => next(stream) + laidOut(of, () => next(stream)) + next(stream))
const next = (stream: Stream): string => String(stream.next().value)
type Stream = Iterator<string>

const odd = listOf.chain((list) => fc.record({ list: fc.constant(list), text: oddText(list) }))
const read = (text: string): unknown => JSON.parse(text)
const at = fc.nat({ max: 5 })

describe("an edit of a text of any layout", () => {
  it("inserts an item and removes it again to the same bytes", () => {
    fc.assert(
      fc.property(odd, at, value, ({ list, text }, where, item) => {
        const index = Math.min(where, list.length)
        const edited = insert(text, [], index, item)
        expect(read(edited)).toEqual(read(JSON.stringify(list.toSpliced(index, 0, item))))
        // An empty list loses the whitespace inside it.
        if (list.length > 0) expect(remove(edited, [index])).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it("removes and moves several items with the same result as one by one", () => {
    fc.assert(
      fc.property(odd, at, fc.integer({ min: 1, max: 3 }), at, ({ list, text }, where, many, to) => {
        if (list.length === 0) return
        const index = Math.min(where, list.length - 1)
        const run = { array: [], index, count: Math.min(many, list.length - index) }
        const rest = list.toSpliced(index, run.count)
        expect(read(editedText(deleteJsonItems(text, [], index, run.count)))).toEqual(
          read(JSON.stringify(rest)),
        )
        const target = Math.min(to, list.length)
        const moved = editedText(moveJsonItems(text, run, [], target))
        const place = target <= index ? target : Math.max(index, target - run.count)
        const expected = rest.toSpliced(place, 0, ...list.slice(index, index + run.count))
        expect(read(moved)).toEqual(read(JSON.stringify(expected)))
      }),
      { numRuns: 1000 },
    )
  })

  it("replaces several values with the same result as one by one", () => {
    fc.assert(
      fc.property(odd, fc.array(fc.tuple(at, scalars)), ({ list, text }, changes) => {
        const byPlace = new Map(changes.filter(([index]) => index < list.length))
        const many = [...byPlace].map(([index, item]) => ({ pointer: [index], value: item }))
        const one = many.reduce((edited, { pointer, value: item }) => set(edited, pointer, item), text)
        expect(editedText(replaceJsonValues(text, many))).toBe(one)
      }),
      { numRuns: 500 },
    )
  })

  it("removes an item and keeps the bytes of the others", () => {
    fc.assert(
      fc.property(odd, at, ({ list, text }, index) => {
        const edited = remove(text, [index])
        expect(read(edited)).toEqual(read(JSON.stringify(list.filter((_, other) => other !== index))))
        list.forEach((_, other) => {
          if (other === index) return
          const before = jsonRangeAt(text, [other])
          const after = jsonRangeAt(edited, [other > index ? other - 1 : other])
          expect(edited.slice(after?.from, after?.to)).toBe(text.slice(before?.from, before?.to))
        })
      }),
      { numRuns: 1000 },
    )
  })

  it("moves an item and changes only the indentation of its lines", () => {
    fc.assert(
      fc.property(odd, at, at, ({ list, text }, from, where) => {
        if (from >= list.length) return
        const index = Math.min(where, list.length)
        const item = list[from] as JsonValue
        const moved = list.toSpliced(from, 1).toSpliced(index > from ? index - 1 : index, 0, item)
        const edited = move(text, [from], [], index)
        expect(read(edited)).toEqual(read(JSON.stringify(moved)))
        const range = jsonRangeAt(edited, [moved.indexOf(item)])
        const own = jsonRangeAt(text, [list.indexOf(item)])
        const withoutMargins = (part: string): string => part.replaceAll(/(?<=[\r\n])[ \t]+/g, "")
        expect(withoutMargins(edited.slice(range?.from, range?.to))).toBe(
          withoutMargins(text.slice(own?.from, own?.to)),
        )
      }),
      { numRuns: 1000 },
    )
  })
})

describe("an edit of a text that JSON.stringify wrote", () => {
  const edits = fc.array(
    fc.record({ kind: fc.constantFrom("in", "out", "move", "set"), at, to: at, value }),
    {
      maxLength: 6,
    },
  )
  it.each([
    [2, "\n"],
    [4, "\r\n"],
    ["\t", "\n"],
  ])("writes what JSON.stringify writes (indent %j, line ending %j)", (indent, eol) => {
    const write = (list: readonly JsonValue[]): string =>
      JSON.stringify({ blocks: list }, null, indent).replaceAll("\n", eol)
    fc.assert(
      fc.property(listOf, edits, (start, changes) => {
        let list: readonly JsonValue[] = start
        let text = write(list)
        for (const change of changes) {
          const from = Math.min(change.at, list.length)
          const to = Math.min(change.to, list.length)
          const item = list[from]
          if (change.kind === "in") {
            text = insert(text, ["blocks"], from, change.value)
            list = list.toSpliced(from, 0, change.value)
          } else if (item === undefined) continue
          else if (change.kind === "out") {
            text = remove(text, ["blocks", from])
            list = list.toSpliced(from, 1)
          } else if (change.kind === "set") {
            text = set(text, ["blocks", from], change.value)
            list = list.with(from, change.value)
          } else {
            text = move(text, ["blocks", from], ["blocks"], to)
            list = list.toSpliced(from, 1).toSpliced(to > from ? to - 1 : to, 0, item)
          }
          expect(text).toBe(write(list))
        }
      }),
      { numRuns: 300 },
    )
  })

  it("moves a block between any two depths and back to the same bytes", () => {
    const groups = fc.letrec<{ block: Group; blocks: readonly Group[] }>((tie) => ({
      block: fc.record({ id: fc.string({ maxLength: 3 }), blocks: tie("blocks") }),
      blocks: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("block"), { maxLength: 3 })),
    }))
    fc.assert(
      fc.property(
        fc.array(groups.block, { minLength: 2, maxLength: 3 }),
        fc.nat(),
        fc.nat(),
        (blocks, a, b) => {
          const text = `${JSON.stringify({ version: 1, blocks }, null, 2)}\n`
          const all = placesIn(blocks)
          const from = all[a % all.length] ?? []
          const targets = all.filter((place) => from.some((step, index) => place[index] !== step))
          const into = targets[b % targets.length]
          if (into === undefined) return
          const moved = move(text, from, [...into, "blocks"], 0)
          const [gone, place] = [from.slice(0, -1), from.at(-1) as number]
          const here = shifted([...into, "blocks", 0], gone, place, -1)
          const back = shifted(gone, here.slice(0, -1), 0, 1)
          const isSameList = JSON.stringify(here.slice(0, -1)) === JSON.stringify(back)
          expect(move(moved, here, back, isSameList ? place + 1 : place)).toBe(text)
        },
      ),
      { numRuns: 500 },
    )
  })
})

interface Group {
  readonly blocks: readonly Group[]
}

const placesIn = (blocks: readonly Group[], outer: JsonPointer = ["blocks"]): readonly JsonPointer[] =>
  blocks.flatMap((block, index) => [
    [...outer, index],
    ...placesIn(block.blocks, [...outer, index, "blocks"]),
  ])

/** Returns the pointer to the same value after items of `list` were inserted or removed at `index`. */
function shifted(pointer: JsonPointer, list: JsonPointer, index: number, by: number): JsonPointer {
  const step = pointer[list.length]
  const isInside = list.every((part, depth) => pointer[depth] === part)
  if (!isInside || typeof step !== "number") return pointer
  return step > index || (by > 0 && step >= index) ? pointer.with(list.length, step + by) : pointer
}
