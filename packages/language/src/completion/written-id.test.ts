import { describe, expect, it } from "vitest"
import { writtenId } from "./written-id.ts"

const written = ["book", "tag-{{$index}}", "tag-{{$index}}-end", "{{name}}", "a{{x}}b{{y}}c"]

describe("the id in the file", () => {
  it.each([
    ["book", "book"],
    ["tag-{{$index}}", "tag-{{$index}}"],
  ])("is the displayed one if the file has it: %s", (shown, id) => {
    expect(writtenId(shown, written)).toBe(id)
  })

  it("is the only one whose literal parts match the displayed id", () => {
    expect(writtenId("tag-7", ["book", "tag-{{$index}}", "other-{{x}}"])).toBe("tag-{{$index}}")
    expect(writtenId("a1b2c", ["a{{x}}b{{y}}c", "b{{x}}"])).toBe("a{{x}}b{{y}}c")
  })

  it.each(["tag-", "tag-7-ends", "x-tag-7", "a1c", "gone"])("is none for %s", (shown) => {
    expect(writtenId(shown, ["tag-{{$index}}-end", "tag-{{$index}}!", "a{{x}}b{{y}}c"])).toBeUndefined()
  })

  it("is undefined if it is ambiguous", () => {
    expect(writtenId("tag-7", written)).toBeUndefined()
  })
})
