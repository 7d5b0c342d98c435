// Sets, replaces or removes one secret of any secrets file: every other line stays, byte for byte.

import { parseSecretsFile, setSecret, unsetSecret } from "@callsheet/format"
import { parse } from "dotenv"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dotenvText } from "./dotenv-texts.ts"

const RUNS = { seed: 20_261_121, numRuns: 1_000 }

const value = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("", "a b", " a ", "a#b", "a\nb", "it's", `"'`, "\\", "C:\\new", "$x", "export x=y"),
)

const body = (text: string) => text.replace(/^\ufeff/, "")
const read = (text: string) => parseSecretsFile(body(text)).entries.map((entry) => [entry.name, entry.value])
/** The value of a name, according to the package that defines the dialect. */
const byDotenv = (text: string) => parse(body(text))

describe("an edit of a secrets file", () => {
  it("starts from texts that read as generated", () => {
    fc.assert(
      fc.property(dotenvText, ({ text, pieces }) => {
        expect(read(text)).toEqual(
          pieces.filter(({ name }) => name !== undefined).map((piece) => [piece.name, piece.value]),
        )
      }),
      RUNS,
    )
  })

  it("replaces the last value of a name in place, and keeps every other line", () => {
    fc.assert(
      fc.property(dotenvText, fc.nat(7), value, ({ text, pieces }, at, next) => {
        const named = pieces.filter(({ name }) => name !== undefined)
        const { name } = named[at % named.length] ?? {}
        fc.pre(name !== undefined)
        const result = setSecret(text, name, next)
        if (!result.ok) return expect(result.code).toBe("secret-unquotable")
        const target = pieces.findLastIndex((piece) => piece.name === name)
        const head =
          text.slice(0, text.length - body(text).length) +
          pieces
            .slice(0, target)
            .map((piece) => piece.text)
            .join("")
        const tail = pieces
          .slice(target + 1)
          .map((piece) => piece.text)
          .join("")
        expect([result.text.startsWith(head), result.text.endsWith(tail)]).toEqual([true, true])
        const line = result.text.slice(head.length, result.text.length - tail.length)
        // Indentation, export, name, comment and line ending of the line itself stay too.
        const old = pieces[target]?.text ?? ""
        expect(line.startsWith(old.slice(0, old.search(/=|: /) + 1))).toBe(true)
        expect(/(?: # theirs)?\s*$/.exec(line)?.[0]).toContain(/(?: # theirs)?[\r\n]*$/.exec(old)?.[0] ?? "")
        expect(byDotenv(result.text)).toEqual({ ...byDotenv(text), [name]: next })
      }),
      RUNS,
    )
  })

  it("adds a name on a new last line", () => {
    fc.assert(
      fc.property(dotenvText, value, ({ text }, next) => {
        const result = setSecret(text, "fresh", next)
        if (!result.ok) return expect(result.code).toBe("secret-unquotable")
        expect(result.text.startsWith(text)).toBe(true)
        expect(result.text.slice(text.length)).toMatch(/^\r?\n?fresh=[^]*\r?\n$/)
        expect(byDotenv(result.text)).toEqual({ ...byDotenv(text), fresh: next })
      }),
      RUNS,
    )
  })

  it("removes all lines of a name and no other byte", () => {
    fc.assert(
      fc.property(dotenvText, fc.nat(7), ({ text, pieces }, at) => {
        const named = pieces.filter(({ name }) => name !== undefined)
        const { name } = named[at % named.length] ?? {}
        fc.pre(name !== undefined)
        const result = unsetSecret(text, name)
        const kept = pieces.filter((piece) => piece.name !== name).map((piece) => piece.text)
        expect(result).toEqual({
          ok: true,
          text: text.slice(0, text.length - body(text).length) + kept.join(""),
        })
      }),
      RUNS,
    )
  })
})
