import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deleteJsonAt, setJsonAt, type EditedJson } from "./edit-json.ts"
import type { JsonValue } from "./value.ts"

const editedText = (edited: EditedJson): string => {
  if (!edited.ok) throw new Error(edited.findings[0]?.message)
  return edited.text
}
const set = (text: string, key: string, value: JsonValue) => editedText(setJsonAt(text, [key], value))
const reread = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const remove = (text: string, key: string) => editedText(deleteJsonAt(text, [key]))

describe("setJsonAt", () => {
  it("keeps tabs, CRLF, a byte order mark and a missing final newline", () => {
    const text = '\ufeff{\r\n\t"a": 1\r\n}'
    expect(set(text, "b", { c: [1] })).toBe(
      '\ufeff{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}',
    )
  })

  it("keeps a one-line file on one line, in its own style", () => {
    expect(set('{"a":1,"b":2}', "c", { d: [1, 2] })).toBe('{"a":1,"b":2,"c":{"d":[1,2]}}')
    expect(set('{ "a": 1 }\n', "b", [1, 2])).toBe('{ "a": 1, "b": [1, 2] }\n')
    expect(set('{"a": 1}', "b", 2)).toBe('{"a": 1, "b": 2}')
  })

  it("expands an empty object", () => {
    expect(set("{}\n", "a", 1)).toBe('{\n  "a": 1\n}\n')
    expect(set("{\r\n}\r\n", "a", 1)).toBe('{\r\n  "a": 1\r\n}\r\n')
    expect(editedText(setJsonAt('{\n    "t": {}\n}', ["t", "v"], false))).toBe(
      '{\n    "t": {\n        "v": false\n    }\n}',
    )
  })

  it("sets a nested key and creates missing containers", () => {
    expect(editedText(setJsonAt('{\n  "t": { "v": true, "w":1 }\n}', ["t", "v"], false))).toBe(
      '{\n  "t": { "v": false, "w":1 }\n}',
    )
    expect(editedText(setJsonAt('{\n  "a": 1\n}', ["t", "v"], false))).toBe(
      '{\n  "a": 1,\n  "t": {\n    "v": false\n  }\n}',
    )
  })

  it("leaves the text unchanged if the value is already there", () => {
    const text = '{"a":1.0,\n"b":"\\u0041"}'
    expect(set(text, "a", 1)).toBe(text)
    expect(set(text, "b", "A")).toBe(text)
  })

  it("keeps every digit of big integers, and writes strings that need escapes", () => {
    expect(set('{"a":0}', "a", 12345678901234567890n)).toBe('{"a":12345678901234567890}')
    const awkward = '\u2028</script>"\\\ud800\0'
    expect(JSON.parse(set('{\n  "a": 0\n}', "a", awkward))).toEqual({ a: awkward })
  })

  it("throws for a number that JSON cannot write", () => {
    expect(() => set("{}", "a", Infinity)).toThrow("cannot be written as JSON")
  })

  it("treats __proto__ and constructor like any other key", () => {
    const text = set(set("{}", "__proto__", 1), "constructor", 2)
    expect(text).toBe('{\n  "__proto__": 1,\n  "constructor": 2\n}')
    expect(remove(text, "__proto__")).toBe('{\n  "constructor": 2\n}')
  })

  it.each(['{"a":1,}', '{"a":1,"a":2}', "", "// {}\n{}", "<<<<<<< HEAD\n{}", '{"a":1}}'])(
    "rejects a text that does not parse: %j",
    (text) => {
      expect(setJsonAt(text, ["a"], 1).ok).toBe(false)
      expect(deleteJsonAt(text, ["a"]).ok).toBe(false)
    },
  )

  it("throws if the object for the key does not exist", () => {
    expect(() => setJsonAt("[1]", ["a"], 1)).toThrow("no object")
    expect(() => setJsonAt('{"a":"text"}', ["a", "b"], 1)).toThrow("no object")
  })

  it("edits a megabyte, and skips deep nesting, quickly", () => {
    const deep = `{"deep":${"[".repeat(50_000)}${"]".repeat(50_000)},"a":1}`
    expect(set(deep, "a", 2)).toBe(deep.replace('"a":1', '"a":2'))
    const long = "x".repeat(1_000_000)
    expect(set('{"a":1}', "a", long)).toBe(`{"a":"${long}"}`)
  })
})

describe("deleteJsonAt", () => {
  const text = '{\n  "a": 1,\n  "b": { "x": "}" },\n  "c": 3\n}\n'

  it("leaves an empty object after the last key", () => {
    expect(remove('{\n  "a": 1\n}\n', "a")).toBe("{}\n")
    expect(editedText(deleteJsonAt('{"t":{ "v" : 1 },"u":1}', ["t", "v"]))).toBe('{"t":{},"u":1}')
  })

  it("changes nothing if the key doesn't exist", () => {
    expect(remove(text, "d")).toBe(text)
    expect(editedText(deleteJsonAt(text, ["d", "e"]))).toBe(text)
  })
})

describe("any sequence of edits", () => {
  const keys = fc.constantFrom("a", "b", "", "__proto__", 'q"', "ü")
  const values = fc.jsonValue({ maxDepth: 2, noUnicodeString: false })
  const edits = fc.array(
    fc.oneof(
      fc.record({ key: keys, value: values }),
      fc.record({ key: keys, value: fc.constant(undefined) }),
    ),
    { maxLength: 8 },
  )
  it.each([2, 4, "\t"])("gives what JSON.stringify with indent %j gives", (indent) => {
    fc.assert(
      fc.property(fc.dictionary(keys, values, { minKeys: 1 }), edits, (start, changes) => {
        const expected = Object.entries(reread(start) as Record<string, unknown>)
        let text = JSON.stringify(start, null, indent)
        for (const { key, value } of changes) {
          // If a file loses its last key, the next one is indented by two spaces.
          const at = expected.findIndex(([name]) => name === key)
          if (value === undefined && expected.length === 1 && at === 0) continue
          text =
            value === undefined
              ? editedText(deleteJsonAt(text, [key]))
              : editedText(setJsonAt(text, [key], value as JsonValue))
          if (value === undefined) expected.splice(at, at === -1 ? 0 : 1)
          else expected.splice(at === -1 ? expected.length : at, 1, [key, reread(value)])
        }
        expect(text).toBe(JSON.stringify(Object.fromEntries(expected), null, indent))
      }),
      { numRuns: 200 },
    )
  })
})
