import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { createContractChecker } from "../create-contract-checker.ts"
import { findOperation, listOperations } from "../document/operations.ts"
import { parametersOf } from "../document/parameters.ts"
import { readDocument } from "../document/read-document.ts"
import { responseTypes } from "../response/response-types.ts"
import { type Files, problemsIn, readerOf } from "../testing/problems-in.ts"

const order = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] }
const media = { "application/json": { schema: order } }
const responses = { 200: { description: "d", content: media } }
const get = { operationId: "x", responses }

interface Case {
  readonly paths: JsonObject
  readonly at: string
  readonly field: string
  readonly file: unknown
}

/** Each has a reference to part.json in another place where the standard allows none. */
const cases: readonly Case[] = [
  { field: "paths", at: "/paths", paths: { $ref: "part.json" }, file: { "/x": { get } } },
  { field: "get", at: "/paths/~1x/get", paths: { "/x": { get: { $ref: "part.json" } } }, file: get },
  {
    field: "responses",
    at: "/paths/~1x/get/responses",
    paths: { "/x": { get: { ...get, responses: { $ref: "part.json" } } } },
    file: responses,
  },
  {
    field: "content",
    at: "/paths/~1x/get/responses/200/content",
    paths: {
      "/x": { get: { ...get, responses: { 200: { description: "d", content: { $ref: "part.json" } } } } },
    },
    file: media,
  },
  {
    field: "properties",
    at: "/paths/~1x/get/responses/200/content/application~1json/schema/properties",
    paths: schemaAt({ ...order, properties: { $ref: "part.json" } }),
    file: order.properties,
  },
  {
    field: "allOf",
    at: "/paths/~1x/get/responses/200/content/application~1json/schema/allOf",
    paths: schemaAt({ allOf: { $ref: "part.json" } }),
    file: [order],
  },
  {
    field: "oneOf",
    at: "/paths/~1x/get/responses/200/content/application~1json/schema/oneOf",
    paths: schemaAt({ oneOf: { $ref: "part.json" } }),
    file: [order],
  },
]

function schemaAt(schema: JsonObject): JsonObject {
  return {
    "/x": {
      get: { ...get, responses: { 200: { description: "d", content: { "application/json": { schema } } } } },
    },
  }
}

const read = async (version: string, paths: JsonObject, files: Files) => {
  const text = JSON.stringify({ openapi: version, info: { title: "t", version: "1" }, paths }, undefined, 1)
  const source = { file: "apis/shop/openapi.json", text }
  const { document } = await readDocument(source, { readFile: readerOf(files) })
  if (document === undefined) throw new Error("the document can't be read")
  return { document, text }
}

