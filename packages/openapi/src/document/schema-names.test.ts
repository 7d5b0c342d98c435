import { expect, it } from "vitest"
import { schemaNamesOf } from "./schema-names.ts"

it("finds anchors below properties and statuses named like keywords, and none in data", () => {
  const data = { $anchor: "data" }
  const root = {
    paths: { "/a": { get: { responses: { default: { schema: { $anchor: "status" } } } } } },
    components: {
      schemas: {
        default: { $anchor: "schema", properties: { example: { $anchor: "property" } } },
        A: { default: data, const: { properties: { x: data } }, enum: [data] },
      },
    },
  }
  expect(
    Object.fromEntries(schemaNamesOf({ root, source: { file: "apis/a/openapi.json", text: "" } }).anchors),
  ).toEqual({
    status: "/paths/~1a/get/responses/default/schema",
    schema: "/components/schemas/default",
    property: "/components/schemas/default/properties/example",
  })
})
