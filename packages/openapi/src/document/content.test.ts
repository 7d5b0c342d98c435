import { expect, it } from "vitest"
import { describeVersions, operationOf } from "../testing/document-of.ts"
import { bodyKindOf, requestMediaType } from "./content.ts"

describeVersions("the media type of a request", (version, as) => {
  it.each([
    [
      ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded", "application/vnd.a+json"],
      "application/vnd.a+json",
    ],
    [
      ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"],
      "application/x-www-form-urlencoded",
    ],
    [["text/plain", "multipart/form-data"], "multipart/form-data"],
    [["application/octet-stream", "application/xml"], "application/xml"],
    [["application/json; charset=utf-8"], "application/json; charset=utf-8"],
    [["*/*"], "application/json"],
    [["text/*"], "text/plain"],
    [["image/png"], undefined],
    [["image/*"], undefined],
    [["image/*", "application/*+json"], "application/json"],
    [["multipart/*"], "multipart/form-data"],
    [["application/octet-stream", "application/x-ndjson"], "application/x-ndjson"],
  ])("of %j is %s", async (types, expected) => {
    const content = Object.fromEntries(types.map((type) => [type, {}]))
    const components = { requestBodies: { B: { content } } }
    const requestBody = { $ref: "#/components/requestBodies/B" }
    const { operation } = await operationOf({ requestBody }, { version, as, components })
    expect(requestMediaType(operation)?.mediaType).toBe(expected)
  })

  it("is undefined without a request body", async () => {
    const { operation } = await operationOf({}, { version, as })
    expect(requestMediaType(operation)).toBeUndefined()
  })
})

it.each([
  ["application/json", "json"],
  ["Application/Problem+JSON; charset=utf-8", "json"],
  ["text/json", "json"],
  ["application/x-www-form-urlencoded", "form"],
  ["multipart/form-data; boundary=x", "multipart"],
  ["text/csv", "text"],
  ["application/xml", "text"],
  ["application/atom+xml", "text"],
  ["application/yaml", "text"],
  ["application/openapi+yaml", "text"],
  ["application/x-ndjson", "text"],
  ["application/graphql", "text"],
  ["application/octet-stream", undefined],
  ["application/jsonp", undefined],
])("a body of %s is %s", (mediaType, kind) => {
  expect(bodyKindOf(mediaType)).toBe(kind)
})
