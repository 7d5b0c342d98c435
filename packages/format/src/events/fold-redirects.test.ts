import { describe, expect, it } from "vitest"
import { foldRedirects } from "./fold-redirects.ts"

const place = { status: 302, url: "https://shop.example/orders" }

describe("foldRedirects", () => {
  it("counts a redirect that repeats the last one", () => {
    expect(foldRedirects([{ ...place, method: "GET" }, place, place])).toEqual([
      { ...place, method: "GET", times: 3 },
    ])
  })

  it("keeps a redirect that changes the method or drops a header", () => {
    const redirects = [place, { ...place, method: "GET" }, { ...place, dropped: ["header authorization"] }]
    expect(foldRedirects(redirects)).toEqual(redirects.map((redirect) => ({ ...redirect, times: 1 })))
  })
})
