import { describe, expect, it } from "vitest"
import { checkScriptName } from "./script-dialogs.tsx"
import { functionNameFor, checkFunctionName, scriptKinds, scriptTemplate } from "@callsheet/language"

describe("a new script", () => {
  it("exports a function with the chosen context", () => {
    for (const kind of scriptKinds) {
      const text = scriptTemplate(kind, "check")
      expect(text).toContain(`import type { ${kind.context} } from "@callsheet/sdk"`)
      expect(text).toMatch(new RegExp(`export (async )?function check\\(ctx: ${kind.context}\\): `))
      expect(text.endsWith("}\n")).toBe(true)
    }
  })

  it("names its function after its file", () => {
    expect(["checks/order-total", "Total", "1st", "class", "", "ünïcode"].map(functionNameFor)).toEqual([
      "orderTotal",
      "total",
      "_1st",
      "_class",
      "run",
      "nCode",
    ])
    for (const name of ["total", "_x", "$", "a1"]) expect(checkFunctionName(name)).toBeUndefined()
    for (const name of ["", "1a", "a-b", "class", "a b", "await"])
      expect(checkFunctionName(name)).toBeDefined()
  })

  it("has a unique name that every disk allows", () => {
    for (const name of ["total", "checks/total", "a b", "ünïcode"])
      expect(checkScriptName(name, ["other"]), name).toBeUndefined()
    for (const name of [
      "",
      "total.ts",
      "a.d",
      "/a",
      "a//b",
      "../a",
      ".a",
      "node_modules/a",
      "con",
      "a?",
      "a\u202eb",
      "OTHER",
    ])
      expect(checkScriptName(name, ["other"]), name).toBeDefined()
  })
})
