import { describe, expect, it } from "vitest"
import { renameJsonKey } from "./edit-json.ts"

describe("renameJsonKey", () => {
  it.each<[string, readonly (string | number)[], string, string]>([
    ['{ "a" : 1, "b": 2 }', ["a"], "c", '{ "c" : 1, "b": 2 }'],
    ['\ufeff{\r\n\t"v": {"a":{"a":1}}\r\n}', ["v", "a"], "c", '\ufeff{\r\n\t"v": {"c":{"a":1}}\r\n}'],
    ['{"\\u0061": 1}', ["a"], "b", '{"b": 1}'],
    ['{"__proto__": 1}', ["__proto__"], "b", '{"b": 1}'],
    ['{"a": 1}', ["x"], "b", '{"a": 1}'],
    ['{"a": [1]}', ["a", "0"], "b", '{"a": [1]}'],
    ['[ {"a": [{"b" : 1}]} ]', [0, "a", 0, "b"], "c", '[ {"a": [{"c" : 1}]} ]'],
    ["{}", ["constructor"], "b", "{}"],
  ])("in %j renames the key %j to %j and keeps its position", (text, path, to, expected) => {
    expect(renameJsonKey(text, path, to)).toEqual({ ok: true, text: expected })
  })

  it("leaves a text that doesn't parse unchanged, and never creates a duplicate key", () => {
    expect(renameJsonKey('{"a": }', ["a"], "b")).toMatchObject({ ok: false })
    expect(() => renameJsonKey('{"a": 1, "b": 2}', ["a"], "b")).toThrow("already")
  })
})
