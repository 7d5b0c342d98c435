import { expect, it, describe } from "vitest"
import { stringifyJson, type JsonObject, type JsonValue } from "@callsheet/format"
import { describeVersions, operationOf, type Version } from "../testing/document-of.ts"
import { judgeAnswer } from "./judge-answer.ts"
import { listProbes } from "./list-probes.ts"
import type { ProbedRequest } from "./probe-case.ts"

interface Asked {
  readonly version?: Version
  readonly body: JsonValue
}

/** Returns the probes of a body as `parameter rule value`, the invalid ones with a `!`. */
async function probesOf(schema: JsonObject, { version = "3.1", body }: Asked): Promise<readonly string[]> {
  const content = { "application/json": { schema } }
  const own = { requestBody: { required: true, content }, responses: {} }
  const { operation } = await operationOf(own, { version, method: "post" })
  return shown(listProbes(operation, { body }))
}

const shown = ({ probes }: ReturnType<typeof listProbes>): readonly string[] =>
  probes.map(({ parameter, rule, value, isValid }) => {
    const text = typeof value === "string" ? value : stringifyJson(value)
    return `${isValid ? "" : "!"}${parameter} ${rule} ${text}`
  })

describeVersions("the probes of a body", (version) => {
  it("are at the limits of each field and beyond them", async () => {
    const schema = {
      type: "object",
      required: ["name"],
      properties: {
        id: { type: "string", readOnly: true },
        name: { type: "string", minLength: 2, maxLength: 4 },
        size: { type: "integer", minimum: 1, maximum: 9 },
      },
    }
    const probes = await probesOf(schema, { version, body: { name: "123" } })
    expect(probes.slice(0, 9)).toEqual([
      "!body.name required null",
      "!body.name maxLength 123xx",
      "body.name maxLength 123x",
      "!body.name minLength 1",
      "body.name minLength 12",
      "!body.name type 12345",
      "!body.name type {}",
      "!body.name null null",
      "!body.size minimum 0",
    ])
    expect(probes.slice(9)).toEqual([
      "body.size minimum 1",
      "!body.size maximum 10",
      "body.size maximum 9",
      "!body.size type 1.5",
      "!body.size type callsheet",
      "!body.size type {}",
      "!body.size null null",
      "!body required null",
      "!body syntax {",
      "!header.Content-Type mediaType application/x-callsheet-probe",
    ])
  })
})