describe.each(["3.0.3", "3.1.0"])("a reference in a place where the standard %s allows none", (version) => {
  it.each(cases)("is followed and named in place of $field", async ({ paths, at, field, file }) => {
    const files = { "apis/shop/part.json": JSON.stringify(file) }
    const { document, text } = await read(version, paths, files)
    const found = findOperation(document, { operation: "x" })
    if (found.status !== "found") throw new Error(found.message)
    const { operation } = found
    const check = (body: JsonObject) =>
      createContractChecker(document).check({
        operation,
        method: "GET",
        status: 200,
        headers: { "content-type": "application/json" },
        isWellFormed: true,
        body,
      })
    expect(await check({ id: 1 })).toMatchObject({ status: "passed" })
    expect(await check({ id: "one" })).toMatchObject({ status: "failed" })
    expect(JSON.stringify(responseTypes(operation)).length).toBeGreaterThan(10)
    expect(await problemsIn(text, files, "apis/shop/openapi.json")).toEqual([
      expect.stringContaining(
        `#${at}/$ref: OpenAPI ${version.slice(0, 3)} allows no "$ref" in place of "${field}"`,
      ),
    ])
  })

  it("is followed in place of the list of parameters", async () => {
    const paths = { "/x": { get: { ...get, parameters: { $ref: "part.json" } } } }
    const files = { "apis/shop/part.json": `[{"name": "a", "in": "query", "schema": {"type": "Str"}}]` }
    const { document, text } = await read(version, paths, files)
    expect(listOperations(document).flatMap((one) => parametersOf(one))).toMatchObject([
      { name: "a", in: "query" },
    ])
    const said = await problemsIn(text, files, "apis/shop/openapi.json")
    expect(said).toHaveLength(2)
    expect(said.join("\n")).toContain(`in place of "parameters"`)
    expect(said.join("\n")).toContain("apis/shop/part.json:1:50")
  })

  it.each<readonly [where: string, components: JsonObject, file: unknown]>([
    ["components", { $ref: "part.json" }, { schemas: { Order: order } }],
    ["schemas", { schemas: { $ref: "part.json" } }, { Order: order }],
    ["schemas", { schemas: { $ref: "part.json#/all" } }, { all: { Order: { $ref: "#/one" } }, one: order }],
  ])("is followed in place of %s, which other references pass", async (where, components, file) => {
    const files = { "apis/shop/part.json": JSON.stringify(file) }
    const paths = schemaAt({ $ref: "#/components/schemas/Order" })
    const text = JSON.stringify({ openapi: version, paths, components })
    const said = await problemsIn(text, files, "apis/shop/openapi.json")
    expect(said).toEqual([expect.stringContaining(`allows no "$ref" in place of "${where}"`)])
  })

  it("never ends in a circle without an answer", async () => {
    const components = { schemas: { A: { $ref: "#/components/schemas/A/b" } } }
    const text = JSON.stringify({ openapi: version, paths: {}, components })
    expect(await problemsIn(text)).toEqual([expect.stringContaining("does not resolve")])
  })

  it("is named if nothing follows it", async () => {
    const named = [
      [{ "/x": { get: { ...get, tags: { $ref: "part.json" } } } }, "tags"],
      [{ "/x": { get: { ...get, security: { $ref: "part.json" } } } }, "security"],
      [schemaAt({ required: { $ref: "part.json" } }), "required"],
      [schemaAt({ enum: { $ref: "part.json" } }), "enum"],
      [schemaAt({ type: { $ref: "part.json" } }), "type"],
    ] as const
    for (const [paths, field] of named) {
      const { text } = await read(version, paths, {})
      expect(await problemsIn(text, {}, "a.json"), field).toEqual([
        expect.stringContaining(`allows no "$ref" in place of "${field}", and callsheet doesn't follow it`),
      ])
    }
  })

  it("is an error if it doesn't resolve, and the operation's name leads to it", async () => {
    const { document, text } = await read(version, { $ref: "gone.json" }, {})
    const [said, ...others] = await problemsIn(text, {}, "apis/shop/openapi.json")
    expect(said).toContain(`#/paths/$ref: the reference "gone.json" does not resolve`)
    expect(others).toEqual([])
    expect(findOperation(document, { operation: "x" })).toMatchObject({
      status: "unknown",
      hint: expect.stringContaining(`in place of "paths"`) as string,
    })
  })

  it.each<readonly [paths: JsonObject, content: string, message: string]>([
    [
      { "/x": { get: { ...get, parameters: [{ $ref: "part.yaml" }] } } },
      "- name: a\n  in: query\n",
      "a list",
    ],
    [{ "/x": { $ref: "part.yaml" } }, "", "nothing"],
    [{ "/x": { get: { ...get, responses: { 200: { $ref: "part.yaml" } } } } }, "ok", "a string"],
    [{ $ref: "part.yaml" }, "- a\n", "a list"],
    [schemaAt({ properties: { a: { $ref: "part.yaml" } } }), "5", "a number"],
  ])("to a value of another kind is named: %j", async (paths, content, message) => {
    const files = { "apis/shop/part.yaml": content }
    const { text } = await read(version, paths, files)
    const said = await problemsIn(text, files, "apis/shop/openapi.json")
    expect(said).toEqual([expect.stringContaining(`the reference "part.yaml" leads to ${message}`)])
  })

  it("is not a property with the name $ref", async () => {
    const { text } = await read(version, schemaAt({ properties: { $ref: { type: "string" } } }), {})
    expect(await problemsIn(text)).toEqual([])
  })
})
