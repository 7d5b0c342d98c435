// Sets, replaces or removes one key of any value file: one line changes, and every other byte stays.

import { deleteJsonAt, parseJson, setJsonAt, stringifyJson, type JsonObject } from "@callsheet/format"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jsonText, type JsonText } from "./json-texts.ts"
import { changedLines } from "./lines.ts"

const RUNS = { seed: 20_261_121, numRuns: 1_000 }

/** Key and value of each member as JSON text, in order. */
function membersOf(text: string): readonly string[] {
  const parsed = parseJson(text.replace(/^\ufeff/, ""))
  if (!parsed.ok) throw new Error(`it does not parse: ${JSON.stringify(text)}`)
  return Object.entries(parsed.value as JsonObject).map(
    ([key, value]) => `${JSON.stringify(key)}:${stringifyJson(value)}`,
  )
}

function edited(result: ReturnType<typeof setJsonAt>): string {
  if (!result.ok) throw new Error("the edit was rejected")
  return result.text
}

/** `before` and `after` differ in one contiguous range at most. */
function difference(before: string, after: string): { readonly gone: string; readonly come: string } {
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  return {
    gone: before.slice(start, before.length - end),
    come: after.slice(start, after.length - end),
  }
}

const value = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.integer(),
  fc.boolean(),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }),
)
const pick = fc.nat({ max: 1_000 })

const chosen = ({ members }: JsonText, at: number) => members[at % members.length]

describe("an edit of a value file", () => {
  it("replaces a value in place, and changes nothing else", () => {
    fc.assert(
      fc.property(jsonText, pick, value, (file, at, next) => {
        const member = chosen(file, at)
        fc.pre(member !== undefined)
        const after = edited(setJsonAt(file.text, [member.key], next))
        const written = typeof next === "bigint" ? String(next) : JSON.stringify(next)
        const position = file.members.indexOf(member)
        expect(membersOf(after)).toEqual(
          membersOf(file.text).with(position, `${JSON.stringify(member.key)}:${written}`),
        )
        // Restoring the value's old text gives the old file.
        const { gone, come } = difference(file.text, after)
        expect(member.value).toContain(gone)
        expect(written).toContain(come)
        expect(after.length - file.text.length).toBe(
          after === file.text ? 0 : written.length - member.value.length,
        )
        if (file.isOneKeyPerLine && after !== file.text) {
          expect(changedLines(file.text, after)).toEqual({ removed: 1, added: 1 })
        }
      }),
      RUNS,
    )
  })

  it("appends a key, on its own line if the others have theirs", () => {
    fc.assert(
      fc.property(jsonText, value, (file, next) => {
        const after = edited(setJsonAt(file.text, ["new"], next))
        const written = typeof next === "bigint" ? String(next) : JSON.stringify(next)
        expect(membersOf(after)).toEqual([...membersOf(file.text), `"new":${written}`])
        // An empty object expands.
        if (file.members.length === 0) return
        const { gone, come } = difference(file.text, after)
        // Whitespace after the last value may count as part of the new line.
        const bare = (piece: string) => piece.replaceAll(/[\s,]/g, "")
        expect([bare(gone), bare(come)]).toEqual(["", bare(`"new":${written}`)])
        // The line of the key, and the one before it, which gets a comma.
        if (file.isOneKeyPerLine) expect(changedLines(file.text, after)).toEqual({ removed: 1, added: 2 })
      }),
      RUNS,
    )
  })

  it("removes a key with its line, and the comma before it only if it was the last one", () => {
    fc.assert(
      fc.property(jsonText, pick, (file, at) => {
        const member = chosen(file, at)
        fc.pre(member !== undefined)
        const after = edited(deleteJsonAt(file.text, [member.key]))
        const position = file.members.indexOf(member)
        expect(membersOf(after)).toEqual(membersOf(file.text).toSpliced(position, 1))
        // An empty object collapses.
        if (file.members.length === 1 || !file.isOneKeyPerLine) return
        const isLast = position === file.members.length - 1
        expect(changedLines(file.text, after)).toEqual(
          isLast ? { removed: 2, added: 1 } : { removed: 1, added: 0 },
        )
      }),
      RUNS,
    )
  })

  it("leaves no trace when reverted by hand", () => {
    fc.assert(
      fc.property(jsonText, value, (file, next) => {
        fc.pre(file.members.length > 0)
        const there = edited(setJsonAt(file.text, ["new"], next))
        expect(edited(deleteJsonAt(there, ["new"]))).toBe(file.text)
      }),
      RUNS,
    )
  })
})
