import { expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { describeVersions } from "./testing/document-of.ts"
import { complaints, judge } from "./testing/judge.ts"

const ok = { description: "" }
const json = { "application/json": { schema: { type: "object" } } }
const requiring = (header: string) => ({ ...ok, headers: { [header]: { required: true, schema: {} } } })
const text = (schema: JsonObject) => ({ "200": { ...ok, content: { "text/*": { schema } } } })

describeVersions("the verdict on status, content type and body", (version, as) => {
  it("passes a response that matches the document", async () => {
    expect(await judge({ version, as, schema: { type: "object" } }, { body: {} })).toEqual({
      status: "passed",
      problems: [],
    })
  })

  it("fails an undocumented status and names the documented ones", async () => {
    expect(await complaints({ version, as, responses: { "200": ok, "4XX": ok } }, { status: 500 })).toEqual([
      "/status: expected 200, 4XX as documented, received 500",
    ])
  })

  it("prefers the exact status, then its range, then the default", async () => {
    const responses = {
      "404": requiring("x-exact"),
      "4XX": requiring("x-range"),
      "5xx": requiring("x-lower-case"),
      default: requiring("x-default"),
    }
    const missing = async (status: number) => (await complaints({ version, as, responses }, { status }))[0]
    expect(await missing(404)).toContain("/headers/x-exact")
    expect(await missing(409)).toContain("/headers/x-range")
    expect(await missing(500)).toContain("/headers/x-lower-case")
    expect(await missing(200)).toContain("/headers/x-default")
  })

  it.each([
    ["application/json", "application/json; charset=utf-8", true],
    ["application/json; charset=utf-8", "application/json", true],
    ["application/json", "APPLICATION/JSON", true],
    ["application/*", "application/json", true],
    ["*/*", "application/problem+json", true],
    ["application/*+json", "application/problem+json", true],
    ["application/json", "application/problem+json", false],
    ["text/*", "application/json", false],
  ])("documented %s and received %s: %s", async (documented, received, isGood) => {
    const responses = { "200": { ...ok, content: { [documented]: {} } } }
    const problems = await complaints(
      { version, as, responses },
      { headers: { "content-type": received }, body: {} },
    )
    expect(problems).toEqual(
      isGood ? [] : [`/headers/content-type: expected ${documented}, received ${received}`],
    )
  })

  it("requires a content type if content is documented", async () => {
    expect(
      await complaints(
        { version, as, responses: { "200": { ...ok, content: json } } },
        { headers: {}, body: {} },
      ),
    ).toEqual(["/headers/content-type: expected application/json, received no content type"])
  })

  it("checks neither content type nor body if no content is documented", async () => {
    expect(
      await complaints(
        { version, as, responses: { "200": ok } },
        { headers: { "content-type": "a/b" }, body: "x" },
      ),
    ).toEqual([])
  })

  it("requires a body if content is documented, except for HEAD, 204 and 304", async () => {
    const responses = { "2XX": { ...ok, content: json }, "304": { ...ok, content: json } }
    expect(await complaints({ version, as, responses }, {})).toEqual([
      "/body: expected a body (application/json), received none",
    ])
    expect(await complaints({ version, as, responses }, { method: "HEAD" })).toEqual([])
    expect(await complaints({ version, as, responses }, { status: 204 })).toEqual([])
    expect(await complaints({ version, as, responses }, { status: 304 })).toEqual([])
  })

  it("fails text that should be JSON and is not", async () => {
    expect(await complaints({ version, as }, { body: "<html>", isWellFormed: false })).toEqual([
      "/body: invalid JSON at character 1",
    ])
  })

  it("checks plain text against a text schema, and skips other text", async () => {
    const headers = { "content-type": "text/plain" }
    expect(
      await complaints(
        { version, as, responses: text({ type: "string", maxLength: 2 }) },
        { headers, body: "abc" },
      ),
    ).toEqual([`/body: expected 2 characters or less, received "abc"`])
    expect(
      await complaints({ version, as, responses: text({ type: "integer" }) }, { headers, body: "12" }),
    ).toEqual([])
    expect(
      await complaints({ version, as, responses: text({ type: "array" }) }, { headers, body: "a,b" }),
    ).toEqual([])
  })

  // 2.0 can't express this.
  if (version !== "2.0")
    it("follows references to responses, headers and schemas", async () => {
      const components = {
        responses: {
          List: {
            ...ok,
            headers: { "X-Total": { $ref: "#/components/headers/Total" } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/a~1b%20c" } } },
          },
        },
        headers: { Total: { required: true, schema: { type: "integer" } } },
        schemas: { "a/b c": { type: "array" } },
      }
      const responses = { "200": { $ref: "#/components/responses/List" } }
      const headers = { "content-type": "application/json", "x-total": "many" }
      expect(await complaints({ version, as, responses, components }, { headers, body: {} })).toEqual([
        "/body: expected an array, received an object",
        `/headers/x-total: expected an integer, received a string: "many"`,
      ])
    })

  it("reports a broken document for a reference to a missing response", async () => {
    expect(
      await complaints({ version, as, responses: { "200": { $ref: "#/components/responses/Gone" } } }, {}),
    ).toEqual(["/status: the document's own reference at #/paths/~1items/get/responses/200 does not resolve"])
  })
})

describeVersions("the verdict on headers", (version, as) => {
  const of = (headers: JsonObject, received: Record<string, string | string[]>) =>
    complaints({ version, as, responses: { "200": { ...ok, headers } } }, { headers: received })

  it("requires the required headers, in any case, and no others", async () => {
    const headers = { "X-Need": { required: true, schema: { type: "string" } }, "X-May": { schema: {} } }
    expect(await of(headers, {})).toEqual(["/headers/x-need: missing required header"])
    expect(await of(headers, { "x-need": "" })).toEqual([])
  })

  it.each([
    [{ type: "integer" }, "12", []],
    [{ type: "integer" }, "9007199254740993", []],
    [{ type: "integer" }, "1.5", ["/headers/x: expected an integer, received a number: 1.5"]],
    [{ type: "boolean" }, "true", []],
    [{ type: "boolean" }, "yes", [`/headers/x: expected a boolean, received a string: "yes"`]],
    [{ type: "string" }, "12", []],
    [{ type: "string", enum: ["a"] }, "b", [`/headers/x: expected "a", received "b"`]],
    [{ type: "string", format: "uuid" }, "b", [`/headers/x: expected a UUID, received "b"`]],
    [{ type: "array", items: { type: "integer" } }, "1, 2,3", []],
    [
      { type: "array", items: { type: "integer" } },
      "1,x",
      [`/headers/x/1: expected an integer, received a string: "x"`],
    ],
    [{ type: "array", items: { type: "array", items: { type: "integer" } } }, "1,2", []],
    [{ type: "object" }, "a,1", []],
    [{}, "anything", []],
    [{ maximum: 3 }, "2", []],
    [{ allOf: [{ type: "integer" }] }, "2", []],
  ])("with the schema %j reads the header %j", async (schema, received, expected) => {
    expect(await of({ X: { schema } }, { x: received })).toEqual(expected)
  })

  it("reads an empty header as null if null is allowed", async () => {
    const isOld = version === "2.0" || version === "3.0"
    const schema = isOld ? { type: "integer", nullable: true } : { type: ["integer", "null"] }
    expect(await of({ X: { schema } }, { x: "" })).toEqual([])
  })

  it("checks each of several set-cookie headers", async () => {
    const cookies = { "Set-Cookie": { schema: { type: "string", pattern: "^sid=" } } }
    expect(await of(cookies, { "set-cookie": ["sid=1", "x=2"] })).toEqual([
      `/headers/set-cookie: expected a match of the pattern ^sid=, received "x=2"`,
    ])
  })

  it("ignores an entry named Content-Type", async () => {
    expect(await of({ "Content-Type": { required: true, schema: { type: "integer" } } }, {})).toEqual([])
  })

  // 2.0 can't express this.
  if (version !== "2.0")
    it("reads a header whose content is JSON", async () => {
      const header = {
        X: { content: { "application/json": { schema: { type: "object", required: ["a"] } } } },
      }
      expect(await of(header, { x: '{"a":1}' })).toEqual([])
      expect(await of(header, { x: "{}" })).toEqual(["/headers/x/a: missing required property"])
      expect(await of(header, { x: "{" })).toEqual(["/headers/x: invalid JSON at character 2"])
    })
})
