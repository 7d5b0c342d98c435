import { describe, expect, it } from "vitest"
import { outermost, tokenAt, tokensIn } from "./tokens-in.ts"

const paths = (text: string, reads: "text" | "path" = "text") =>
  tokensIn(text, reads).tokens.map(({ path }) => path)

describe("the placeholders of a field", () => {
  it("are found with their ranges, also inside another", () => {
    const text = "Bearer {{ login.response.body.token }} {{a[{{i}}]}}"
    expect(paths(text)).toEqual(["login.response.body.token", "a[{{i}}]", "i"])
    const found = tokensIn(text, "text")
    expect(found.tokens.map(({ from, to }) => text.slice(from, to))).toEqual([
      "{{ login.response.body.token }}",
      "{{a[{{i}}]}}",
      "{{i}}",
    ])
    expect(outermost(found).map(({ path }) => path)).toEqual(["login.response.body.token", "a[{{i}}]"])
    expect(tokenAt(found, text.indexOf("i}}"))?.path).toBe("i")
    expect(tokenAt(found, 3)).toBeUndefined()
  })

  it("include the whole text of a path", () => {
    expect(paths("list.response.body.{{i}}.id", "path")).toEqual(["list.response.body.{{i}}.id", "i"])
    expect(paths("", "path")).toEqual([])
  })

  it("end before one that isn't closed", () => {
    expect(tokensIn("{{a}} {{b", "text")).toMatchObject({ isOpen: true, tokens: [{ path: "a" }] })
    expect(tokensIn(String.raw`\{{a`, "text")).toEqual({ isOpen: false, tokens: [] })
    expect(tokensIn("{{a}}", "none")).toEqual({ isOpen: false, tokens: [] })
  })
})
