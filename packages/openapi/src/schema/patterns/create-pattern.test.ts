import { describe, expect, it } from "vitest"
import { chanceOf } from "../../testing/make-value.ts"
import { compilePattern, runPattern } from "./pattern-machine.ts"
import { createPattern, PatternTooSlow } from "./create-pattern.ts"
import { parsePattern } from "./parse-pattern.ts"

const pieces = [
  ..."ab-.^$|*+?{]".split(""),
  ..."\\d \\w \\s \\b \\B \\n \\- \\x61 \\p{L} [ab] [^a] [\\]\\-a] [^] []".split(" "),
  ..."( (?: (?= (?! (?<n> ) ) ) {2} {1,3} {0,2} {2,} *? +?".split(" "),
  ..."\u{1f600} \\u{1f600} \\ud83d\\ude00".split(" "),
]
const letters = ["a", "b", "-", "1", "\u{1f600}", "\n", "_", "\ud83d", "é", "{"]

const flagsOf = (source: string): string | undefined =>
  ["u", ""].find((flags) => {
    try {
      return new RegExp(source, flags)
    } catch {
      return false
    }
  })

const codesOf = (text: string, flags: string): readonly number[] =>
  flags === "u"
    ? Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
    : text.split("").map((letter) => letter.charCodeAt(0))

const programOf = (source: string, flags: string) => {
  const node = parsePattern(source, flags === "u")
  return node && compilePattern(node, flags)
}

describe("the matcher without backtracking", () => {
  it("agrees with RegExp on every text", () => {
    const chance = chanceOf(7)
    const randomText = (from: readonly string[], maxLength: number): string =>
      Array.from(
        { length: Math.floor(chance() * maxLength) },
        () => from[Math.floor(chance() * from.length)],
      ).join("")
    const counts = { true: 0, false: 0 }
    for (let round = 0; round < 60_000; round++) {
      const source = randomText(pieces, 10)
      const flags = flagsOf(source)
      const program = flags === undefined ? undefined : programOf(source, flags)
      if (flags === undefined || program === undefined) continue
      // V8 also matches between the halves of a surrogate pair, which ECMA-262 does not.
      if (flags === "u" && source.includes("\\B")) continue
      for (const text of Array.from({ length: 4 }, () => randomText(letters, 7))) {
        const expected = new RegExp(source, flags).test(text)
        counts[`${expected}`]++
        const found = runPattern(program, { codes: codesOf(text, flags), budget: { left: 1e6 } })
        if (found !== expected) throw new Error(JSON.stringify([source, flags, text, found]))
      }
    }
    expect(counts.true).toBeGreaterThan(5_000)
    expect(counts.false).toBeGreaterThan(5_000)
  })

  it.each([
    "^(?=.*[a-z])(?=.*\\d)[\\w.-]{8,64}$",
    "^(?:[01]\\d|2[0-3]):[0-5]\\d$",
    "(?<!a)b",
    "(a)\\1",
    "(?=a)*",
  ])("reads %s or declines it", (source) => {
    const flags = flagsOf(source) ?? ""
    const isBeyond = /<!|\\1|\)\*/.test(source)
    expect(programOf(source, flags) === undefined).toBe(isBeyond)
  })

  it("never compiles a program of a million parts", () => {
    expect(programOf("(?:a{1,1000}){1,1000}", "u")).toBeUndefined()
    expect(programOf("(?:){1000000000}", "u")).toBeDefined()
  })
})

describe("a pattern", () => {
  const budget = () => ({ left: 10_000_000 })

  it.each([
    ["^(a+)+$", "a".repeat(30_000), true],
    ["^(a+)+$", `${"a".repeat(30_000)}b`, false],
    ["^(a|a)*$", `${"a".repeat(30_000)}b`, false],
    ["^(\\w+\\s?)*$", `${"word ".repeat(10_000)}!`, false],
    ["^(?=.*\\d)(\\w|\\w)+$", `${"a".repeat(30_000)}1`, true],
    ["a*a*a*a*b", "a".repeat(30_000), false],
    ["\\s+$", `${" ".repeat(200_000)}x`, false],
    ["^(\u{1f600}+)+$", "\u{1f600}".repeat(10_000), true],
    ["^(?:x?){40}x{40}$", "x".repeat(40), true],
  ])("%s is matched quickly against a long text", (source, text, expected) => {
    expect(createPattern(source, budget()).test(text)).toBe(expected)
  })

  it.each([
    ["^(a+)+\\1$", `${"a".repeat(40)}!`, "aa"],
    ["(?<=(a+)+)b$", "a".repeat(40), "ab"],
    ["(?=.*x)y", "y".repeat(30_000), "yx"],
  ])("%s gives up only on what would take too long", (source, long, short) => {
    const pattern = createPattern(source, budget())
    expect(() => pattern.test(long)).toThrow(PatternTooSlow)
    expect(pattern.test(short)).toBe(true)
  })

  it("reports an invalid pattern as an error", () => {
    expect(() => createPattern("(", budget())).toThrow(SyntaxError)
  })
})
