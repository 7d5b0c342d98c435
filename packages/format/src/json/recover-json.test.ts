import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseJson } from "./parse-json.ts"
import { recoverJson } from "./recover-json.ts"

const lines = (...text: readonly string[]): string => text.join("\n")

describe("recoverJson", () => {
  test.each([
    ["a missing value", lines("{", '  "a": ', '  "b": 2', "}"), { b: 2 }],
    ["a key without a colon", lines("{", '  "a": 1,', '  "ty', '  "b": 2', "}"), { a: 1, b: 2 }],
    ["a string without an end", lines("{", '  "a": "x,', '  "b": 2', "}"), { b: 2 }],
    ["a missing comma", lines("{", '  "a": "x"', '  "b": 2', "}"), { a: "x", b: 2 }],
    ["a comma too many", lines("{", '  "a": [1, 2,],', "}"), { a: [1, 2] }],
    ["half a word", lines("{", '  "a": tru,', '  "b": [nul, 2]', "}"), { b: [null, null] }],
    ["a bad escape", lines("{", '  "a": "\\x",', '  "b": 2', "}"), { b: 2 }],
    ["a repeated key", '{"a": 1, "b": 2, "a": 3}', { b: 2 }],
    ["a number beyond all doubles", '{"a": 1e999, "b": 12345678901234567890}', { b: 12345678901234567890n }],
    ["comments", lines("{", "  // a: 1", '  "a": 1 /* } */', "}"), { a: 1 }],
    [
      "an object without an end",
      lines("{", '  "a": {', '    "x": 1', '  "b": 2,', '  "c": {}', "}"),
      { a: { x: 1 }, b: 2, c: {} },
    ],
    [
      "an item without an end",
      lines("{", '  "a": [', '    { "x": 1, "y', '    { "x": 2 }', "  ]", "}"),
      { a: [{ x: 1 }, { x: 2 }] },
    ],
    [
      "a brace too many",
      lines("{", '  "a": {', '    "x": [1] },', '    "y": 2', "  },", '  "b": 3', "}"),
      { a: { x: [1], y: 2 }, b: 3 },
    ],
    ["an object without a start", lines("{", '  "a": "b": "x", "c": 1 },', '  "d": 2', "}"), { d: 2 }],
    ["the wrong bracket", lines("{", '  "a": [', "    1", "  },", '  "b": 2', "}"), { a: [1], b: 2 }],
    [
      "the end of the file",
      lines("{", '  "a": [', "    {", '      "x": 1,', '      "y": "'),
      { a: [{ x: 1 }] },
    ],
  ])("reads around %s", (_, text, value) => {
    expect(parseJson(text).ok).toBe(false)
    expect(recoverJson(text)?.value).toEqual(value)
  })

  test.each(["", "[1, ", "tru", '"x', "a: 1\nb: 2", '{"a": {"b": 1', '{"a": {"b": 1, "c": 2}, "d"'])(
    "trusts nothing of %j",
    (text) => {
      expect(recoverJson(text)).toBeUndefined()
    },
  )

  test("does not read parts of a string with quotes or without its opening quote as members", () => {
    for (const value of ['"ab"cd": 5', '"ab" "cd": 5', 'ab"cd": 5', "ab: cd", "'ab': 5", 'ab": "cd"'])
      expect(recoverJson(lines("{", `  "a": ${value},`, '  "b": 2', "}"))?.value).toEqual({ b: 2 })
    expect(recoverJson(lines("{", '  "a: "ab", "cd": 1,', '  "b": 2', "}"))?.value).toEqual({ b: 2 })
  })

  test("trusts findings outside the damage only", () => {
    const text = lines(
      "{",
      '  "sound": {},',
      '  "half": {',
      '    "a": 1,',
      '    "b": "x',
      "  },",
      '  "list": [{ "c": 1, "d }, {}]',
      "}",
    )
    const isTrusted = recoverJson(text)?.isTrusted
    const trusts = (pointer: readonly (string | number)[], at: "key" | "value" = "value") =>
      isTrusted?.({ pointer, at })
    expect(trusts([])).toBe(true)
    expect(trusts(["sound"])).toBe(true)
    expect(trusts(["half"])).toBe(false)
    expect(trusts(["half"], "key")).toBe(true)
    expect(trusts(["half", "a"])).toBe(true)
    expect(trusts(["half", "b"])).toBe(false)
    expect(trusts(["list"])).toBe(false)
    expect(trusts(["list", 0, "c"])).toBe(false)
  })

  const object = fc
    .tuple(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.constantFrom(undefined, 2, "\t"))
    .map(([value, indent]) => JSON.stringify(value, null, indent))

  test("reads well-formed objects like the parser, without any damage", () => {
    fc.assert(
      fc.property(object, (text) => {
        const parsed = parseJson(text)
        expect(recoverJson(text)).toMatchObject({ damage: [] })
        expect(parsed).toEqual({ ok: true, value: recoverJson(text)?.value })
      }),
    )
  })

  test("keeps every other line if one line of a file is cut off", () => {
    const members = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom("x", 1, true, null), {
      minKeys: 2,
    })
    fc.assert(
      fc.property(members, fc.nat(), fc.nat(), (value, which, at) => {
        const keys = Object.keys(value)
        const cut = which % keys.length
        const all = JSON.stringify(value, null, 2).split("\n")
        const line = all[cut + 1] ?? ""
        const half = line.slice(0, at % line.trimEnd().replace(/,$/, "").length)
        const recovered = recoverJson(all.with(cut + 1, half).join("\n"))?.value
        const { [keys[cut] ?? ""]: _, ...others } = value
        expect(recovered).toMatchObject(others)
      }),
    )
  })

  test("ends for any damage", () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.nat(9), fc.string({ maxLength: 4 }), (text, from, length, other) => {
        const at = from % text.length
        const recovered = recoverJson(text.slice(0, at) + other + text.slice(at + length))
        for (const { pointer } of recovered?.damage ?? []) expect(pointer).toBeInstanceOf(Array)
      }),
      { numRuns: 2_000 },
    )
  })

  test("reads 10,000 levels", () => {
    const text = '{"a":'.repeat(10_000) + "tru" + "}".repeat(10_000)
    expect(recoverJson(text)?.damage).toHaveLength(2)
  })
})
