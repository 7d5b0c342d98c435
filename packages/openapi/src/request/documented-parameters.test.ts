import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { operationOf } from "../testing/document-of.ts"
import { documentedParameters } from "./documented-parameters.ts"

describe("parameters", () => {
  const id = { name: "id", in: "path", required: true }
  const query = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: "query", ...more })

  it("are those of the path and of the operation, by location", async () => {
    const { operation } = await operationOf(
      { parameters: [query("limit", { required: true }), query("page"), { name: "X-Trace", in: "header" }] },
      { item: { parameters: [id] } },
    )
    const at = (place: "query" | "path" | "header" | "cookie") => documentedParameters(operation, place)
    expect(at("query").names).toEqual(["limit", "page"])
    expect(at("path").names).toEqual(["id"])
    expect(["limit", "lmit", "Limit"].map(at("query").allows)).toEqual([
      "documented",
      "undocumented",
      "undocumented",
    ])
    expect(["x-trace", "Accept", "x-tracer"].map(at("header").allows)).toEqual([
      "documented",
      "documented",
      "undocumented",
    ])
    expect(at("cookie").allows("sid")).toBe("undocumented")
  })

  it("include those that carry credentials", async () => {
    const { operation } = await operationOf(
      { security: [{ key: [] }] },
      { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } } },
    )
    expect(documentedParameters(operation, "query").allows("api_key")).toBe("documented")
    expect(documentedParameters(operation, "header").allows("api_key")).toBe("undocumented")
  })

  it.each<readonly [string, JsonObject, string]>([
    ["an exploded object", query("filter", { schema: { type: "object" } }), "color"],
    ["an empty schema", query("filter", { schema: {} }), "color"],
    ["an unresolvable reference", { $ref: "#/components/parameters/Lost" }, "color"],
    ["the query as a whole", { name: "all", in: "querystring" }, "color"],
    ["a deep object", query("filter", { style: "deepObject", schema: { type: "object" } }), "filter[color]"],
    ["a list in brackets", query("ids", { schema: { type: "array" } }), "ids[]"],
  ])("allow undocumented names because of %s", async (_, parameter, name) => {
    const { operation } = await operationOf({ parameters: [parameter] })
    const query = documentedParameters(operation, "query")
    expect(query.allows(name)).toBe("perhaps")
  })

  it("are not opened by an object that is written as one parameter", async () => {
    const parameter = query("filter", { explode: false, schema: { type: "object" } })
    const { operation } = await operationOf({
      parameters: [parameter, query("list", { schema: { type: "array" } })],
    })
    expect(documentedParameters(operation, "query").allows("color")).toBe("undocumented")
  })
})
