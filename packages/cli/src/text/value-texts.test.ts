import { describe, expect, it } from "vitest"
import { differingTexts } from "./value-texts.ts"

describe("differingTexts", () => {
  it("shows short values whole", () => {
    expect(differingTexts("a", "b", 20)).toEqual(['"a"', '"b"'])
    expect(differingTexts(1, "1", 20)).toEqual(["1", '"1"'])
    expect(differingTexts(undefined, null, 20)).toEqual(["nothing", "null"])
  })

  it("shows the digits that differ of long integers", () => {
    const digits = "7".repeat(400)
    const [left, right] = differingTexts(BigInt(`${digits}1`), BigInt(`${digits}2`), 20)
    expect([left, right]).toEqual([`…${"7".repeat(19)}1`, `…${"7".repeat(19)}2`])
  })

  it("marks where a text goes on", () => {
    const [left, right] = differingTexts(`${"a".repeat(50)}|${"b".repeat(50)}`, "a".repeat(50), 12)
    expect(left).toBe('…"aaa|bbbbbbbb"…')
    expect(right).toBe('…"aaa"')
  })

  it("keeps a character of two units whole", () => {
    for (let length = 50; length < 54; length++) {
      const [left] = differingTexts("😀".repeat(60), `${"😀".repeat(length)}x`, 13)
      expect(left).toMatch(/^…"(?:😀)+"…?$/u)
    }
  })

  it("prints no character that moves the cursor", () => {
    expect(differingTexts("a\u001b[2J", "b\u202e", 20)).toEqual(['"a\\u001b[2J"', '"b\\u202e"'])
  })
})
