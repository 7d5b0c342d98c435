import { isWorkflowName } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { objectToNewName } from "./object-to-new-name.ts"

const objectTo = (name: string, own?: string): string | undefined =>
  objectToNewName(name, {
    what: "a workflow",
    isName: isWorkflowName,
    hint: "letters",
    taken: ["Checkout", "smoke"],
    own,
  })

describe("objectToNewName", () => {
  it("takes a name in another spelling for taken, for it is the same file on some disks", () => {
    expect(objectTo("CHECKOUT")).toBe('There is a workflow "Checkout" already.')
    expect(objectTo("check")).toBeUndefined()
  })

  it("lets a thing keep its own name in another spelling", () => {
    expect(objectTo("checkout", "Checkout")).toBeUndefined()
    expect(objectTo("smoke", "Checkout")).toBe('There is a workflow "smoke" already.')
  })

  it("says what names may be, and nothing of an empty one", () => {
    expect(objectTo("a/b")).toBe("A workflow cannot be called so: letters.")
    expect(objectTo("")).toBeUndefined()
  })
})
