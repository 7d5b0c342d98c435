import { describe, expect, it } from "vitest"
import type { ParameterView } from "@callsheet/server/calls"
import { findParams, paramRows } from "./param-rows.ts"

const documented: readonly ParameterView[] = [
  { name: "id", in: "path", required: true, words: "integer" },
  { name: "X-Reason", in: "header", required: true, words: "string" },
  { name: "limit", in: "query", words: "integer", description: "How many." },
]

const rows = (params: Record<string, Record<string, string>>, showsRequired = true, added = [] as const) =>
  paramRows({ params, documented, added, showsRequired }).map(
    ({ place, name, value, view }) =>
      `${place} ${name} ${value === undefined ? "-" : JSON.stringify(value)} ${view?.words ?? "?"}`,
  )

describe("rows of parameters", () => {
  it("are those that are required or set, by location", () => {
    expect(rows({ query: { free: "1" }, header: { "x-reason": "wish" } })).toEqual([
      "path id - integer",
      'query free "1" ?',
      'header x-reason "wish" string',
    ])
    expect(rows({ cookie: { sid: "" } }, false)).toEqual(['cookie sid "" ?'])
  })

  it("offer documented ones that are not shown, and any name in each location", () => {
    const shown = paramRows({ params: {}, documented, added: [], showsRequired: true })
    expect(findParams("", shown, documented)).toEqual([
      { text: "limit", note: "query · integer · How many.", param: { place: "query", name: "limit" } },
    ])
    const found = findParams("x-reason", shown, documented).map(({ param }) => param.place)
    expect(found).toEqual(["query", "cookie"])
  })
})
