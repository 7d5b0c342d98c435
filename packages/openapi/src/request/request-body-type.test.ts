import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { operationOf } from "../testing/document-of.ts"
import { said } from "../testing/type-of.ts"
import { requestBodyType } from "./request-body-type.ts"

const order = {
  type: "object",
  required: ["sku"],
  properties: { sku: { type: "string" }, count: { type: "integer" } },
}

const contentOf = (...types: readonly (readonly [mediaType: string, schema: JsonValue])[]): JsonObject => ({
  content: Object.fromEntries(types.map(([type, schema]) => [type, { schema }])),
})

describe("bodies of requests", () => {
  const bodyOf = async (requestBody: JsonObject, mediaType?: string) => {
    const { operation } = await operationOf({ requestBody }, { version: "3.1" })
    return requestBodyType(operation, mediaType)
  }

  it("have the media type that is sent", async () => {
    const content = contentOf(
      ["multipart/form-data", { properties: { file: {} } }],
      ["application/json", order],
    )
    const body = await bodyOf({ required: true, ...content })
    expect([body?.required, body?.mediaType, body?.type.required()]).toEqual([
      true,
      "application/json",
      ["sku"],
    ])
    const form = await bodyOf(content, "multipart/form-data; boundary=x")
    expect([form?.required, form?.type.names()]).toEqual([false, ["file"]])
  })

  it("have the fields of a form, but not their content", async () => {
    const body = await bodyOf(contentOf(["application/x-www-form-urlencoded", order]))
    expect([said(body!.type, "count"), said(body!.type, "cuont")]).toEqual(["unknown", "nowhere"])
    expect(body?.type.required()).toEqual(["sku"])
  })

  it("match the range that the type falls under", async () => {
    const body = await bodyOf(contentOf(["*/*", order]))
    expect([body?.mediaType, said(body!.type, "count")]).toEqual(["application/json", "number"])
  })

  it("are text, bytes or nothing", async () => {
    expect(said((await bodyOf(contentOf(["text/plain", order])))!.type, "")).toBe("string")
    expect(said((await bodyOf(contentOf(["image/png", order])))!.type, "")).toBe("unknown")
    expect(await bodyOf(contentOf())).toBeUndefined()
    expect(await bodyOf({ $ref: "#/nowhere" })).toBeUndefined()
    expect(await bodyOf(contentOf(["application/json", order]), "text/plain")).toBeUndefined()
    const { operation } = await operationOf({})
    expect(requestBodyType(operation)).toBeUndefined()
  })

  it.each<readonly [media: JsonObject, example: JsonValue | undefined]>([
    [{ schema: order, example: { count: 2 } }, { count: 2 }],
    [
      { schema: order, examples: { few: { value: { count: 1 } }, many: { value: { count: 9 } } } },
      { count: 1 },
    ],
    [{ examples: { few: { $ref: "#/components/examples/Few" } } }, { count: 3 }],
    [{ examples: { lost: { $ref: "#/components/examples/Lost" } } }, undefined],
    [{ schema: { ...order, example: { count: 4 } } }, { count: 4 }],
    [{ schema: { $ref: "#/components/schemas/Order" } }, { count: 5 }],
    [{ example: null }, null],
    [{ schema: order }, undefined],
  ])("have the example of %j: %j", async (media, example) => {
    const components = {
      examples: { Few: { value: { count: 3 } } },
      schemas: { Order: { ...order, examples: [{ count: 5 }, { count: 6 }] } },
    }
    const { operation } = await operationOf(
      { requestBody: { content: { "application/json": media } } },
      { version: "3.1", components },
    )
    expect(requestBodyType(operation)?.example).toEqual(example)
  })
})
