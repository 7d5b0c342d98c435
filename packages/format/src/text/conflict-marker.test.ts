import { describe, expect, it } from "vitest"
import { conflictMarkerAt } from "./conflict-marker.ts"

describe("conflictMarkerAt", () => {
  it("finds the first marker line", () => {
    expect(conflictMarkerAt("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n")).toBe(2)
    expect(conflictMarkerAt("a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n")).toBe(3)
    expect(conflictMarkerAt("<<<<<<<\n")).toBe(0)
  })

  it("finds the rest of a conflict that was only half removed", () => {
    expect(conflictMarkerAt("a\n=======\nc\n>>>>>>> x")).toBe(2)
    expect(conflictMarkerAt("a\n||||||| base\nc\n>>>>>>> x")).toBe(2)
  })

  it("ignores markers of other lengths, inside lines or without a side", () => {
    for (const text of [
      "=======\n",
      "x <<<<<<< y",
      "x\u2028<<<<<<< y",
      "<<<<<<<< 8\n",
      "<<<<<<<x\n",
      "====\n>>>>>>>>",
      "",
    ]) {
      expect(conflictMarkerAt(text)).toBeUndefined()
    }
  })
})
