import { describe, expect, it } from "vitest"
import { decodePercent, placeOf, splitTypedUrl, writtenUrl } from "./typed-url.ts"

describe("a typed URL", () => {
  it("is split into origin, path and query", () => {
    expect(splitTypedUrl(" https://Shop.test:8080/v1/orders/7?limit=2&q=a+b%26c#top ")).toEqual({
      origin: "https://shop.test:8080",
      path: "/v1/orders/7",
      query: [
        ["limit", "2"],
        ["q", "a b&c"],
      ],
    })
    expect(splitTypedUrl("https://shop.test")).toEqual({ origin: "https://shop.test", path: "/", query: [] })
    expect(splitTypedUrl("localhost:3000/a")).toMatchObject({ origin: "http://localhost:3000", path: "/a" })
    expect(splitTypedUrl("orders")).toMatchObject({ origin: undefined, path: "/orders" })
    expect(splitTypedUrl("{{baseUrl}}/orders")).toMatchObject({ origin: undefined, path: "/orders" })
    expect(splitTypedUrl("{{host}}/orders")).toMatchObject({ origin: "{{host}}", path: "/orders" })
  })

  it("keeps placeholders, whatever they contain", () => {
    expect(splitTypedUrl('/orders/{{a["x?y#z"]}}?id={{b.c}}&d={{e&f}}%')).toEqual({
      origin: undefined,
      path: '/orders/{{a["x?y#z"]}}',
      query: [
        ["id", "{{b.c}}"],
        ["d", "{{e&f}}%"],
      ],
    })
  })

  it("is written from the parameters, and read back with the same values", () => {
    const params = { path: { id: "a/b {c}", token: "{{x}}" }, query: { "q=": "1&2 +%#", empty: "" } }
    const written = writtenUrl("/orders/{id}/{token}/{open}", params)
    expect(written).toBe("/orders/a%2Fb%20%7Bc%7D/{{x}}/{open}?q%3D=1%262%20%2B%25%23&empty=")
    const { path, query } = splitTypedUrl(written)
    expect(query).toEqual(Object.entries(params.query))
    expect(path.split("/").map(decodePercent)).toEqual(["", "orders", "a/b {c}", "{{x}}", "{open}"])
  })
})

describe("the place of a URL", () => {
  const bases = new Map([
    ["local", "http://127.0.0.1:4000/v1/"],
    ["live", "https://shop.test:443"],
  ])
  const place = (url: string, environment = "local") => placeOf(splitTypedUrl(url), bases, environment)

  it("is the chosen environment if the URL is below its base URL", () => {
    expect(place("http://127.0.0.1:4000/v1/orders")).toEqual({ is: "here", path: "/orders" })
    expect(place("http://127.0.0.1:4000/v1")).toEqual({ is: "here", path: "/" })
    expect(place("/orders")).toEqual({ is: "here", path: "/orders" })
    expect(place("https://shop.test/orders", "live")).toEqual({ is: "here", path: "/orders" })
  })

  it("is elsewhere otherwise, with the environments that have this base URL", () => {
    expect(place("https://shop.test/orders")).toEqual({
      is: "elsewhere",
      origin: "https://shop.test",
      environments: [{ name: "live", path: "/orders" }],
    })
    for (const url of ["http://127.0.0.1:4000/v2/orders", "http://127.0.0.1:4000/v10", "{{host}}/orders"])
      expect(place(url)).toMatchObject({ is: "elsewhere", environments: [] })
  })
})
