import { describe, expect, it } from "vitest"
import { searchInPieces, type SecretSearch } from "./search-pieces.ts"

const word = "tok-4711"
const searched: string[] = []
const search: SecretSearch = (text) => {
  searched.push(text)
  return [...text.matchAll(new RegExp(word, "g"))].map(({ index }) => ({
    from: index,
    to: index + word.length,
    secret: 0,
  }))
}

describe("searchInPieces", () => {
  it.each([" ", "x"])("finds each secret of a long text once, wherever a piece ends: %j", (filler) => {
    const places = Array.from({ length: 300 }, (_, at) => at * 997 + 3)
    let text = filler.repeat(300 * 997 + 20)
    for (const at of places) text = text.slice(0, at) + word + text.slice(at + word.length)
    const find = searchInPieces(search, word.length)
    expect(find(text).map(({ from, to }) => [from, to])).toEqual(places.map((at) => [at, at + word.length]))
    expect(Math.max(...searched.map(({ length }) => length))).toBeLessThan(70_000)
  })

  it("starts no piece within an encoded run", () => {
    searched.length = 0
    const run = "QUJD".repeat(20)
    searchInPieces(search, word.length)(`"${run}" `.repeat(3_000))
    expect(searched.length).toBeGreaterThan(2)
    for (const piece of searched) expect(piece).toMatch(/^[" ]/)
  })
})
