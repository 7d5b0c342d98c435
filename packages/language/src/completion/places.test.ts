import { literalType, scalarType, unknownType } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { fittingOperators } from "./fitting-operators.ts"
import { blockPlaceAt, readsInBlock, readsInRequest } from "./reads-at.ts"
import { exportAround, scriptPlaceAt } from "./script-place.ts"
import { keysInSettings, namesInSettings } from "./settings-names.ts"

describe("a place in a workflow", () => {
  it("belongs to the innermost block", () => {
    expect(blockPlaceAt(["blocks", 0, "then", 2, "request", "api"])).toEqual({
      block: ["blocks", 0, "then", 2],
      field: ["request", "api"],
    })
    expect(blockPlaceAt(["blocks", 1])).toEqual({ block: ["blocks", 1], field: [] })
    expect(blockPlaceAt(["inputs", "a"])).toBeUndefined()
    // The body of a request may have the same keys.
    expect(blockPlaceAt(["blocks", 0, "request", "overrides", "body", "blocks", 0])?.block).toEqual([
      "blocks",
      0,
    ])
  })

  it.each([
    [["assertions", 0, "source"], "path"],
    [["assertions", 0, "value", "a"], "text"],
    [["assertions", 0, "operator"], "none"],
    [["if", "source"], "path"],
    [["source"], "path"],
    [["transforms", "a"], "path"],
    [["request", "api"], "none"],
    [["request", "overrides", "body", "a"], "text"],
    [["script", "exportName"], "text"],
    [["type"], "none"],
  ] as const)("reads %j as %s", (field, reads) => {
    expect(readsInBlock(field)).toBe(reads)
  })

  it("of a saved request reads placeholders", () => {
    expect(readsInRequest(["body", "a"])).toBe("text")
    expect(readsInRequest(["method"])).toBe("none")
  })
})

describe("operators", () => {
  it("that fit come first", () => {
    expect(fittingOperators(scalarType("string")).slice(0, 3)).toEqual(["equals", "notEquals", "contains"])
    expect(fittingOperators(unknownType)).toHaveLength(9)
  })

  it("are left out only if the comparison is an error", () => {
    expect(fittingOperators(scalarType("boolean"))).not.toContain("greaterThan")
    expect(fittingOperators({ ...scalarType("boolean"), origin: "described" })).toContain("greaterThan")
    expect(fittingOperators(scalarType("number"), literalType("a"))).not.toContain("equals")
  })
})

describe("a string in a script", () => {
  it.each([
    ['ctx.get("order.re|"', { is: "path", typed: "order.re" }],
    ["await context.has<X>('|')", { is: "path", typed: "" }],
    ["ctx.inputs[`a|`]", { is: "input", typed: "a" }],
    ['ctx.env("|', { is: "api", typed: "" }],
    ['ctx.env( "shop" )["b|', { is: "variable", api: "shop", typed: "b" }],
    ['get("|")', undefined],
    ['ctx.get("a") + "|"', undefined],
  ] as const)("names something in %s", (marked, expected) => {
    const offset = marked.indexOf("|")
    const found = scriptPlaceAt(marked.replace("|", ""), offset)
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toEqual({ ...expected, start: offset - expected.typed.length })
  })

  it("belongs to the export that starts before it", () => {
    const text = "export const a = 1\nexport async function b(ctx) {\n  x\n}\n"
    expect(exportAround(text, text.indexOf("  x"))).toBe("b")
    expect(exportAround(text, 0)).toBeUndefined()
  })
})

it("callsheet.json names workflows, environments and reporters", () => {
  const known = { apis: [{ name: "shop", environments: [{ name: "local" }] }], workflows: [{ name: "buy" }] }
  expect(namesInSettings(["suites", "a", "before", 0], known)).toEqual(["buy"])
  expect(namesInSettings(["helpers", 0], known)).toEqual(["buy"])
  expect(namesInSettings(["suites", "a", "env", "shop"], known)).toEqual(["local"])
  expect(namesInSettings(["defaults", "reporters", 0], known)).toContain("junit")
  expect(namesInSettings(["suites", "a", "description"], known)).toEqual([])
  expect(keysInSettings(["sources"], known)).toEqual(["shop"])
  expect(keysInSettings(["suites", "a"], known)).toEqual([])
})
