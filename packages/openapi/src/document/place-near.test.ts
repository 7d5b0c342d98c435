// Checks what a broken reference probably means.

import { expect, it } from "vitest"
import { placeNear } from "./place-near.ts"

const root = {
  components: {
    schemas: { Order: {}, "a/b": {}, Line: { properties: { sku: {} } } },
    parameters: { Page: {} },
    responses: { NotFound: {} },
  },
}

it.each([
  ["/components/schema/Order", "/components/schemas/Order"],
  ["/definitions/Order", "/components/schemas/Order"],
  ["/component/schemas/Order", "/components/schemas/Order"],
  ["/components/schemas/Ordr", "/components/schemas/Order"],
  ["/components/schemas/order", "/components/schemas/Order"],
  ["/Order", "/components/schemas/Order"],
  ["/schemas/Order", "/components/schemas/Order"],
  ["/components/schemas/Page", "/components/parameters/Page"],
  ["/responses/NotFound", "/components/responses/NotFound"],
  ["/definitions/a~1b", "/components/schemas/a~1b"],
  ["/components/schemas/Invoice", undefined],
  ["/components/schemas/Line/properties/skuu", undefined],
  ["", undefined],
  ["/components/schemas/constructor", undefined],
])("%s means %s", (pointer, meant) => {
  expect(placeNear(root, pointer)).toBe(meant)
})

it("finds the schemas of Swagger 2.0", () => {
  expect(placeNear({ definitions: { Order: {} } }, "/components/schemas/Order")).toBe("/definitions/Order")
})
