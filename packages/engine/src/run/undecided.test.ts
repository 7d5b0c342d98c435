import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { holdsUnknown, isUnknownAt } from "./undecided.ts"

const isUnknown = (value: JsonValue): boolean => holdsUnknown(value, "***")

describe("a violation", () => {
  it.each<readonly [string, JsonValue, string]>([
    ["is at a masked value", { id: "***" }, "/body/id"],
    ["is at a part of it", { id: { left: "a***" } }, "/body/id"],
    ["misses a member that may have a masked name", { "***": 1 }, "/body/id"],
    ["is at a field of a form with a masked value", "id=***&name=a", "/body/id"],
    ["misses a field of such a form", "name=***", "/body/id"],
    ["is at such a form", "id=***", "/body"],
  ])("may not be one if it %s", (_, body, pointer) => {
    expect(isUnknownAt({ body }, pointer, isUnknown)).toBe(true)
  })

  it.each<readonly [string, JsonValue, string]>([
    ["a known value", { id: "x", other: "***" }, "/body/id"],
    ["a missing member", { name: "***" }, "/body/id"],
    ["a field of a known form", "id=x", "/body/id"],
    ["nothing", null, "/body/id"],
  ])("is one at %s", (_, body, pointer) => {
    expect(isUnknownAt({ body }, pointer, isUnknown)).toBe(false)
  })
})
