import { describe, expect, it } from "vitest"
import { markup, Markup, MAX_JOINED } from "./markup.ts"

describe("markup", () => {
  it.each([10, MAX_JOINED])(
    "escapes text and keeps the order of its parts, with a part of %i characters",
    (size) => {
      const part = markup`<i>${"x".repeat(size)}</i>`
      const made = markup`<p>${"<&>"}${[part, undefined, [markup`<b>`, 7]]}${part}</p>`
      const expected = `<p>&lt;&amp;&gt;${part.text}<b>7${part.text}</p>`
      expect([made.text, made.length, [...made.pieces()].join("")]).toEqual([
        expected,
        expected.length,
        expected,
      ])
    },
  )

  it("may nest deeper than the stack", () => {
    let made = new Markup("x".repeat(MAX_JOINED + 1))
    for (let depth = 0; depth < 20_000; depth++) made = markup`<p>${made}</p>`
    expect(made.text).toHaveLength(20_000 * 7 + MAX_JOINED + 1)
  })
})
