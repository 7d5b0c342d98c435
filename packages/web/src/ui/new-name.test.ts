import { isWorkflowName } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { checkNewName } from "./new-name.ts"

const findingFor = (name: string, own?: string): string | undefined =>
  checkNewName(name, {
    what: "a workflow",
    isName: isWorkflowName,
    hint: "letters",
    taken: ["Checkout", "smoke"],
    own,
  })

describe("checkNewName", () => {
  it("rejects a taken name in another case, because some disks treat it as the same file", () => {
    expect(findingFor("CHECKOUT")).toBe('"Checkout" already exists.')
    expect(findingFor("check")).toBeUndefined()
  })

  it("allows a file to change the case of its own name", () => {
    expect(findingFor("checkout", "Checkout")).toBeUndefined()
    expect(findingFor("smoke", "Checkout")).toBe('"smoke" already exists.')
  })

  it("explains which names are allowed, and reports nothing for an empty one", () => {
    expect(findingFor("a/b")).toBe("A workflow can't have this name: letters.")
    expect(findingFor("")).toBeUndefined()
  })
})
