import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { describeVersions } from "../testing/document-of.ts"
import { warnings, warningTexts, type SentRequest } from "../testing/check-request.ts"

const order = {
  type: "object",
  required: ["id", "sku", "count"],
  properties: {
    id: { type: "integer", readOnly: true },
    sku: { type: "string" },
    count: { type: "integer", minimum: 1 },
  },
}

const bodyOf = (schema: JsonValue, type = "application/json", more: JsonObject = {}): JsonObject => ({
  required: true,
  content: { [type]: { schema, ...more } },
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Returns a request with a text body and a content type, as a user writes them. */
const written = (type: string, text: string): SentRequest => ({
  headers: [["content-type", type]],
  body: { bytes: bytes(text), value: text, bodyType: "text" },
})

describeVersions("the JSON body of a request", (version) => {
  const components = { schemas: { Order: order } }
  const asked = { version, components, requestBody: bodyOf({ $ref: "#/components/schemas/Order" }) }

  it("matches its schema, without read-only properties", async () => {
    expect(await warningTexts(asked, { json: { sku: "a", count: 1 } })).toEqual([])
    expect(await warningTexts(asked, { json: { id: 7, sku: "a", count: 0 } })).toEqual([
      "/body/id: expected nothing (the property is read-only), received a number: 7",
      "/body/count: expected 1 or more, received 0",
    ])
    expect(await warningTexts(asked, { json: {} })).toEqual([
      "/body/sku: missing required property",
      "/body/count: missing required property",
    ])
  })

  it.each([{ readOnly: true }, { $ref: "#/components/schemas/Id" }])(
    "has no read-only property below a list: %j",
    async (property) => {
      const requestBody = bodyOf({ items: { properties: { id: property } } })
      const schemas = { Id: { readOnly: true } }
      const [problem] = await warnings(
        { version, components: { schemas }, requestBody },
        { json: [{ id: 7 }] },
      )
      expect([problem?.path, problem?.schema]).toEqual([
        "/body/0/id",
        expect.stringMatching(/\/items\/properties\/id(?:\/readOnly)?$/),
      ])
    },
  )

  it("has the required write-only properties, and may itself be marked read-only", async () => {
    const properties = { pin: { type: "string", writeOnly: true } }
    const requestBody = bodyOf({ required: ["pin"], properties, readOnly: true })
    expect(await warningTexts({ version, requestBody }, { json: {} })).toEqual([
      "/body/pin: missing required property",
    ])
    expect(await warningTexts({ version, requestBody }, { json: { pin: "1" } })).toEqual([])
  })

  it("is missed if one is required", async () => {
    const [problem] = await warnings(asked, {})
    expect([problem?.path, problem?.message]).toEqual([
      "/body",
      "POST /items requires a body, and none is sent",
    ])
    expect(problem?.file).toMatch(/^apis\/t\/openapi\./)
  })

  it("has a documented media type", async () => {
    expect(await warningTexts(asked, written("text/csv", "a"))).toEqual([
      "/headers/content-type: expected application/json, received text/csv",
    ])
    expect(await warningTexts(asked, { ...written("x", "a"), headers: [] })).toEqual([
      "/headers/content-type: expected application/json, received no content type",
    ])
    expect(
      await warningTexts(asked, written("Application/JSON; charset=utf-8", `{"sku":"a","count":1}`)),
    ).toEqual([])
  })

  it("is read from what is sent if that is a text or a file", async () => {
    expect(await warningTexts(asked, written("application/json", `{"sku":"a","count":0}`))).toEqual([
      "/body/count: expected 1 or more, received 0",
    ])
    expect(await warningTexts(asked, written("application/json", `{"sku":`))).toEqual([
      "/body: invalid JSON at character 8",
    ])
  })

  it("must be absent if none is documented", async () => {
    expect(await warningTexts({ version }, { json: {} })).toEqual([
      "/body: POST /items doesn't document a request body",
    ])
    expect(await warningTexts({ version }, {})).toEqual([])
  })

  it("lists the first 20 problems and counts the rest", async () => {
    const requestBody = bodyOf({ type: "array", items: { type: "integer" } })
    const problems = await warnings({ version, requestBody }, { json: Array<string>(25).fill("x") })
    expect([problems.length, problems.at(-1)]).toEqual([21, { path: "", message: "and 5 more problems" }])
  })
})

describe("a body without a schema to violate", () => {
  it("is accepted", async () => {
    const requestBody = { content: { "application/json": {}, "image/*": {} } }
    expect(await warningTexts({ requestBody }, { json: [1] })).toEqual([])
    expect(await warningTexts({ requestBody }, written("image/png", "x"))).toEqual([])
    expect(await warningTexts({ requestBody: { content: {} } }, { json: 1 })).toEqual([])
    expect(
      await warningTexts({ requestBody: { $ref: "#/components/requestBodies/Gone" } }, { json: 1 }),
    ).toEqual([])
  })

  it("may be left out if it is not required", async () => {
    expect(await warningTexts({ requestBody: { content: { "application/json": {} } } }, {})).toEqual([])
  })
})

describe("a text body", () => {
  it("is checked against its schema", async () => {
    const requestBody = bodyOf({ type: "integer" }, "text/plain")
    expect(await warningTexts({ requestBody }, written("text/plain", "12"))).toEqual([])
    expect(await warningTexts({ requestBody }, written("text/plain", "x"))).toEqual([
      `/body: expected an integer, received a string: "x"`,
    ])
    const list = bodyOf({ type: "array" }, "text/plain")
    expect(await warningTexts({ requestBody: list }, written("text/plain", "x"))).toEqual([])
  })
})

const fields = {
  type: "object",
  required: ["name", "photo"],
  additionalProperties: false,
  properties: {
    name: { type: "string", maxLength: 5 },
    age: { type: "integer" },
    isNew: { type: "boolean" },
    ids: { type: "array", items: { type: "integer" } },
    photo: { type: "string", minLength: 1000 },
    address: { type: "object", properties: { zip: { type: "string" } } },
  },
}

describe("a form", () => {
  const requestBody = bodyOf({ ...fields, required: ["name"] }, "application/x-www-form-urlencoded")
  const tell = (form: string) =>
    warningTexts({ requestBody }, written("application/x-www-form-urlencoded", form))

  it("has fields whose texts represent values of their types", async () => {
    expect(await tell("name=a&age=3&isNew=true&ids=1&ids=2")).toEqual([])
    expect(await tell("name=abcdef&age=x&isNew=1&ids=1&ids=y")).toEqual([
      `/body/name: expected 5 characters or less, received "abcdef"`,
      `/body/age: expected an integer, received a string: "x"`,
      `/body/isNew: expected a boolean, received a string: "1"`,
      `/body/ids/1: expected an integer, received a string: "y"`,
    ])
  })

  it("may miss fields or have too many", async () => {
    expect(await tell("age=3&nick=x")).toEqual([
      "/body/name: missing required property",
      "/body/nick: unexpected property; the schema doesn't define it",
    ])
  })

  it("may contain a list in one text, and an object as JSON or in brackets", async () => {
    expect(await tell("name=a&ids=1,2")).toEqual([])
    expect(await tell("name=a&ids=[1,2]")).toEqual([])
    expect(await tell(`name=a&address={"zip":"1"}`)).toEqual([])
    expect(await tell("name=a&address[zip]=1&address[x][y]=2")).toEqual([])
    expect(await tell(`name=a&address={"zip":1}`)).toEqual([
      "/body/address/zip: expected a string, received a number: 1",
    ])
  })

  it("repeats only the name of a list", async () => {
    expect(await tell("name=a&name=b")).toEqual(["/body/name: expected a string, received an array"])
  })
})

describe("a multipart body", () => {
  const requestBody = bodyOf(fields, "multipart/form-data")
  const tell = (value: JsonValue) =>
    warningTexts(
      { requestBody },
      {
        headers: [["content-type", "multipart/form-data; boundary=b"]],
        body: { bytes: bytes(""), value, bodyType: "multipart" },
      },
    )

  it("has parts whose texts represent values of their types, and files that are not read", async () => {
    const photo = { file: "a.png" }
    expect(
      await tell({ name: "a", age: 3, ids: ["1", 2], isNew: true, photo, address: { zip: "1" } }),
    ).toEqual([])
    expect(await tell({ name: 1234567, age: "x", photo })).toEqual([
      `/body/name: expected 5 characters or less, received "1234567"`,
      `/body/age: expected an integer, received a string: "x"`,
    ])
    expect(await tell({ name: "a", photo: "short" })).toEqual([
      `/body/photo: expected 1000 characters or more, received "short"`,
    ])
  })

  it("has JSON for an object, which is also a text", async () => {
    expect(await tell({ name: { a: 1 }, photo: { file: "a" } })).toEqual([
      `/body/name: expected 5 characters or less, received "{\\"a\\":1}"`,
    ])
  })

  it("has no part for an empty list", async () => {
    expect(await tell({ name: [], photo: [{ file: "a" }, { file: "b" }] })).toEqual([
      "/body/name: missing required property",
    ])
  })
})

describe("Swagger's form", () => {
  const operation = {
    consumes: ["multipart/form-data"],
    parameters: [
      { name: "age", in: "formData", type: "integer", required: true },
      { name: "tags", in: "formData", type: "array", items: { enum: ["a", "b"] } },
      { name: "photo", in: "formData", type: "file", required: true },
    ],
  }
  const tell = (value: JsonValue) =>
    warnings(
      { version: "2.0", operation },
      {
        headers: [["content-type", "multipart/form-data; boundary=b"]],
        body: { bytes: bytes(""), value, bodyType: undefined },
      },
    )

  it("is checked against its parameters, at their positions", async () => {
    expect(await tell({ age: 1, tags: "a,b", photo: { file: "a" } })).toEqual([])
    const problems = await tell({ age: "x", tags: ["a", "c"] })
    expect(problems.map(({ path, message, schema }) => [path, message, schema])).toEqual([
      ["/body/photo", "missing required property", "/paths/~1items/post/parameters"],
      ["/body/age", `expected an integer, received a string: "x"`, "/paths/~1items/post/parameters/0/type"],
      [
        "/body/tags/1",
        `expected one of "a", "b", received "c"`,
        "/paths/~1items/post/parameters/1/items/enum",
      ],
    ])
  })
})

describe("secret values in a body", () => {
  const isSecret = (text: string): boolean => text === "abc" || text === "42" || text === "x,s3"

  it("are in no message", async () => {
    const schema = {
      properties: { pin: { type: "integer", maximum: 9 }, word: { maxLength: 2 }, all: { const: 1 } },
    }
    const json = { pin: 42, word: "abc", all: { a: ["abc"] } }
    expect(await warningTexts({ requestBody: bodyOf(schema) }, { json, isSecret })).toEqual([
      "/body/pin: expected 9 or less, received ***",
      "/body/word: expected 2 characters or less, received ***",
      "/body/all: expected 1, received ***",
    ])
  })

  it("are in no message about a JSON part", async () => {
    const body = { bytes: bytes(""), value: { a: { zip: "abc" } }, bodyType: undefined }
    const schema = { properties: { a: { type: "object", properties: { zip: { maxLength: 1 } } } } }
    const headers = [["content-type", "multipart/form-data; boundary=b"]] as const
    const asked = { requestBody: bodyOf(schema, "multipart/form-data") }
    expect(await warningTexts(asked, { headers, body, isSecret })).toEqual([
      "/body/a/zip: expected 1 character or less, received ***",
    ])
  })

  it("are in no message about a form, nor are their parts", async () => {
    const requestBody = bodyOf(fields, "application/x-www-form-urlencoded")
    const asked = { requestBody }
    const request = { ...written("application/x-www-form-urlencoded", "name=a&photo=abc&ids=x,s3"), isSecret }
    expect(await warningTexts(asked, request)).toEqual([
      "/body/ids: expected an integer, received ***",
      "/body/photo: expected 1000 characters or more, received ***",
    ])
  })
})
