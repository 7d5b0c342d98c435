import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createLineFinder } from "../source.ts"
import { parseJson, parseNative, type SyntaxFinding } from "./parse-json.ts"
import { isJsonArray, isJsonObject, type JsonValue } from "./value.ts"

const valueOf = (text: string) => {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(parsed.findings[0]!.message)
  return parsed.value
}

const findingsOf = (text: string): readonly SyntaxFinding[] => {
  const parsed = parseJson(text)
  return parsed.ok ? [] : parsed.findings
}

/** Formats each finding as `line:column message`. */
const shown = (text: string) =>
  findingsOf(text).map(({ offset, message }) => {
    const { line, column } = createLineFinder(text)(offset)
    return `${line}:${column} ${message}`
  })

// A number beyond the range of a double rules out the native parser, so our own reads the whole text.
const parsedByOurs = (text: string) => `[12345678901234567890,${text}]`
const marker = Number(12345678901234567890n)

/** Rounds big integers as JSON.parse does. */
const rounded = (value: JsonValue): unknown => {
  if (typeof value === "bigint") return Number(value)
  if (isJsonArray(value)) return value.map(rounded)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]))
}

const nativeValue = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

const jsonPiece = fc.constantFrom(
  ..."{ } [ ] : , \" \\ 0 1 - . e + true null /* // ' \u00a0 NaN".split(" "),
  ...'|\t|\n|\r\n|"a"|"a":|"b":1|\\u00e9|\\ud800|\\x|1e5|-0|01|0.10|é|{}|[]|[1]'.split("|"),
)

