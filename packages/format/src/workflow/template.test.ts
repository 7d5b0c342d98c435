import { describe, expect, it } from "vitest"
import { isSingleToken, parseTemplate, type TemplatePart } from "./template.ts"

/** Shows parts as a string, with placeholders in ‹›. */
const show = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `‹${show(part.inner)}›`)).join("|")

describe("parseTemplate", () => {
  it.each([
    ["plain", "plain"],
    ["{{a}}", "‹a›"],
    ["{{ a.b }}", "‹a.b›"],
    ["x{{a}}y{{b}}", "x|‹a›|y|‹b›"],
    ["{{get-{{i}}.response.body.id}}", "‹get-|‹i›|.response.body.id›"],
    [String.raw`\{{a}}`, "{{a}}"],
    [String.raw`\\{{a}}`, String.raw`\|‹a›`],
    [String.raw`\\\{{a}}`, String.raw`\{{a}}`],
    [String.raw`a\b`, String.raw`a\b`],
    ["a}}b", "a}}b"],
    ['{"id":{{id}}}', '{"id":|‹id›|}'],
  ])("splits %s into %s", (text, parts) => {
    const parsed = parseTemplate(text)
    expect(parsed.ok && show(parsed.parts)).toBe(parts)
  })

  it.each(["{{", "a {{b", "{{}}", "{{  }}", "{{a{{b}}", "{{a}} {{"])("rejects %j", (text) => {
    expect(parseTemplate(text)).toMatchObject({ ok: false, hint: String.raw`write \{{ for a literal {{` })
  })

  it("distinguishes a single token from a token in text", () => {
    const single = (text: string) => {
      const parsed = parseTemplate(text)
      return parsed.ok && isSingleToken(parsed.parts)
    }
    expect(single("{{a}}")).toBe(true)
    expect(single(" {{a}}")).toBe(false)
    expect(single("{{a}}{{b}}")).toBe(false)
  })

  it.each([
    "{".repeat(1_000_000),
    "{{a}}".repeat(200_000),
    "\\".repeat(1_000_000),
    `${"{{".repeat(100_000)}a${"}}".repeat(100_000)}`,
  ])("reads a megabyte of repeated input without recursion or backtracking", (text) => {
    expect(parseTemplate(text)).toHaveProperty("ok")
  })
})
