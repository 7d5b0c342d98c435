import { isWorkflowName } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { checkNewName } from "./object-to-new-name.ts"

const findingFor = (name: string, own?: string): string | undefined =>
  checkNewName(name, {
    what: "a workflow",
    isName: isWorkflowName,
    hint: "letters",
    taken: ["Checkout", "smoke"],
    own,
  })

describe("checkNewName", () => {
  it("takes a name in another spelling for taken, for it is the same file on some disks", () => {
    expect(findingFor("CHECKOUT")).toBe('There is a workflow "Checkout" already.')
    expect(findingFor("check")).toBeUndefined()
  })

  it("lets a thing keep its own name in another spelling", () => {
    expect(findingFor("checkout", "Checkout")).toBeUndefined()
    expect(findingFor("smoke", "Checkout")).toBe('There is a workflow "smoke" already.')
  })

  it("says what names may be, and nothing of an empty one", () => {
    expect(findingFor("a/b")).toBe("A workflow cannot be called so: letters.")
    expect(findingFor("")).toBeUndefined()
  })
})
