import { describe, expect, it } from "vitest"
import { resolvedUrl } from "./resolved-url.ts"

const values = new Map([
  ["baseUrl", "http://127.0.0.1:4010/"],
  ["region", "eu"],
])

describe("the URL of a request", () => {
  it("has the base URL, the parameters and the variables of the environment", () => {
    const params = { path: { id: "7" }, query: { lang: "{{region}}", page: 2 } }
    expect(resolvedUrl("/orders/{id}/lines", params, values)).toBe(
      "http://127.0.0.1:4010/orders/7/lines?lang=eu&page=2",
    )
  })

  it("keeps what isn't known", () => {
    expect(resolvedUrl("/orders/{id}/{{token}}", { path: { id: "" } }, new Map())).toBe(
      "{{baseUrl}}/orders/{id}/{{token}}",
    )
  })
})
