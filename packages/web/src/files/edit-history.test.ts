import { describe, expect, it } from "vitest"
import { noHistory, redoStep, undoStep, withStep, type EditHistory } from "./edit-history.ts"
import { applyChange, changeBetween, inverted, joined } from "./text/text-change.ts"

interface Edited {
  readonly history: EditHistory
  readonly text: string
}

/** Types these texts one after another at these times. */
function typed(
  start: string,
  steps: readonly (readonly [text: string, now: number, merge?: string])[],
): Edited {
  return steps.reduce<Edited>(
    ({ history, text }, [next, now, merge]) => {
      const change = changeBetween(text, next)
      return change === undefined
        ? { history, text }
        : { history: withStep(history, change, { now, merge }), text: next }
    },
    { history: noHistory, text: start },
  )
}

const texts = [
  "",
  "a",
  "abc",
  "aXbc",
  "abcabc",
  "ab\r\nc",
  "👍a👎",
  "👎a👍",
  "👎",
  "👍👍👍",
  "ü",
  "aa",
  "aaa",
]

describe("a change between two texts", () => {
  it("leads from one to the other and back, for any two", () => {
    for (const before of texts)
      for (const after of texts) {
        const change = changeBetween(before, after)
        if (before === after) expect(change).toBeUndefined()
        else if (change !== undefined) {
          expect(applyChange(before, change), `${before} > ${after}`).toBe(after)
          expect(applyChange(after, inverted(change)), `${after} > ${before}`).toBe(before)
        }
      }
  })

  it("is minimal, and never half a character", () => {
    expect(changeBetween("one two three", "one 2 three")).toEqual({ at: 4, removed: "two", inserted: "2" })
    expect(changeBetween("a👍", "a👎")).toEqual({ at: 1, removed: "👍", inserted: "👎" })
    // The low surrogates are equal, but the high ones differ.
    expect(changeBetween("\u{1f44d}", "\u{1f84d}")).toEqual({
      at: 0,
      removed: "\u{1f44d}",
      inserted: "\u{1f84d}",
    })
  })

  it("merges with the change before it if they touch", () => {
    const type = { at: 3, removed: "", inserted: "ab" }
    expect(joined(type, { at: 5, removed: "", inserted: "c" })).toEqual({
      at: 3,
      removed: "",
      inserted: "abc",
    })
    expect(joined(type, { at: 4, removed: "b", inserted: "" })).toEqual({ at: 3, removed: "", inserted: "a" })
    expect(joined(type, { at: 2, removed: "x", inserted: "" })).toEqual({
      at: 2,
      removed: "x",
      inserted: "ab",
    })
    expect(joined(type, { at: 9, removed: "", inserted: "c" })).toBeUndefined()
  })
})

describe("the history of a text", () => {
  it("undoes one step at a time, back to the first text and forward again", () => {
    let state = typed("a", [
      ["ab", 0],
      ["xab", 10],
      ["x", 20],
    ])
    const seen: string[] = [state.text]
    for (let undone = undoStep(state.history, state.text); undone !== undefined;) {
      state = undone
      seen.push(state.text)
      undone = undoStep(state.history, state.text)
    }
    expect(seen).toEqual(["x", "xab", "ab", "a"])
    for (let redone = redoStep(state.history, state.text); redone !== undefined;) {
      state = redone
      redone = redoStep(state.history, state.text)
    }
    expect(state.text).toBe("x")
  })

  it("merges changes with the same key within a second, and no others", () => {
    const state = typed("", [
      ["a", 0, "k"],
      ["ab", 900, "k"],
      ["abc", 1800, "k"],
      ["abcd", 2800, "k"],
      ["abcde", 2900, "other"],
      ["abcdef", 2950],
    ])
    const back: string[] = []
    for (
      let undone = undoStep(state.history, state.text);
      undone !== undefined;
      undone = undoStep(undone.history, undone.text)
    )
      back.push(undone.text)
    expect(back).toEqual(["abcde", "abcd", "abc", ""])
  })

  it("undoes a step with changes at several positions", () => {
    const state = typed("one two", [
      ["one! two", 0, "k"],
      ["one! two!", 10, "k"],
      ["One! two!", 20, "k"],
    ])
    const undone = undoStep(state.history, state.text)
    expect(undone?.text).toBe("one two")
    expect(redoStep(undone?.history ?? noHistory, undone?.text ?? "")?.text).toBe("One! two!")
  })

  it("starts a new step after an undo, whatever precedes it", () => {
    const state = typed("", [
      ["a", 0, "k"],
      ["ab", 10],
    ])
    const undone = undoStep(state.history, state.text)
    const change = changeBetween("a", "ac")
    if (undone === undefined || change === undefined) throw new Error("there is a step, and the texts differ")
    const more = withStep(undone.history, change, { now: 20, merge: "k" })
    expect(undoStep(more, "ac")?.text).toBe("a")
  })

  it("never adds to a step that was undone and redone, and forgets undone steps when something is typed", () => {
    const first = typed("", [["a", 0, "k"]])
    const undone = undoStep(first.history, first.text) ?? first
    const redone = redoStep(undone.history, undone.text) ?? first
    const change = changeBetween("a", "ab")
    if (change === undefined) throw new Error("the texts differ")
    const typedMore = withStep(redone.history, change, { now: 5, merge: "k" })
    expect(undoStep(typedMore, "ab")?.text).toBe("a")
    const other = withStep(undone.history, { at: 0, removed: "", inserted: "z" }, { now: 5 })
    expect(redoStep(other, "z")).toBeUndefined()
  })

  it("stays within its limit, and always keeps the last step", () => {
    const many = typed(
      "",
      Array.from({ length: 1200 }, (_, index) => [`${index}`, index * 2000] as const),
    )
    expect(many.history.past).toHaveLength(1000)
    const huge = "x".repeat(12_000_000)
    const large = typed("", [
      [huge, 0],
      ["", 2000],
      [huge, 4000],
    ])
    expect(large.history.past).toHaveLength(1)
    expect(undoStep(large.history, large.text)?.text).toBe("")
  })
})
