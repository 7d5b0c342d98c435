import { describe, expect, it } from "vitest"
import { parseJson, type Problem } from "@callsheet/format"
import { hunksBetween, linesOf } from "./diff-lines.ts"
import { mergeFiles, ownHunks, type Versions } from "./merge-texts.ts"

const problemsOf = (text: string): readonly Problem[] => {
  const parsed = parseJson(text)
  return parsed.ok ? [] : parsed.findings.map((finding) => ({ ...finding, severity: "error" }))
}
const merge = (versions: Versions<string>) => mergeFiles(versions, problemsOf)
const lines = (...members: readonly string[]): string => `{\n  ${members.join(",\n  ")}\n}\n`

const base = lines('"version": 1', '"name": "a"', '"blocks": []')

describe("merging two changes of a JSON file", () => {
  it("takes a member that both added at different lines once, and keeps the formatting", () => {
    const mine = lines('"version": 1', '"timeoutMs": 5', '"name": "a"', '"blocks": []')
    const theirs = lines('"version": 1', '"name": "a"', '"blocks": []', '"timeoutMs": 5', '"x": 1')
    expect(merge({ base, mine, theirs })).toBe(theirs)
  })

  it("merges different members on the same line", () => {
    expect(
      merge({
        base: '{ "a": 1, "b": 2, "c": 3 }',
        mine: '{ "a": 1, "b": 9 }',
        theirs: '{ "a": 7, "b": 2, "c": 3 }',
      }),
    ).toBe('{ "a": 7, "b": 9 }')
  })

  it("offers nothing if both set one member to different values", () => {
    const mine = lines('"version": 1', '"timeoutMs": 5', '"name": "a"', '"blocks": []')
    const theirs = lines('"version": 1', '"name": "a"', '"blocks": []', '"timeoutMs": 6')
    expect(merge({ base, mine, theirs })).toBeUndefined()
  })

  it("offers nothing if one removed what the other changed", () => {
    const [mine, theirs] = ['{ "a": { "b": 1 } }', "{}"]
    expect(merge({ base: '{ "a": { "b": 0 } }', mine, theirs })).toBeUndefined()
  })
})

it("knows which differences are changes of mine, and which only of theirs", () => {
  const [mine, theirs] = ["a\nB\nc\nd\ne\nf\n", "a\nx\nc\nd\nE\nf\n"].map(linesOf) as [string[], string[]]
  const hunks = hunksBetween(theirs, mine)
  expect([...ownHunks({ after: mine, hunks }, "a\nb\nc\nd\ne\nf\n")]).toEqual([0])
  expect([...ownHunks({ after: mine, hunks }, undefined)]).toEqual([0, 1])
})
