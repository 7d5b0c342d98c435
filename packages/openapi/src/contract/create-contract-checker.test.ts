import { describe, expect, it } from "vitest"
import type { ContractView, JsonObject, JsonValue } from "@callsheet/format"
import { describeVersions, documentOf, type Version } from "../testing/document-of.ts"
import { findOperation } from "../find-operation.ts"
import { createContractChecker, type CheckedResponse } from "./create-contract-checker.ts"

interface Case {
  readonly version?: Version
  readonly as?: "json" | "yaml"
  /** The schema of the response body. */
  readonly schema?: JsonValue
  readonly schemas?: JsonObject
  /** Instead of one 200 with `schema` as JSON. */
  readonly responses?: JsonObject
}

async function check(
  { version = "3.0", as = "json", schema = {}, schemas = {}, responses }: Case,
  response: Partial<CheckedResponse>,
): Promise<ContractView> {
  const document = await documentOf({
    version,
    as,
    paths: {
      "/items": {
        get: {
          operationId: "list",
          responses: responses ?? {
            "200": { description: "", content: { "application/json": { schema } } },
          },
        },
      },
    },
    components: { schemas },
  })
  const found = findOperation(document, { operation: "list" })
  if (found.status !== "found") throw new Error(found.message)
  return createContractChecker(document).check({
    operation: found.operation,
    method: "GET",
    status: 200,
    headers: { "content-type": "application/json" },
    isWellFormed: true,
    ...response,
  })
}

/** `path: message` of each problem. */
const said = async (setup: Case, response: Partial<CheckedResponse>): Promise<readonly string[]> =>
  (await check(setup, response)).problems.map(({ path, message }) => `${path}: ${message}`)

const ofBody = (setup: Case, body: JsonValue): Promise<readonly string[]> => said(setup, { body })

describeVersions("the verdict on status, content type and body", (version, as) => {
  const json = { "application/json": { schema: { type: "object" } } }
  const ok = { description: "" }

  it("passes a response that is as documented", async () => {
    expect(await check({ version, as, schema: { type: "object" } }, { body: {} })).toEqual({
      status: "passed",
      problems: [],
    })
  })

  it("fails a status that is not documented, and names those that are", async () => {
    expect(await check({ version, as, responses: { "200": ok, "4XX": ok } }, { status: 500 })).toEqual({
      status: "failed",
      problems: [{ path: "/status", message: "expected 200, 4XX as documented, came 500" }],
    })
  })

  it("prefers the exact status, then its range, then the default", async () => {
    const need = (name: string) => ({ ...ok, headers: { [name]: { required: true, schema: {} } } })
    const responses = { "404": need("x-exact"), "4XX": need("x-range"), default: need("x-default") }
    const missing = async (status: number) => (await said({ version, as, responses }, { status }))[0]
    expect(await missing(404)).toContain("/headers/x-exact")
    expect(await missing(409)).toContain("/headers/x-range")
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
    const problems = await said(
      { version, as, responses },
      { headers: { "content-type": received }, body: {} },
    )
    expect(problems).toEqual(
      isGood ? [] : [`/headers/content-type: expected ${documented}, came ${received}`],
    )
  })

  it("asks for a content type where content is documented", async () => {
    expect(await said({ version, as, responses: { "200": { ...ok, content: json } } }, { headers: {}, body: {} })).toEqual([
      "/headers/content-type: expected application/json, came no content type",
    ])
  })

  it("checks neither content type nor body where no content is documented", async () => {
    expect(await said({ version, as, responses: { "200": ok } }, { headers: { "content-type": "a/b" }, body: "x" })).toEqual([])
  })

  it("asks for a body where content is documented, but not of HEAD, 204 and 304", async () => {
    const responses = { "2XX": { ...ok, content: json }, "304": { ...ok, content: json } }
    expect(await said({ version, as, responses }, {})).toEqual(["/body: expected a body (application/json), came none"])
    expect(await said({ version, as, responses }, { method: "HEAD" })).toEqual([])
    expect(await said({ version, as, responses }, { status: 204 })).toEqual([])
    expect(await said({ version, as, responses }, { status: 304 })).toEqual([])
  })

  it("fails text that should be JSON and is none", async () => {
    expect(await said({ version, as }, { body: "<html>", isWellFormed: false })).toEqual([
      "/body: expected JSON, came text that is none",
    ])
  })

  it("holds plain text against a schema of text, and leaves other text alone", async () => {
    const text = (schema: JsonObject) => ({ "200": { ...ok, content: { "text/*": { schema } } } })
    const headers = { "content-type": "text/plain" }
    expect(await said({ version, as, responses: text({ type: "string", maxLength: 2 }) }, { headers, body: "abc" })).toEqual([
      `/body: expected 2 characters or less, came "abc"`,
    ])
    expect(await said({ version, as, responses: text({ type: "integer" }) }, { headers, body: "12" })).toEqual([])
    expect(await said({ version, as, responses: text({ type: "array" }) }, { headers, body: "a,b" })).toEqual([])
  })

  it("follows references to responses, headers and schemas", async () => {
    const document = await documentOf({
      version,
      as,
      paths: { "/items": { get: { operationId: "list", responses: { "200": { $ref: "#/components/responses/List" } } } } },
      components: {
        responses: {
          List: {
            ...ok,
            headers: { "X-Total": { $ref: "#/components/headers/Total" } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/a~1b%20c" } } },
          },
        },
        headers: { Total: { required: true, schema: { type: "integer" } } },
        schemas: { "a/b c": { type: "array" } },
      },
    })
    const found = findOperation(document, { operation: "list" })
    const view = await createContractChecker(document).check({
      operation: (found as Extract<typeof found, { status: "found" }>).operation,
      method: "GET",
      status: 200,
      headers: { "content-type": "application/json", "x-total": "many" },
      body: {},
      isWellFormed: true,
    })
    expect(view.problems).toEqual([
      { path: "/body", message: "expected an array, came an object" },
      { path: "/headers/x-total", message: `expected an integer, came a string: "many"` },
    ])
  })
})
