import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createLineFinder, createOffsetFinder } from "./source.ts"

describe("createLineFinder", () => {
  it("counts LF, CRLF and lone CR as line endings, and columns in UTF-16 code units", () => {
    const text = "a\nb\r\nc\rd\u2028😀e"
    const find = createLineFinder(text)
    expect(find(0)).toEqual({ line: 1, column: 1 })
    expect(find(text.indexOf("b"))).toEqual({ line: 2, column: 1 })
    expect(find(text.indexOf("c"))).toEqual({ line: 3, column: 1 })
    expect(find(text.indexOf("e"))).toEqual({ line: 4, column: 5 })
    expect(find(99)).toEqual(find(text.length))
  })

  it("counts the line ends before every offset", () => {
    const text = fc.array(fc.constantFrom("a", "\n", "\r", "\r\n")).map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, (text) => {
        const find = createLineFinder(text)
        for (let offset = 0; offset <= text.length + 1; offset++) {
          const before = text.slice(0, offset)
          // An offset between CR and LF is still on the line before them.
          const isInside = before.endsWith("\r") && text[offset] === "\n"
          const lines = (isInside ? before.slice(0, -1) : before).split(/\r\n|[\r\n]/)
          const column = (lines.at(-1) ?? "").length + (isInside ? 2 : 1)
          expect(find(offset)).toEqual({ line: lines.length, column })
        }
      }),
    )
  })
})

describe("createOffsetFinder", () => {
  it("inverts a line and column, and never passes the end", () => {
    const text = "a\nb\r\nc\rd"
    const [place, offset] = [createLineFinder(text), createOffsetFinder(text)]
    for (let at = 0; at <= text.length; at++) expect(offset(place(at))).toBe(at)
    expect(offset({ line: 9, column: 9 })).toBe(text.length)
  })
})
