import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { jsonPlaceAt, jsonPointersAt, type JsonPlace } from "../index.ts"

/** Reads the place at `|`, which isn't part of the text. */
function placeIn(marked: string): JsonPlace & { readonly replaced: string; readonly inserted: string } {
  const offset = marked.indexOf("|")
  const text = marked.slice(0, offset) + marked.slice(offset + 1)
  const place = jsonPlaceAt(text, offset)
  return {
    ...place,
    replaced: text.slice(place.range.from, place.range.to),
    inserted: insertions(place.insert, place.at),
  }
}

/** Shows what is inserted around `x`. */
function insertions(insert: JsonPlace["insert"], at: JsonPlace["at"]): string {
  const string = `${insert.openQuote ? '"' : ""}x${insert.closeQuote ? '"' : ""}`
  const colon = insert.colon ? ":" : ""
  const member = at === "value" ? `${colon}${string}` : `${string}${colon}`
  return `${insert.commaBefore ? "," : ""}${member}${insert.commaAfter ? "," : ""}`
}

describe("the place of an offset in well-formed text", () => {
  test.each([
    ['{"a|": 1}', "key", ["a"], "a", "x"],
    ['{|"a": 1}', "key", ["a"], '"a"', '"x"'],
    ['{"a": "one |two"}', "value", ["a"], "one two", "x"],
    ['{"a": "{{env.|}}"}', "value", ["a"], "{{env.}}", "x"],
    ['{"a": "\\"|\\\\"}', "value", ["a"], '\\"\\\\', "x"],
    ['{"a": tr|ue}', "value", ["a"], "true", '"x"'],
    ['{"a": 12|}', "value", ["a"], "12", '"x"'],
    ['{"a" |: 1}', "key", ["a"], '"a" ', '"x"'],
    ['{"a": | 1, "b": 2}', "value", ["a"], " 1", '"x"'],
    ['{"a": {|}}', "between", ["a"], "", '"x":'],
    ['{"a": 1, |"b": 2}', "key", ["b"], '"b"', '"x"'],
    ['{"a": 1,|\n "b": 2}', "between", [], "", '"x":,'],
    ['{"a": 1\n |}', "between", [], "", ',"x":'],
    ['{"a": {"b": 1}|}', "between", [], "", ',"x":'],
    ["[|]", "between", [], "", '"x"'],
    ["[1, |2]", "value", [1], "2", '"x"'],
    ['[1, {"b": [true, "|"]}]', "value", [1, "b", 1], "", "x"],
  ] as const)("%s", (text, at, pointer, replaced, inserted) => {
    expect(placeIn(text)).toMatchObject({ at, pointer, replaced, inserted })
  })

  test("lists the keys of the other members", () => {
    expect(placeIn('{"a": {"x": 1}, "|b": 1, "\\u0063": [{"y": 1}]}').takenKeys).toEqual(["a", "c"])
    expect(placeIn('{"a": 1, |, "c": 2}').takenKeys).toEqual(["a", "c"])
  })

  test("counts the items before a new one", () => {
    expect(placeIn("[1, 2, |]")).toMatchObject({ at: "between", container: "array", index: 2 })
    expect(placeIn("[|1, 2]")).toMatchObject({ at: "value", index: 0 })
    expect(placeIn("[1, 2|]")).toMatchObject({ at: "value", index: 1 })
  })

  test("knows no place outside the root", () => {
    expect(placeIn("{} |").at).toBe("outside")
    expect(placeIn("{}|").container).toBeUndefined()
    expect(placeIn("|")).toMatchObject({ at: "value", pointer: [] })
  })
})