describe("the probes of a body", () => {
  const only = async (schema: JsonObject, value: JsonValue, version: Version = "3.1") => {
    const probes = await probesOf(
      { type: "object", properties: { a: schema } },
      { version, body: { a: value } },
    )
    return probes
      .filter((probe) => /^!?body\.a/.test(probe))
      .map((probe) => probe.replace("body.a", "").trim())
  }

  it.each<[string, JsonObject, JsonValue, readonly string[]]>([
    ["an enumeration", { enum: ["x", "y"] }, "x", ["! enum x-callsheet", "enum x", "enum y"]],
    ["a constant", { const: 3 }, 3, ["! const 4", "const 3"]],
    ["a multiple", { type: "number", multipleOf: 0.5 }, 1, ["! multipleOf 0.25"]],
    [
      "an exclusive limit",
      { type: "number", exclusiveMinimum: 0 },
      1,
      ["! exclusiveMinimum 0", "exclusiveMinimum 1"],
    ],
    ["a pattern", { type: "string", pattern: "^[a-z]{3}$" }, "abc", ["! pattern"]],
    ["a format", { type: "string", format: "email" }, "a@b.example", ["! format not valid"]],
    ["32 bits", { type: "integer", format: "int32" }, 1, ["number 2147483647", "! format 2147483648"]],
    [
      "a list",
      { type: "array", maxItems: 2, items: { type: "string" } },
      ["x"],
      ['! maxItems ["x","x","x"]', 'maxItems ["x","x"]'],
    ],
    [
      "unique items",
      { type: "array", uniqueItems: true, items: { type: "string" } },
      ["x"],
      ['! uniqueItems ["x","x"]'],
    ],
    [
      "an object that is closed",
      { type: "object", additionalProperties: false },
      {},
      ["!.callsheetProbe additionalProperties callsheet"],
    ],
    [
      "an item",
      { type: "array", items: { type: "integer", minimum: 1 } },
      [1],
      ["!.0 minimum 0", ".0 minimum 1"],
    ],
  ])("contain those of %s", async (_, schema, value, expected) => {
    expect(await only(schema, value)).toEqual(expect.arrayContaining([...expected]))
  })

  it("know that null is allowed", async () => {
    expect(await only({ type: "string", nullable: true }, "x", "3.0")).not.toContain("! null null")
    expect(await only({ type: ["string", "null"] }, "x")).not.toContain("! null null")
  })

  it("judge a value within the branch that the body takes", async () => {
    const number = { type: "object", required: ["n"], properties: { n: { type: "integer", maximum: 5 } } }
    const text = { type: "object", required: ["s"], properties: { s: { type: "string" } } }
    const probes = await probesOf({ oneOf: [number, text] }, { body: { n: 2 } })
    expect(probes).toContain("!body.n maximum 6")
  })

  it("keep placeholders of the valid request, and never make any", async () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "string", format: "uuid" },
        b: { enum: ["{{env.t.key}}"] },
        c: { type: "integer" },
      },
    }
    const content = { "application/json": { schema } }
    const { operation } = await operationOf(
      { requestBody: { content }, responses: {} },
      { version: "3.1", method: "post" },
    )
    const { probes } = listProbes(operation, { body: { a: "{{$uuid}}", c: 1 } })
    const changed = probes
      .filter(({ parameter }) => parameter === "body.c")
      .map(({ request }) => request.body)
    expect(changed).toContainEqual({ a: "{{$uuid}}", c: 0.5 })
    expect(JSON.stringify(probes)).not.toContain("env.t.key")
  })
})

describe("the probes of parameters", () => {
  const base: ProbedRequest = { params: { path: { id: "7" }, query: { day: "2027-01-31" } } }
  const parameters = [
    { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } },
    { name: "day", in: "query", required: true, schema: { type: "string", format: "date" } },
    { name: "key", in: "header", schema: { type: "string", enum: ["a"] } },
  ]
  const list = async (method: string) => {
    const { operation } = await operationOf(
      { parameters, responses: {} },
      { version: "3.1", path: "/a/{id}", method },
    )
    return shown(listProbes(operation, base))
  }

  it("are texts, and add those that the request doesn't have", async () => {
    expect(await list("get")).toEqual([
      "!path.id minimum 0",
      "path.id minimum 1",
      "!path.id type 1.5",
      "path.id number 2147483648",
      "!path.id type callsheet",
      "!query.day format not valid",
      "!query.day required null",
      "!header.key enum a-callsheet",
      "header.key enum a",
    ])
  })

  it("never change somebody's item", async () => {
    expect(await list("delete")).not.toContain("path.id minimum 1")
    expect(await list("delete")).toContain("!path.id minimum 0")
  })
})

describe("an answer", () => {
  it.each([
    [true, 201, undefined],
    [false, 201, "accepted-invalid"],
    [undefined, 201, undefined],
    [false, 400, undefined],
    [true, 418, "undocumented-status"],
    [true, 404, "undocumented-status"],
    [false, 404, undefined],
    [true, 401, undefined],
    [false, 429, undefined],
    [true, 503, "server-error"],
    [false, null, "server-error"],
  ])("to a request whose validity is %s with %s is %s", async (isValid, status, kind) => {
    const answers = { 201: { description: "ok" }, 400: { description: "bad" } }
    const { operation } = await operationOf({ responses: answers }, { version: "3.1", method: "post" })
    expect(judgeAnswer({ operation, isValid, status })).toBe(kind)
  })
})
