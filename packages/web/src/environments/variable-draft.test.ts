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

describe("a declaration that is typed", () => {
  it("holds what was typed and no more", () => {
    const draft = changedDefault({ ...emptyVariable, name: "retries", type: "number", required: true }, "3")
    expect(changeOfDraft(draft, undefined)).toEqual({
      do: "add",
      name: "retries",
      declaration: { type: "number", required: true, default: 3 },
    })
  })

  it("keeps the default that nobody has touched, as the file has it", () => {
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

  it("gives the default as its text where the type becomes another, and none where it becomes a secret", () => {
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

  it("says what becomes of the values of a secret that is one no longer", () => {
    const secret = { ...timeout, secret: true, hasSecretDefault: true } as const
    expect(changeOfDraft({ ...draftOf(secret), secret: false, secretValues: "move" }, secret)).toMatchObject({
      secretValues: "move",
    })
    expect(changeOfDraft(draftOf(secret), secret)).not.toHaveProperty("secretValues")
    expect(changeOfDraft({ ...draftOf(secret), keepsDefault: false }, secret)).not.toHaveProperty(
      "keepDefault",
    )
  })

  it("objects to names and defaults that the format does not allow, and to nothing that is empty yet", () => {
    expect(checkVariable("", [timeout])).toBeUndefined()
    expect(checkVariable("tls", [])).toContain("can't be a variable")
    expect(checkVariable("1st", [])).toContain("is not a valid name")
    expect(checkVariable("timeout", [timeout])).toContain("declared already")
    expect(checkDefault({ ...emptyVariable, type: "boolean", default: "yes" })).toContain("true or false")
    expect(checkDefault({ ...emptyVariable, type: "number" })).toBeUndefined()
  })
})

describe("a value that is typed", () => {
  it("is a number by JSON's grammar, digit for digit where a double would round", () => {
    expect(readTyped("1e3", "number")).toEqual({ value: 1000 })
    expect(readTyped(" 5 ", "number")).toEqual({ value: 5 })
    expect(readTyped("123456789012345678901", "number")).toEqual({ value: "123456789012345678901" })
    for (const text of ["", "0x10", "1_000", "+1", "01", ".5", "1e400", "NaN", "٣"])
      expect(readTyped(text, "number"), text).toHaveProperty("fault")
  })

  it("is a text as it stands, and true or false by these words alone", () => {
    expect(readTyped(" a ", "string")).toEqual({ value: " a " })
    expect(readTyped("true", "boolean")).toEqual({ value: true })
    for (const text of ["True", "1", "yes", ""])
      expect(readTyped(text, "boolean"), text).toHaveProperty("fault")
  })
})
