import { describe, expect, it } from "vitest"
import { shellWord } from "./shell-word.ts"
import { visibleLines, visibleText } from "./visible-text.ts"

describe("visible text", () => {
  it("shows control characters, turns of direction and blanks without width as symbols", () => {
    expect(visibleText("a\u0000b\u001b[31m\u007f\u0085")).toBe("a␀b␛[31m␡[U+0085]")
    expect(visibleText("\u202eevil\u2066\ufeff\u200b")).toBe("[U+202E]evil[U+2066][U+FEFF][U+200B]")
    expect(visibleText("a\nb\tc\r\nd")).toBe("a␊b␉c␍␊d")
  })

  it("keeps letters, accents and emoji that are joined", () => {
    for (const text of ["shop", "ü ñ 漢字 עברית", "👩‍👩‍👧‍👦", "e\u0301", ""]) expect(visibleText(text)).toBe(text)
  })

  it("keeps lines and tabs where there is room for them, and no carriage return", () => {
    expect(visibleLines("a\r\nb\tc\rd\u0000")).toBe("a\nb\tc␍d␀")
  })
})

describe("a word of a command", () => {
  it("stands as it is where every shell takes it so, and in quotes elsewhere", () => {
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

  it("is none where it would be read as an option, or hides something", () => {
    expect(["--yes", "-x", "a\nrm", "a\u001bb", "\u202ea"].map(shellWord)).toEqual(Array(5).fill(undefined))
  })
})
