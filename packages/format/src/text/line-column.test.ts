import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createLineFinder, createOffsetFinder, lineColumnAt } from "../source.ts"

describe("lineColumnAt", () => {
  it("counts LF, CRLF and lone CR as line endings, and columns in UTF-16 code units", () => {
    const text = "a\nb\r\nc\rd\u2028😀e"
    expect(lineColumnAt(text, 0)).toEqual({ line: 1, column: 1 })
    expect(lineColumnAt(text, text.indexOf("b"))).toEqual({ line: 2, column: 1 })
    expect(lineColumnAt(text, text.indexOf("c"))).toEqual({ line: 3, column: 1 })
    expect(lineColumnAt(text, text.indexOf("e"))).toEqual({ line: 4, column: 5 })
    expect(lineColumnAt(text, 99)).toEqual(lineColumnAt(text, text.length))
  })
})

describe("createLineFinder", () => {
  it("agrees with lineColumnAt for every offset", () => {
    const text = fc.array(fc.constantFrom("a", "\n", "\r", "\r\n")).map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, (text) => {
        const find = createLineFinder(text)
        for (let offset = 0; offset <= text.length + 1; offset++) {
          expect(find(offset)).toEqual(lineColumnAt(text, offset))
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
