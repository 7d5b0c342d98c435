import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyValueFileShape, environmentSchemaShape } from "../environment/shapes.ts"
import { savedRequestShape } from "../request/check-saved-request.ts"
import type { Shape } from "../shape/shape.ts"
import { workflowShape } from "../workflow/workflow-shape.ts"
import { setJsonAt } from "./edit-json.ts"
import type { JsonPointer } from "./pointer.ts"
import type { JsonValue } from "./value.ts"

const set = (text: string, pointer: JsonPointer, value: JsonValue, shape: Shape = workflowShape): string => {
  const edited = setJsonAt(text, pointer, value, shape)
  if (!edited.ok) throw new Error("the text does not parse")
  return edited.text
}

/** The keys of the object at a pointer, in text order. */
const keysAt = (text: string, pointer: JsonPointer): readonly string[] =>
  Object.keys(pointer.reduce((here, step) => here[step], JSON.parse(text)))

describe("a new key", () => {
  it("goes on its own line before the keys that follow it in the format", () => {
    const text = '{\r\n\t"version" : 1,\r\n\t"inputs": {}\r\n}'
    expect(set(text, ["blocks"], [])).toBe('{\r\n\t"version" : 1,\r\n\t"blocks": [],\r\n\t"inputs": {}\r\n}')
  })

  it.each([
    [{ id: "a", type: "condition", then: [] }, "script", ["id", "type", "script", "then"]],
    [{ id: "a", type: "condition", else: [] }, "then", ["id", "type", "then", "else"]],
    [
      { id: "a", type: "loop", mode: "times", blocks: [] },
      "count",
      ["id", "type", "mode", "count", "blocks"],
    ],
    [{ type: "group", blocks: [] }, "id", ["id", "type", "blocks"]],
    [{ blocks: [], type: "group" }, "description", ["description", "blocks", "type"]],
    [{ id: "a", type: "script", "x-note": 1 }, "script", ["id", "type", "x-note", "script"]],
  ])("goes where the kind of block %j expects it: %s", (block, key, keys) => {
    const text = JSON.stringify({ version: 1, blocks: [{ id: "g", type: "group", blocks: [block] }] })
    const at = ["blocks", 0, "blocks", 0]
    expect(keysAt(set(text, [...at, key], null), at)).toEqual(keys)
  })

  it("goes last in a block of unknown kind, and if the format doesn't know the key", () => {
    const text = '{"blocks": [{"type": "wait", "then": []}, {"type": 1, "then": []}], "inputs": {}}'
    expect(keysAt(set(text, ["blocks", 0, "id"], "a"), ["blocks", 0])).toEqual(["type", "then", "id"])
    expect(keysAt(set(text, ["blocks", 1, "id"], "a"), ["blocks", 1])).toEqual(["type", "then", "id"])
    expect(keysAt(set(text, ["other"], 1), [])).toEqual(["blocks", "inputs", "other"])
  })

  it("goes to its position in nested objects: params, inputs, a default", () => {
    const block = { id: "a", type: "request", request: { api: "x", overrides: { params: { cookie: {} } } } }
    const text = JSON.stringify({ version: 1, blocks: [block], inputs: { n: { description: "" } } })
    const request = ["blocks", 0, "request"]
    expect(keysAt(set(text, [...request, "operation"], "o"), request)).toEqual([
      "api",
      "operation",
      "overrides",
    ])
    const params = [...request, "overrides", "params"]
    expect(keysAt(set(text, [...params, "query", "b"], "1"), params)).toEqual(["query", "cookie"])
    expect(keysAt(set(text, ["inputs", "n", "type"], "string"), ["inputs", "n"])).toEqual([
      "type",
      "description",
    ])
    // Names keep the user's order.
    expect(keysAt(set(text, ["inputs", "a", "type"], "string"), ["inputs"])).toEqual(["n", "a"])
  })

  it("follows the key order of its own file format, with variables after the known keys", () => {
    const saved = '{"version": 1, "operation": "x", "timeoutMs": 5}'
    expect(keysAt(set(saved, ["body"], {}, savedRequestShape), [])).toEqual([
      "version",
      "operation",
      "body",
      "timeoutMs",
    ])
    const schema = '{"version": 1, "variables": {"a": {"type": "string", "required": true, "default": "x"}}}'
    const at = ["variables", "a", "description"]
    expect(keysAt(set(schema, at, "d", environmentSchemaShape), at.slice(0, 2))).toEqual([
      "type",
      "required",
      "description",
      "default",
    ])
    const values = '{"baseUrl": "x", "tls": {}}'
    expect(keysAt(set(values, ["level"], "local", anyValueFileShape), [])).toEqual([
      "level",
      "baseUrl",
      "tls",
    ])
    expect(keysAt(set(values, ["port"], 1, anyValueFileShape), [])).toEqual(["baseUrl", "tls", "port"])
  })

  it("changes no byte around it and keeps the order of the others", () => {
    const keys = ["$schema", "version", "blocks", "onFailure", "validateContracts", "inputs", "x", "y"]
    const order = fc.shuffledSubarray(keys)
    const layout = fc.constantFrom(
      ["{", ",", "}"],
      ["{ ", " ,  ", " }"],
      ["{\n  ", ",\n  ", "\n}\n"],
      ["{\r\n\t", "\r\n\t, ", "\r\n}"],
    )
    fc.assert(
      fc.property(
        order,
        fc.constantFrom(...keys),
        layout,
        (there, key, [open = "", comma = "", close = ""]) => {
          fc.pre(!there.includes(key))
          const members = there.map((name, at) => `"${name}":${" ".repeat(at % 3)}${at}`)
          const text = open + members.join(comma) + close
          const after = set(text, [key], "new")
          const kept = keysAt(after, []).filter((name) => name !== key)
          expect(kept).toEqual(there)
          for (const member of members) expect(after).toContain(member)
          // The insertion is one contiguous range: the text around it is unchanged.
          let start = 0
          while (start < text.length && text[start] === after[start]) start++
          let end = 0
          while (end < text.length - start && text.at(-1 - end) === after.at(-1 - end)) end++
          if (there.length > 0) expect(start + end).toBe(text.length)
          const later = keys.slice(keys.indexOf(key) + 1, 6)
          const isKnown = keys.indexOf(key) < 6
          const next = there.findIndex((name) => isKnown && later.includes(name))
          expect(keysAt(after, []).indexOf(key)).toBe(next === -1 ? there.length : next)
        },
      ),
      { numRuns: 500, seed: 20_261_122 },
    )
  })
})
