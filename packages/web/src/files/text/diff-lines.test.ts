import { describe, expect, it } from "vitest"
import { chooseHunks, mergeTexts } from "./merge-texts.ts"
import { hunksBetween, linesOf, wordParts } from "./diff-lines.ts"
import { differenceOf, diffRows } from "./diff-rows.ts"

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`)
const text = (lines: readonly string[]): string => lines.join("")
const replaced = (lines: readonly string[], at: number, ...others: readonly string[]): readonly string[] =>
  lines.toSpliced(at, 1, ...others)

describe("the difference of two texts", () => {
  it("leads from one to the other if all of it is applied, and changes nothing if none is", () => {
    const samples = ["", "a", "a\n", "a\nb\n", "b\na\n", "a\r\nb\r\n", "a\nx\nb\n", "x\n", text(numbered(30))]
    for (const before of samples)
      for (const after of samples) {
        const difference = { before: linesOf(before), after: linesOf(after) }
        const hunks = hunksBetween(difference.before, difference.after)
        const all = new Set(hunks.keys())
        expect(chooseHunks(difference.before, difference.after, { hunks, chosen: all })).toBe(after)
        expect(chooseHunks(difference.before, difference.after, { hunks, chosen: new Set() })).toBe(before)
      }
  })

  it("is found in bounded time if nothing matches", () => {
    const before = Array.from({ length: 200_000 }, (_, index) => `a${index}\n`)
    const after = Array.from({ length: 200_000 }, (_, index) => `b${index}\n`)
    const start = performance.now()
    expect(hunksBetween(before, after)).toEqual([
      { before: { from: 0, to: 200_000 }, after: { from: 0, to: 200_000 } },
    ])
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  it("marks the words that differ, but none if the lines are unrelated", () => {
    const { before, after } = wordParts('  "price": 12,', '  "price": 13,')
    expect(before.filter(({ isOwn }) => isOwn).map((part) => part.text)).toEqual(["12"])
    expect(after.filter(({ isOwn }) => isOwn).map((part) => part.text)).toEqual(["13"])
    expect(wordParts("one two three", "x y z").before).toEqual([{ text: "one two three", isOwn: false }])
    expect(wordParts("x".repeat(3000), `${"x".repeat(3000)}y`).after).toHaveLength(1)
  })

  it("folds unchanged lines, except three around each change, and opens a fold", () => {
    const lines = numbered(40)
    const difference = differenceOf(text(lines), text(replaced(lines, 20, "other\n")))
    const rows = diffRows(difference, new Set())
    expect(rows.map(({ kind, number }) => `${kind} ${number}`)).toEqual([
      "fold 1",
      "same 18",
      "same 19",
      "same 20",
      "removed 21",
      "added 21",
      "same 22",
      "same 23",
      "same 24",
      "fold 25",
    ])
    expect(diffRows(difference, new Set([25])).filter(({ kind }) => kind === "same")).toHaveLength(3 + 19)
    expect(diffRows(differenceOf("a\n", "a\n"), new Set())).toMatchObject([{ kind: "same", number: 1 }])
  })

  it("shows that only line endings differ", () => {
    const rows = diffRows(differenceOf("a\r\n", "a\n"), new Set())
    expect(rows.map(({ kind }) => kind)).toEqual(["removed", "added"])
    expect(rows[0]?.kind === "removed" && rows[0].parts.map((part) => part.text).join("")).toBe("a\r")
  })
})

describe("a merge", () => {
  const base = numbered(20)

  it("takes the changes of both if they touch different lines", () => {
    const mine = replaced(base, 3, "mine\n", "mine too\n")
    const theirs = replaced(base, 15)
    expect(mergeTexts(text(base), text(mine), text(theirs))).toBe(text(replaced(mine, 16)))
    expect(mergeTexts(text(base), text(theirs), text(mine))).toBe(text(replaced(mine, 16)))
  })

  it("takes a change once if both have made it", () => {
    const same = replaced(base, 3, "same\n")
    expect(mergeTexts(text(base), text(same), text(replaced(same, 9, "more\n")))).toBe(
      text(replaced(same, 9, "more\n")),
    )
  })

  it("fails if both have changed the same or adjacent lines", () => {
    expect(
      mergeTexts(text(base), text(replaced(base, 3, "a\n")), text(replaced(base, 3, "b\n"))),
    ).toBeUndefined()
    expect(
      mergeTexts(text(base), text(replaced(base, 3, "a\n")), text(replaced(base, 4, "b\n"))),
    ).toBeUndefined()
    expect(mergeTexts("", "a\n", "b\n")).toBeUndefined()
  })
})
