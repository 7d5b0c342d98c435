import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { readInput, readJson } from "./read-input.ts"

const order = (fields: object): unknown => ({ workflow: "w", environments: {}, inputs: {}, ...fields })
const read = (fields: object) => readInput("runs.start", order(fields) as JsonValue)

/** An object literal would set the prototype instead of an own key. */
const proto = (value: string): unknown => JSON.parse(`{"__proto__":${value}}`)

it("keeps all digits of big integers in a body", () => {
  expect(readJson(new TextEncoder().encode('{"id":12345678901234567890}'))).toEqual({
    id: 12345678901234567890n,
  })
})

describe("the input of a run", () => {
  it("may be what the format allows", () => {
    const whole = {
      environments: { shop: "local", "shop-2": "a.b" },
      inputs: { text: "{{é}}", count: 1.5, yes: true },
      confirmation: "x",
    }
    expect(read(whole)).toEqual(order(whole))
    expect(read({})).not.toHaveProperty("confirmation")
  })

  it("keeps an input with any allowed name as an own property", () => {
    const { inputs } = read({ inputs: proto('"x"') })
    expect([Object.keys(inputs), Object.getPrototypeOf(inputs)]).toEqual([["__proto__"], Object.prototype])
  })

  const wrong: readonly (readonly [string, object, string])[] = [
    ["no API", { environments: { Shop: "local" } }, "api-name"],
    ["a prototype as an API", { environments: proto('"local"') }, "api-name"],
    ["no environment", { environments: { shop: "../local" } }, "env-name"],
    ["an environment that is not text", { environments: { shop: {} } }, "field-type"],
    ["a list", { environments: [] }, "field-type"],
    ["nothing", { environments: null }, "field-type"],
    ["no input", { inputs: { "a.s3cret": 1 } }, "input-unknown"],
    ["an object as value", { inputs: { a: { s3cret: 1 } } }, "field-type"],
    ["a list as value", { inputs: { a: ["s3cret"] } }, "field-type"],
    ["null as value", { inputs: { a: null } }, "field-type"],
    ["a lone surrogate", { inputs: { a: "s3cret\ud800" } }, "field-value"],
    ["a confirmation that is not text", { confirmation: true }, "field-type"],
    [
      "too many members",
      { inputs: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`a${at}`, 1])) },
      "field-value",
    ],
    ["an unknown field", { yes: true }, "field-unknown"],
  ]

  it.each(wrong)("is rejected with %s, which is not repeated", (_, fields, code) => {
    const refusal = (): unknown => {
      try {
        return read(fields)
      } catch (error) {
        return error
      }
    }
    expect(refusal()).toMatchObject({ code, message: expect.not.stringContaining("s3cret") as string })
  })

  it.each(["", "../x", "20261122T000000000Z-0123456789ABCDEF", "20261122T000000000Z-0123456789abcdef/.."])(
    "is rejected if the name of a run is %j",
    (run) => {
      expect(() => readInput("runs.read", { run })).toThrow("no run can have this name")
    },
  )
})

describe("a file", () => {
  const save = (fields: object) =>
    readInput("files.save", { file: { kind: "workflow", workflow: "w" }, etag: null, text: "", ...fields })
  const script = (name: string): object => ({ file: { kind: "script", workflow: "w", script: name } })

  it("is named by the parts of its kind", () => {
    const file = { kind: "script", workflow: "w", script: "checks/é and ü" }
    expect(save({ file, etag: "0".repeat(64) })).toEqual({ file, etag: "0".repeat(64), text: "" })
  })

  const wrong: readonly (readonly [string, object, string])[] = [
    ["a path", { file: "apis/workflow/w.json" }, "field-type"],
    ["of an unknown kind", { file: { workflow: "w" } }, "field-value"],
    ["of a kind named like an Object property", { file: { kind: "constructor" } }, "field-value"],
    ["with one part too many", { file: { kind: "workflow", workflow: "w", script: "a" } }, "field-unknown"],
    ["with a part of another kind", { file: { kind: "workflow", api: "w" } }, "field-missing"],
    ["with a part that is not text", { file: { kind: "workflow", workflow: ["w"] } }, "field-type"],
    ["nothing", { file: null }, "field-type"],
    ["with only types", script("a.d"), "script-name"],
    ["in a directory that is never read", script("node_modules/a"), "script-name"],
    ["that is hidden", script("lib/.a"), "script-name"],
    ["without a name", script("lib//a"), "script-name"],
    ["in too many directories", script("a/".repeat(16) + "a"), "script-name"],
    ["with a name that is too long", script("é".repeat(126)), "script-name"],
    ["with an invalid etag", { etag: "x" }, "field-value"],
    ["with an etag of another type", { etag: 0 }, "field-type"],
  ]

  it.each(wrong)("is rejected: %s", (_, fields, code) => {
    expect(() => save(fields)).toThrow(expect.objectContaining({ code }))
  })

  it("can't be changed without stating its last seen revision", () => {
    const without = { file: { kind: "workflow", workflow: "w" }, text: "" }
    expect(() => readInput("files.save", without)).toThrow(
      expect.objectContaining({ status: 428, code: "etag-missing" }),
    )
  })
})
