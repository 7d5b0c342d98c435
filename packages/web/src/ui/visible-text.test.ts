import { describe, expect, it } from "vitest"
import { visibleLines, visibleText, shellWord } from "./visible-text.ts"

describe("visible text", () => {
  it("shows control characters, direction marks and zero-width spaces as symbols", () => {
    expect(visibleText("a\u0000b\u001b[31m\u007f\u0085")).toBe("a␀b␛[31m␡[U+0085]")
    expect(visibleText("\u202eevil\u2066\ufeff\u200b")).toBe("[U+202E]evil[U+2066][U+FEFF][U+200B]")
    expect(visibleText("a\nb\tc\r\nd")).toBe("a␊b␉c␍␊d")
  })

  it("keeps letters, accents and joined emoji", () => {
    for (const text of ["shop", "ü ñ 漢字 עברית", "👩‍👩‍👧‍👦", "e\u0301", ""]) expect(visibleText(text)).toBe(text)
  })

  it("keeps lines and tabs where they fit, but no carriage return", () => {
    expect(visibleLines("a\r\nb\tc\rd\u0000")).toBe("a\nb\tc␍d␀")
  })
})

describe("an argument of a command", () => {
  it("is unquoted if every shell accepts that, and quoted otherwise", () => {
    expect(["checkout", "a-b_c.d", "x y", "it's", "$HOME", "~", ""].map(shellWord)).toEqual([
      "checkout",
      "a-b_c.d",
      "'x y'",
      String.raw`'it'\''s'`,
      "'$HOME'",
      "'~'",
      "''",
    ])
  })

  it("is undefined if it would be read as an option or hides something", () => {
    expect(["--yes", "-x", "a\nrm", "a\u001bb", "\u202ea"].map(shellWord)).toEqual(Array(5).fill(undefined))
  })
})
