import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { outlinedPart, partOf, type JsonPart } from "./json-part.ts"
import { decodePart, outlineJson as outline, type WatchedMember } from "./outline.ts"
import { parseJson } from "./parse-json.ts"
import { stringifyJson } from "./stringify.ts"

const readOutlined = (bytes: Uint8Array, outline: NonNullable<ReturnType<typeof outlineJson>>) =>
  outlinedPart(bytes, outline).value()

const outlineJson = (bytes: Uint8Array, watched: readonly WatchedMember[] = []) =>
  outline(bytes, { depth: 4, watched })

const encode = (text: string) => new TextEncoder().encode(text)

/** Arrays and objects with many kinds of keys. Most members are large enough to be deferred. */
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "large", withCrossShrink: true },
    fc.string({ unit: "binary", maxLength: 2000, size: "large" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt(),
    fc.constantFrom(null, true, false, ""),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "$ref", "2", "")),
      tie("value"),
      {
        maxKeys: 30,
      },
    ),
  ),
})).value

const toText = (value: unknown, indent: number) => stringifyJson(value as never, { indent })

/** Compares the members of two parts, some levels deep. */
function expectSame(part: JsonPart, other: JsonPart, levels: number): void {
  expect(part.isObject).toBe(other.isObject)
  if (levels === 0) return
  const byKey = new Map(part.entries())
  const others = other.entries()
  expect([...byKey.keys()].sort()).toEqual(others.map(([key]) => key).sort())
  expect(part.member("no such key")).toBeUndefined()
  for (const [key, inner] of others) {
    expectSame(byKey.get(key)!, inner, levels - 1)
    expect(part.member(key)?.value()).toBe(byKey.get(key)?.value())
  }
}

describe("outlineJson", () => {
  it("leads to the value that the parser returns", () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(0, 2), (value, indent) => {
        const text = toText(value, indent)
        const bytes = encode(text)
        const outline = outlineJson(bytes)
        if (outline === undefined) return // Equal key hashes and long numbers are left to the parser.
        const parsed = parseJson(decodePart(bytes, 0, bytes.length))
        if (!parsed.ok) throw new Error("the text is not well-formed")
        expectSame(outlinedPart(bytes, outline), partOf(parsed.value), 5)
        const read = readOutlined(bytes, outline)
        expect(read).toEqual(parsed.value)
        expect(stringifyJson(read)).toBe(stringifyJson(parsed.value))
      }),
      { numRuns: 500 },
    )
  })

  it("returns no outline for a text that the parser rejects", () => {
    const pieces = fc.constantFrom(
      ...`{ } [ ] , : "a" "b" "a\\u0062" "\\x" "\\u12" 1 -1 01 -0 1.5 1. .5 1e5 1e400 true tru falsey null "`.split(
        " ",
      ),
      "\n",
      "\t",
      '"\n"',
      "\u00a0",
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("")
        if (!parseJson(text).ok) expect(outlineJson(encode(text))).toBeUndefined()
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ["an object", `{"a": 1, "b": {"c": [1, {"d": 2}]}}`],
    ["an array", ` [1, 2, {"a": 1}] `],
    ["a string", `"a"`],
    ["a number", `-12.5e3`],
    ["escapes", `{"\\u0061\\n": "\\u00e9\\"\\\\"}`],
    ["an integer that a double rounds", `{"a": 9007199254740993}`],
    ["an empty object", `{ }`],
    ["empty members", `{"a": {}, "b": [], "c": ""}`],
  ])("reads %s", (_, text) => {
    const bytes = encode(text)
    const parsed = parseJson(text)
    expect({ ok: true, value: readOutlined(bytes, outlineJson(bytes)!) }).toEqual(parsed)
  })

  it.each([
    ["a duplicate key", `{"a": 1, "a": 2}`],
    ["a duplicate key in two spellings", `{"a": 1, "\\u0061": 2}`],
    ["a duplicate key in an array's object", `[[{"a": 1, "a": 2}]]`],
    ["a duplicate key six levels deep", `{"a":{"a":{"a":{"a":{"a":{"b":1,"b":2}}}}}}`],
    ["one of many keys twice", `{${Array.from({ length: 100 }, (_, n) => `"k${n % 99}":1`).join()}}`],
    ["a number beyond the range of a double", `{"a": 1e400}`],
    ["a character after the value", `{"a": 1} x`],
    ["a text that ends early", `{"a": [1, 2`],
    ["nothing", ``],
    ["1,001 arrays in each other", "[".repeat(1001) + "]".repeat(1001)],
  ])("leaves %s to the parser", (_, text) => {
    expect(outlineJson(encode(text))).toBeUndefined()
  })

  it("accepts the same key in sibling and nested objects", () => {
    const inner = Array.from({ length: 40 }, (_, n) => `"k${n}":{"k${n}":1}`).join()
    const text = `{"a":{${inner}},"b":{${inner}},"c":[{${inner}},{${inner}}]}`
    const bytes = encode(text)
    expect(readOutlined(bytes, outlineJson(bytes)!)).toEqual(JSON.parse(text))
  })

  it.each([
    [`{"a": {"mark": "x"}}`, [true, true, false]],
    [`[{"mark": "#x"}]`, [false, true, false]],
    [`{"mark": "\\u0023x"}`, [true, true, false]],
    [`{"mark": {"flag": true}}`, [false, false, true]],
    [`{"m\\u0061rk": "#x", "flag": "true"}`, [false, true, false]],
    [`{"a": "mark", "b": ["flag", true], "marks": "x"}`, [false, false, false]],
    [`{"a": {"a": {"a": {"a": {"a": [{"flag": true}]}}}}}`, [false, false, true]],
  ])("records which watched members %s has", (text, seen) => {
    const watched = [
      { key: "mark", starts: '"', unless: '"#' },
      { key: "mark", starts: '"' },
      { key: "flag", starts: "true" },
    ]
    const bits = outlineJson(encode(text), watched)?.seen ?? 0
    expect([0, 1, 2].map((bit) => (bits & (1 << bit)) !== 0)).toEqual(seen)
  })
})

describe("outlinedPart", () => {
  const large = {
    tags: [],
    paths: {
      "/a": { get: { summary: "x".repeat(2000) } },
      "/b": { get: { summary: "z".repeat(2000), code: 12345 } },
    },
  }

  it("returns the same object each time", () => {
    const bytes = encode(JSON.stringify(large))
    const read = readOutlined(bytes, outlineJson(bytes)!) as typeof large
    expect(read.paths["/a"]).toBe(read.paths["/a"])
    expect(read.paths["/a"].get).toBe(Object.values(read.paths)[0]!.get)
  })

  it("doesn't parse a part that nobody reads", () => {
    const bytes = encode(JSON.stringify(large))
    const outline = outlineJson(bytes)!
    const broken = bytes.map((byte) => (byte === "2".charCodeAt(0) ? 0 : byte))
    const read = readOutlined(broken, outline) as typeof large
    expect(read.paths["/a"]).toEqual(large.paths["/a"])
    expect(() => read.paths["/b"].get.code).toThrow("does not match")
  })
})