describe("the place of an offset in half-written text", () => {
  test.each([
    ['{"a": |', "value", ["a"], "", '"x"'],
    ['{"a": |}', "value", ["a"], "", '"x"'],
    ['{"a": |\n "b": 1}', "value", ["a"], "", '"x",'],
    ['{"a" |}', "value", ["a"], "", ':"x"'],
    ['{"a|', "key", ["a"], "a", 'x":'],
    ['{"a|\n "b": 1}', "key", ["a"], "a", 'x":,'],
    ["{ a|", "key", ["a"], "a", '"x":'],
    ['{"a": "x|\n "b": 1}', "value", ["a"], "x", 'x",'],
    ['{"a": "x|,\n "b": 1}', "value", ["a"], "x", 'x"'],
    ['{"a": "{{env.b}}|\n}', "value", ["a"], "{{env.b}}", 'x"'],
    ['{ "a": "x| }', "value", ["a"], "x", 'x"'],
    ['{"a": 1 |"b": 2}', "key", ["b"], '"b"', ',"x"'],
    ['{"a": 1\n |\n "b": 2}', "between", [], "", ',"x":,'],
    ['[{"a": |]', "value", [0, "a"], "", '"x"'],
    ["[1 |2]", "value", [1], "2", ',"x"'],
    ['{"a": 1, |}', "between", [], "", '"x":'],
    ['{"list": [{"a": "x"}, {"b|": , "c": {"d": ', "key", ["list", 1, "b"], "b", "x"],
  ] as const)("%s", (text, at, pointer, replaced, inserted) => {
    expect(placeIn(text)).toMatchObject({ at, pointer, replaced, inserted })
  })

  test("takes the next line's key as taken, not as the value", () => {
    expect(placeIn('{\n  "a": |\n  "b": 1\n}')).toMatchObject({ pointer: ["a"], takenKeys: ["b"] })
  })

  test("ends an object without a closing brace by the indentation", () => {
    const list = '{\n  "list": [\n    { "a": 1, "b|\n    { "c": 1 }\n  ],\n  "d": 1\n}'
    expect(placeIn(list)).toMatchObject({ at: "key", pointer: ["list", 0, "b"], takenKeys: ["a"] })
    const object = '{\n  "a": {\n    "b": 1\n    |\n  "c": {}\n}'
    expect(placeIn(object)).toMatchObject({ at: "between", pointer: ["a"], takenKeys: ["b"] })
    expect(placeIn('{\n  "a": {\n    "b": 1\n  "c": {|}\n}').pointer).toEqual(["c"])
    expect(placeIn('{\n  "a": [\n    "b"\n  },\n  "c": {|}\n}').pointer).toEqual(["c"])
    expect(placeIn('{\n  "a": {\n    "b": {} }\n    "c": 1\n  },\n  "d": {|}\n}').pointer).toEqual(["d"])
  })

  test("does not use the indentation if brackets match", () => {
    expect(placeIn('{\n    "a": {\n"b": [\n1 2 ]\n  },\n"c": {|}\n}').pointer).toEqual(["c"])
  })

  test("skips comments", () => {
    expect(placeIn('{\n  // it\'s "a"\n  "b": /* { */ [|]\n}')).toMatchObject({ pointer: ["b"] })
  })
})

const valid = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent))

/** Parts of JSON in any order. */
const pieces = fc
  .array(
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      " ",
      "\n",
      "\t",
      "/",
      "\n  ",
      '"a"',
      '"b": ',
      "1",
      "tru",
      "// x\n",
      "/*",
      "'",
      "\r\n",
      "é",
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""))

/** Valid JSON from which something is cut out, or in which something is pasted. */
const damaged = fc
  .tuple(valid, fc.nat(), fc.nat(12), fc.oneof(fc.constant(""), pieces))
  .map(([text, at, length, other]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + other + text.slice(from + length)
  })

describe("for any text", () => {
  test("agrees with the pointers of well-formed text at every token", () => {
    fc.assert(
      fc.property(valid, (text) => {
        const offsets = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[-\w.+]+/g)].map(({ index }) => index)
        expect(offsets.map((offset) => jsonPlaceAt(text, offset).pointer)).toEqual(
          jsonPointersAt(text, offsets),
        )
      }),
      { numRuns: 300 },
    )
  })

  test("answers with a range around the offset and inside the text", () => {
    fc.assert(
      fc.property(fc.oneof(damaged, pieces, fc.string()), fc.nat(), (text, at) => {
        const offset = at % (text.length + 1)
        const { range } = jsonPlaceAt(text, offset)
        expect(range.from).toBeGreaterThanOrEqual(0)
        expect(range.from).toBeLessThanOrEqual(offset)
        expect(range.to).toBeGreaterThanOrEqual(offset)
        expect(range.to).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 3_000 },
    )
  })

  test.each([
    '{"a":'.repeat(10_000),
    "[".repeat(100_000),
    '[{"a":'.repeat(10_000) + "1" + "}]".repeat(10_000),
    "[}".repeat(50_000),
    "[".repeat(50_000) + "}".repeat(50_000),
    '"a\n'.repeat(50_000),
    '{"a\n'.repeat(50_000),
    '{"a": "b'.repeat(50_000),
    "/*".repeat(100_000),
    "\\".repeat(200_000),
  ])("takes linear time, whatever the depth: %#", (text) => {
    const start = performance.now()
    jsonPlaceAt(text, text.length)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