describe("parseJson", () => {
  it("returns what JSON.parse returns for every value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(rounded(valueOf(text))).toEqual(JSON.parse(text))
        expect(rounded(valueOf(parsedByOurs(text)))).toEqual([marker, JSON.parse(text)])
      }),
    )
  })

  it("accepts exactly the texts that JSON.parse accepts, except for duplicate keys", () => {
    fc.assert(
      fc.property(fc.array(jsonPiece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("")
        const native = nativeValue(text)
        const ours = parseJson(parsedByOurs(text), { allowDuplicateKeys: true })
        // JSON.parse reads 1e501 as Infinity, which is not a JSON value.
        fc.pre(ours.ok || ours.findings.some(({ code }) => code !== "field-value"))
        const asItem = nativeValue(`[0,${text}]`)
        expect(ours.ok).toBe(asItem !== undefined)
        if (ours.ok && native !== undefined) {
          expect(rounded(ours.value)).toEqual([marker, native.value])
          expect(parseJson(text, { allowDuplicateKeys: true })).toEqual({ ok: true, value: native.value })
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it("parses natively exactly if our own parser finds no duplicate keys", () => {
    const text = fc
      .array(
        fc.tuple(
          fc.constantFrom("a", "b", 'q"', "\\", '\\"', "__proto__", "x:"),
          fc.jsonValue({ maxDepth: 1 }),
        ),
        { maxLength: 5 },
      )
      .map(
        (members) =>
          `{${members.map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`).join(",")}}`,
      )
    fc.assert(
      fc.property(text, (text) => {
        const isUnique = parseJson(parsedByOurs(text)).ok
        expect(parseJson(text).ok).toBe(isUnique)
      }),
    )
  })

  it("returns integers that a double would round as bigint with every digit, and no other number", () => {
    expect(valueOf("[9007199254740991, 9007199254740992, -9223372036854775808, 1.0, 1e3, -0]")).toEqual([
      9007199254740991,
      9007199254740992n,
      -9223372036854775808n,
      1,
      1000,
      -0,
    ])
    expect(valueOf('{"id": 12345678901234567890}')).toEqual({ id: 12345678901234567890n })
    expect(valueOf("0.12345678901234567")).toBe(Number("0.12345678901234567"))
    expect(valueOf('"12345678901234567890"')).toBe("12345678901234567890")
  })

  it("rejects numbers that no double can represent and names their field", () => {
    expect(shown('{"a": {"timeoutMs": 1e400}, "b": [1, -1E+999]}')).toEqual([
      "1:21 a.timeoutMs: the number is too large",
      "1:38 b[1]: the number is too large",
    ])
    expect(shown("9".repeat(400))).toEqual([])
    expect(shown(`${"9".repeat(400)}.5`)).toEqual(["1:1 the number is too large"])
    expect(shown("9".repeat(200_000))).toEqual(["1:1 the number is too large"])
    expect(valueOf("1e-400")).toBe(0)
  })

  it("reports every duplicate key at its second occurrence", () => {
    expect(shown('{"a": 1,\n "b": {"c": 1, "c": 2},\n "a": 2}')).toEqual([
      '2:16 duplicate key "c"',
      '3:2 duplicate key "a"',
    ])
    expect(shown('{"\\u0061": 1, "a": 2}')).toHaveLength(1)
    expect(shown('{"__proto__": 1, "__proto__": 2}')).toHaveLength(1)
    expect(shown('{"a": {"a": {"b": "a"}}, "b": "a"}')).toEqual([])
    expect(parseJson('{"a": 1, "a": 2}', { allowDuplicateKeys: true })).toEqual({ ok: true, value: { a: 2 } })
  })

  it("stops after a hundred findings and reports the hundredth", () => {
    expect(findingsOf(`{${'"a": 1,'.repeat(10_000)} "a": 1}`)).toHaveLength(101)
  })

  it("creates own properties for keys that Object has", () => {
    for (const text of [
      '{"__proto__": {"polluted": true}, "constructor": 1}',
      '{"__proto__": {"polluted": true}, "n": 12345678901234567890}',
    ]) {
      const value = valueOf(text) as Record<string, unknown>
      expect(Object.hasOwn(value, "__proto__")).toBe(true)
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect("polluted" in value).toBe(false)
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it("reads a million nested arrays and a hundred thousand nested objects", () => {
    const depth = 1_000_000
    for (const inner of ["", "12345678901234567890"]) {
      let value: unknown = valueOf("[".repeat(depth) + inner + "]".repeat(depth))
      let levels = 0
      while (Array.isArray(value)) {
        value = value[0]
        levels++
      }
      expect(levels).toBe(depth)
    }
    expect(parseJson('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)).ok).toBe(true)
    expect(shown("[".repeat(depth))).toEqual([
      `1:${depth + 1} expected a JSON value, received the end of the file`,
    ])
  })

  it.each([
    ["", "1:1 the file is empty; expected a JSON value"],
    [" \n ", "2:2 the file is empty; expected a JSON value"],
    ['{"a": 1,}', '1:9 unexpected comma before "}"'],
    ["[1, 2, ]", '1:8 unexpected comma before "]"'],
    ['{"a": 1', '1:8 expected "," or "}", received the end of the file'],
    ['{"a" 1}', '1:6 expected ":" after the key, received "1"'],
    ["{'a': 1}", `1:2 expected a key in double quotes, received "'"`],
    ["{a: 1}", '1:2 expected a key in double quotes, received "a"'],
    ["{\"a\": 'x'}", `1:7 expected a JSON value, received "'"`],
    ['{"a": 1} {"b": 2}', "1:10 unexpected text after the end of the JSON value"],
    ['{"a": 1}\0\0', "1:9 unexpected text after the end of the JSON value"],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 expected "," or "}", received "\\""'],
    ['{\r\n  "a": x\r\n}', '2:8 expected a JSON value, received "x"'],
    ['"abc\n"', "1:1 a string must end on the line where it starts"],
    ['"abc', "1:1 the string is not closed"],
    ['"a\tb"', "1:3 a control character in a string must be escaped"],
    ['"\\x41"', "1:2 unknown escape in a string"],
    ['"\\u12g4"', "1:2 \\u must be followed by four hexadecimal digits"],
    ["01", "1:1 this is not a JSON number"],
    ["1.", "1:1 this is not a JSON number"],
    ["-", "1:1 this is not a JSON number"],
    ["tru", '1:1 expected a JSON value, received "t"'],
    ["trueish", '1:1 expected a JSON value, received "t"'],
    ["\ufeff{}", '1:1 expected a JSON value, received "\ufeff"'],
  ])("reports what is wrong with %j and where", (text, expected) => {
    expect(shown(text)).toEqual([expected])
  })

  it.each([
    ['{"a": 1,}', "remove the comma"],
    ['{"a": 1 "b": 2}', "is a comma missing?"],
    ["{'a': 1}", "put keys in double quotes"],
    ["['a']", "put strings in double quotes"],
    ["[1, // one\n 2]", "JSON does not allow comments"],
    ["{ /* a */ }", "JSON does not allow comments"],
    ["[1 /* a */]", "JSON does not allow comments"],
    ["// a\n{}", "JSON does not allow comments"],
    ["[True]", "JSON has only true, false and null"],
    ["[NaN]", "JSON has only true, false and null"],
    ["{}\0", "the file contains a NUL byte"],
    ['{"a": “b”}', 'replace typographic quotes by straight ones (")'],
    ["{„a“: 1}", 'replace typographic quotes by straight ones (")'],
    ["[«a»]", 'replace typographic quotes by straight ones (")'],
    ["{‘a’: 1}", 'replace typographic quotes by straight ones (")'],
    ["\n<!DOCTYPE html><p>", "the file is a web page: download the file itself, not the page that shows it"],
    ["<HTML><p>", "the file is a web page: download the file itself, not the page that shows it"],
    ["<?xml version='1.0'?>", "the file is XML or HTML"],
    [
      "openapi: 3.0.3\n",
      "the file looks like YAML: only OpenAPI documents can be YAML, with the extension .yaml",
    ],
    ["---\na: 1", "the file looks like YAML: only OpenAPI documents can be YAML, with the extension .yaml"],
    ["PK\u0003\u0004", "the file is a ZIP archive"],
    ["true: 1", undefined],
    ["[a: 1]", undefined],
  ])("gives a hint for %j", (text, hint) => {
    expect(findingsOf(text)[0]?.hint).toBe(hint)
  })

  it("reports the conflict of an unfinished merge at its first marker", () => {
    const text = '{\n<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> other\n}\n'
    expect(findingsOf(text)).toEqual([
      { code: "file-conflict", offset: 2, message: "the file has conflict markers from an unfinished merge" },
    ])
    expect(findingsOf(text.replaceAll("\n", "\r\n"))[0]).toMatchObject({ code: "file-conflict", offset: 3 })
    expect(valueOf('{"a": "<<<<<<< HEAD"}')).toEqual({ a: "<<<<<<< HEAD" })
  })

  it("never quotes more than one character of the text, which may be a secret", () => {
    for (const text of [
      '{"token": S3CRET}',
      '{"token": "S3CRET\n"}',
      '{"token": "S3CRET" "x"}',
      '{"token": S3CRET"}',
    ]) {
      expect(JSON.stringify(findingsOf(text))).not.toContain("S3C")
    }
  })

  it("reads look-alikes of conflict markers in linear time", () => {
    const size = 1_000_000
    const texts = [
      "1".repeat(size),
      `[${"1,".repeat(size / 2)}1]`,
      "[".repeat(size),
      '"'.repeat(size),
      "\\".repeat(size),
    ]
    for (const text of [
      ...texts,
      `"${"\\\\".repeat(size / 2)}"`,
      `[${"1.1".repeat(size / 3)}`,
      `"${" 1".repeat(size / 2)}"`,
    ]) {
      const start = performance.now()
      parseJson(text)
      expect(performance.now() - start).toBeLessThan(2_000)
    }
  })
})

describe("parseNative", () => {
  it("leaves numbers beyond a double's precision to our own parser", () => {
    for (const text of [
      "1234567890123456",
      "[1,-1234567890123456]",
      '{"a":1e100}',
      "1.5E+400",
      `${"1".repeat(20)}.5e3`,
      "[\n1234567890123456\n]",
    ]) {
      expect(parseNative(text, true)).toBeUndefined()
    }
    for (const text of [
      "123456789012345",
      '"1234567890123456"',
      "1e99",
      '"a1e400"',
      '{"id": "9a1e1234-1234567890123456"}',
    ]) {
      expect(parseNative(text, true)).toEqual({ value: JSON.parse(text) })
    }
  })
})
