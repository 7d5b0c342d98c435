// Checks for any text that a server reads what the client wrote. Each style is read back by the rules for URLs.

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formText } from "./form-fields.ts"
import { encode, encodeReserved, encodeReservedInPath } from "./percent.ts"
import { spreadBare, spreadNamed } from "./spread-value.ts"

const text = fc.string({ unit: "binary" })
const list = fc.array(text, { minLength: 1, maxLength: 5 })
const object = fc.dictionary(text, text, { minKeys: 1, maxKeys: 5 })

const pairsOf = (pairs: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] => [
  ...new URLSearchParams(pairs.map(([name, value]) => `${name}=${value}`).join("&")),
]

describe("read back", () => {
  it("an exploded list is the list", () => {
    fc.assert(
      fc.property(text, list, (name, items) => {
        const pairs = spreadNamed(items, { name, style: "form", explode: true, encode })
        expect(pairsOf(pairs)).toEqual(items.map((item) => [name, item]))
      }),
    )
  })

  it("an exploded object is the object", () => {
    fc.assert(
      fc.property(object, (members) => {
        const pairs = spreadNamed(members, { name: "x", style: "form", explode: true, encode })
        expect(pairsOf(pairs)).toEqual(Object.entries(members))
      }),
    )
  })

  it.each([
    ["form", ","],
    ["spaceDelimited", "%20"],
    ["pipeDelimited", "%7C"],
    ["tabDelimited", "%09"],
  ])("a list in the style %s is the list, if no item contains the delimiter", (style, delimiter) => {
    const char = decodeURIComponent(delimiter)
    fc.assert(
      fc.property(list, (all) => {
        const items = delimiter === "," ? all : all.map((item) => item.replaceAll(char, "-"))
        const [pair] = spreadNamed(items, { name: "x", style, explode: false, encode })
        expect(pair?.[1].split(delimiter).map(decodeURIComponent)).toEqual(items)
      }),
    )
  })

  it("a deepObject is the object", () => {
    fc.assert(
      fc.property(object, (members) => {
        const pairs = spreadNamed(members, { name: "x", style: "deepObject", explode: true, encode })
        expect(pairsOf(pairs)).toEqual(Object.entries(members).map(([key, value]) => [`x[${key}]`, value]))
      }),
    )
  })

  it.each([
    ["simple", ","],
    ["label", ","],
    ["matrix", ","],
  ])("a list in the style %s of a path is the list, in one segment", (style, delimiter) => {
    fc.assert(
      fc.property(list, (items) => {
        const written = spreadBare(items, { name: "x", style, explode: false, encode })
        expect(written).not.toMatch(/[/?#]/)
        const own = { simple: "", label: ".", matrix: ";x=" }[style] ?? ""
        expect(written?.startsWith(own)).toBe(true)
        expect(written?.slice(own.length).split(delimiter).map(decodeURIComponent)).toEqual(items)
      }),
    )
  })

  it("a form is its fields", () => {
    fc.assert(
      fc.property(fc.dictionary(text, list, { maxKeys: 4 }), (fields) => {
        const flat = Object.entries(fields).flatMap(([name, items]) => items.map((item) => [name, item]))
        const written = formText(fields, undefined)
        expect([...new URLSearchParams(written)]).toEqual(flat)
        expect(written).toBe(new URLSearchParams(flat as [string, string][]).toString())
      }),
    )
  })

  it("reserved characters stay where they are allowed, and no text leaves its location", () => {
    fc.assert(
      fc.property(text, (any) => {
        const plain = any.replaceAll("%", "-")
        for (const [encoder, never] of [
          [encodeReserved, /[^\x21-\x7e]|#/],
          [encodeReservedInPath, /[^\x21-\x7e]|[/?#]/],
        ] as const) {
          expect(encoder(plain)).not.toMatch(never)
          expect(decodeURIComponent(encoder(plain))).toBe(plain)
        }
      }),
    )
  })
})
