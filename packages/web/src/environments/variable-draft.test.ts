import { describe, expect, it } from "vitest"
import type { VariableView } from "@callsheet/server/calls"
import { readTyped } from "./value-text.ts"
import {
  changedDefault,
  changeOfDraft,
  draftOf,
  emptyVariable,
  checkDefault,
  checkVariable,
} from "./variable-draft.ts"

const timeout: VariableView = {
  name: "timeout",
  type: "number",
  required: false,
  secret: false,
  default: 5000,
}

describe("a declaration while it is typed", () => {
  it("contains exactly what was typed", () => {
    const draft = changedDefault({ ...emptyVariable, name: "retries", type: "number", required: true }, "3")
    expect(changeOfDraft(draft, undefined)).toEqual({
      do: "add",
      name: "retries",
      declaration: { type: "number", required: true, default: 3 },
    })
  })

  it("keeps an untouched default as the file has it", () => {
    for (const known of [
      timeout,
      { ...timeout, default: null },
      { ...timeout, type: "string", default: "" },
    ] as const)
      expect(changeOfDraft({ ...draftOf(known), description: "x" }, known)).toMatchObject({
        keepDefault: true,
        declaration: { description: "x" },
      })
    expect(changeOfDraft(changedDefault(draftOf(timeout), ""), timeout)).toEqual({
      do: "change",
      name: "timeout",
      declaration: { type: "number", required: false },
    })
  })

  it("converts the default to text when the type changes, and removes it for a secret", () => {
    expect(changeOfDraft({ ...draftOf(timeout), type: "string" }, timeout)).toEqual({
      do: "change",
      name: "timeout",
      declaration: { type: "string", required: false, default: "5000" },
    })
    const masked = { ...timeout, isDefaultMasked: true } as const
    expect(changeOfDraft({ ...draftOf(masked), type: "string" }, masked)).toMatchObject({ keepDefault: true })
    expect(changeOfDraft({ ...draftOf(timeout), secret: true }, timeout)).toEqual({
      do: "change",
      name: "timeout",
      declaration: { type: "number", required: false, secret: true },
    })
  })

  it("says what happens to the values when a secret becomes public", () => {
    const secret = { ...timeout, secret: true, hasSecretDefault: true } as const
    expect(changeOfDraft({ ...draftOf(secret), secret: false, secretValues: "move" }, secret)).toMatchObject({
      secretValues: "move",
    })
    expect(changeOfDraft(draftOf(secret), secret)).not.toHaveProperty("secretValues")
    expect(changeOfDraft({ ...draftOf(secret), keepsDefault: false }, secret)).not.toHaveProperty(
      "keepDefault",
    )
  })

  it("rejects names and defaults that the format does not allow, but nothing that is still empty", () => {
    expect(checkVariable("", [timeout])).toBeUndefined()
    expect(checkVariable("tls", [])).toContain("can't be a variable")
    expect(checkVariable("1st", [])).toContain("is not a valid name")
    expect(checkVariable("timeout", [timeout])).toContain("already declared")
    expect(checkDefault({ ...emptyVariable, type: "boolean", default: "yes" })).toContain("true or false")
    expect(checkDefault({ ...emptyVariable, type: "number" })).toBeUndefined()
  })
})

describe("a value while it is typed", () => {
  it("is a number by JSON's grammar, with every digit that a double would round", () => {
    expect(readTyped("1e3", "number")).toEqual({ value: 1000 })
    expect(readTyped(" 5 ", "number")).toEqual({ value: 5 })
    expect(readTyped("123456789012345678901", "number")).toEqual({ value: "123456789012345678901" })
    for (const text of ["", "0x10", "1_000", "+1", "01", ".5", "1e400", "NaN", "٣"])
      expect(readTyped(text, "number"), text).toHaveProperty("fault")
  })

  it("is a text unchanged, and true or false only by these words", () => {
    expect(readTyped(" a ", "string")).toEqual({ value: " a " })
    expect(readTyped("true", "boolean")).toEqual({ value: true })
    for (const text of ["True", "1", "yes", ""])
      expect(readTyped(text, "boolean"), text).toHaveProperty("fault")
  })
})
