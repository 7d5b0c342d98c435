import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { breakCommands, breakCommandsInJson, breakCommandsInXml } from "./log-commands.ts"
import { formatSize } from "./measures.ts"
import { compactJson, previewBody, previewJson, shorten } from "./preview.ts"
import { printable } from "./printable.ts"

const nested = (depth: number): JsonValue => {
  let value: JsonValue = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

describe("printable", () => {
  it("spells out terminal control characters", () => {
    expect(printable("a\u001b[2Jb\u0007\u009b1m\r")).toBe(String.raw`a\u001b[2Jb\u0007\u009b1m\r`)
  })

  it("spells out marks that change the text direction, and lone surrogates", () => {
    expect(printable("\u202eabc\ud800")).toBe(String.raw`\u202eabc\ud800`)
    expect(printable("😀 ü 漢")).toBe("😀 ü 漢")
  })

  it("keeps line feeds in multi-line text", () => {
    expect(printable("a\nb\u001b", "lines")).toBe("a\nb\\u001b")
    expect(printable("a\nb")).toBe(String.raw`a\nb`)
  })
})

describe("breaking up commands to CI logs", () => {
  const text = "##vso[a]\nx ##[b]##TeamCity[c\n::d::\n \u00a0\t::e::\r::f::\n# a::b"

  it("spells out one character of each and keeps everything else", () => {
    const broken = String.raw`#\u0023vso[a]|x #\u0023[b]#\u0023TeamCity[c|\u003a:d::|`
    const late = `\u00a0\t\\u003a:e::\r\\u003a:f::|# a::b`
    expect(breakCommands(text)).toBe(`${broken} ${late}`.replaceAll("|", "\n"))
  })

  it("escapes in JSON and XML, so that parsers read the same text", () => {
    const json = breakCommandsInJson(JSON.stringify({ text: `${text}\u202e` }))
    expect(json).not.toMatch(/##|\u202e/)
    expect(JSON.parse(json)).toEqual({ text: `${text}\u202e` })
    const xml = breakCommandsInXml(text)
    expect(xml).not.toMatch(/##[a-z]*\[|^\s*::/im)
    expect(xml.replaceAll("&#35;", "#").replaceAll("&#58;", ":")).toBe(text)
  })
})

describe("previews", () => {
  it("shows a small value on one line", () => {
    expect(previewJson({ a: [1, "x", null], b: 12345678901234567890n }, { width: 80, lines: 5 })).toEqual([
      '{"a": [1, "x", null], "b": 12345678901234567890}',
    ])
  })

  it("spreads a larger one over lines, and truncates it", () => {
    const value = { first: "a".repeat(30), second: { third: "b".repeat(30) }, fourth: [1, 2] }
    expect(previewJson(value, { width: 60, lines: 3 })).toEqual([
      "{",
      `  "first": "${"a".repeat(30)}",`,
      `  "second": {"third": "${"b".repeat(30)}"},`,
      "…",
    ])
  })

  it("handles values of any depth and size quickly", () => {
    expect(compactJson(nested(100_000), 80)).toBeUndefined()
    expect(previewJson(nested(100_000), { width: 80, lines: 10 }).length).toBe(11)
    expect(
      previewJson(
        Array.from({ length: 1_000_000 }, () => 1),
        { width: 80, lines: 10 },
      ).length,
    ).toBe(11)
    expect(shorten("x".repeat(10_000_000), 20)).toHaveLength(20)
  })

  it("truncates a long string and gives its length", () => {
    const [line] = previewJson("y".repeat(5000), { width: 100, lines: 3 })
    expect(line).toMatch(/^"y+"… \(5000 characters\)$/)
    expect(line!.length).toBeLessThan(120)
  })

  it("shows a text body by its lines", () => {
    expect(previewBody("<p>\r\n\u001b[31mred\n", { width: 80, lines: 5 })).toEqual([
      "<p>",
      String.raw`\u001b[31mred`,
      "",
    ])
  })

  it("never splits a character", () => {
    expect(shorten("😀😀😀", 4)).toBe("😀…")
  })
})

describe("sizes", () => {
  it("use the unit that fits", () => {
    expect([74, 1434, 50 * 1024 * 1024].map(formatSize)).toEqual(["74 B", "1.4 KiB", "50.0 MiB"])
  })
})
