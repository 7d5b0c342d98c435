import { describe, expect, it } from "vitest"
import { readResponseHeaders } from "./response-headers.ts"

const typeOf = (value: string) =>
  readResponseHeaders(["Content-Type", value], "https://api.example").headers["content-type"]

describe("readResponseHeaders", () => {
  it("splits joined content types at commas outside of quotes", () => {
    expect(typeOf('text/html, application/json; profile="a, b"')).toBe('application/json; profile="a, b"')
  })

  it("takes linear time for quotes without an end", () => {
    expect(typeOf(`text/html, ${'"\\'.repeat(120_000)}`)).toBe("text/html")
  })
})
