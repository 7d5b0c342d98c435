import { describe, expect, it } from "vitest"
import type { CellView, EnvironmentColumn, EnvironmentsView, VariableView } from "@callsheet/server/calls"
import { cellOf, countMissing, movedPosition, tableModel, withDescendants } from "./table-model.ts"

const column = (name: string, parent?: string): EnvironmentColumn => ({
  name,
  ...(parent === undefined ? {} : { extends: parent }),
  effectiveLevel: "local",
  effectiveVerify: true,
  etag: "",
  isBroken: name === "torn",
  problems: [],
})
const variable = (name: string, description: string): VariableView => ({
  name,
  type: "string",
  required: true,
  secret: false,
  description,
})
const cell = (isMissing: boolean): CellView => ({ from: "none", file: "values", isMissing })

const view: EnvironmentsView = {
  api: "shop",
  schema: { path: "", etag: null, problems: [] },
  variables: [
    variable("baseUrl", "Where it is"),
    variable("apiKey", "Who asks"),
    variable("constructor", ""),
  ],
  environments: [column("base"), column("local", "base"), column("tls", "local"), column("torn")],
  cells: Object.fromEntries(
    ["base", "local", "tls", "torn"].map((name) => [
      name,
      { baseUrl: cell(false), apiKey: cell(name === "tls" || name === "torn") },
    ]),
  ),
}

const shown = (query: string, onlyMissing = false): readonly string[] => {
  const { rows, columns } = tableModel(view, { query, onlyMissing })
  return [rows.map(({ name }) => name).join(" "), columns.map(({ name }) => name).join(" ")]
}

describe("the table of environments", () => {
  it("is filtered by words of variables, or by names of environments", () => {
    expect(shown("")).toEqual(["baseUrl apiKey constructor", "base local tls torn"])
    expect(shown("WHERE is")).toEqual(["baseUrl", "base local tls torn"])
    expect(shown("tls")).toEqual(["baseUrl apiKey constructor", "tls"])
    expect(shown("nothing")).toEqual(["", "base local tls torn"])
  })

  it("can show only rows with missing values, and doesn't count unreadable files", () => {
    expect(shown("", true)).toEqual(["apiKey", "tls torn"])
    expect(countMissing(view)).toBe(1)
  })

  it("finds cells only by own names", () => {
    expect(cellOf(view, "base", "constructor")).toBeUndefined()
    expect(cellOf(view, "constructor", "name")).toBeUndefined()
    expect(cellOf(view, "tls", "apiKey")?.isMissing).toBe(true)
  })

  it("lets no environment extend itself or its descendants, even in cycles", () => {
    expect([...withDescendants(view, "base")]).toEqual(["base", "local", "tls"])
    const circle = { ...view, environments: [column("one", "two"), column("two", "one")] }
    expect([...withDescendants(circle, "one")]).toEqual(["one", "two"])
  })

  it("moves by keys, and stops at its edges", () => {
    const size = { rows: 20, columns: 3 }
    const moved = (key: string, row: number, column: number, ctrlKey = false) =>
      Object.values(movedPosition({ key, ctrlKey }, { row, column }, size) ?? {})
    expect(moved("ArrowUp", -1, 2)).toEqual([-1, 2])
    expect(moved("ArrowDown", 19, 2)).toEqual([19, 2])
    expect(moved("ArrowLeft", 4, 0)).toEqual([4, -1])
    expect(moved("ArrowRight", 4, 2)).toEqual([4, 2])
    expect(moved("PageDown", 4, 2)).toEqual([14, 2])
    expect(moved("Home", 4, 2)).toEqual([4, -1])
    expect(moved("End", 4, -1, true)).toEqual([19, 2])
    expect(moved("Home", 4, 2, true)).toEqual([-1, -1])
    expect(moved("ArrowDown", 4, 2, true)).toEqual([19, 2])
    expect(moved("x", 4, 2)).toEqual([])
  })
})
