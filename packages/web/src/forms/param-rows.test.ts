import { describe, expect, it } from "vitest"
import type { ParameterView } from "@callsheet/server/calls"
import { firstTab, likelyPlace, paramRows, type ParamName } from "./param-rows.ts"

const documented: readonly ParameterView[] = [
  { name: "id", in: "path", required: true, words: "integer" },
  { name: "X-Reason", in: "header", required: true, words: "string" },
  { name: "limit", in: "query", words: "integer", description: "How many." },
]

type Params = Record<string, Record<string, string>>

const rows = (place: ParamName["place"], params: Params, added: readonly ParamName[] = []) =>
  paramRows(place, { params, documented, added }).map(
    ({ name, value, view }) =>
      `${name} ${value === undefined ? "-" : JSON.stringify(value)} ${view?.words ?? "?"}`,
  )

describe("rows of parameters", () => {
  it("are the documented ones of a location, whether set or not, then others", () => {
    expect(rows("query", { query: { free: "1" } })).toEqual(["limit - integer", 'free "1" ?'])
    expect(rows("query", { query: { free: "1", limit: "" } }, [{ place: "query", name: "new" }])).toEqual([
      'limit "" integer',
      'free "1" ?',
      "new - ?",
    ])
    expect(rows("path", {})).toEqual(["id - integer"])
    expect(rows("cookie", { cookie: { sid: "" } })).toEqual(['sid "" ?'])
  })

  it("have a header once, whatever its case", () => {
    const params = { header: { "x-reason": "wish" } }
    expect(rows("header", params, [{ place: "header", name: "X-REASON" }])).toEqual([
      'x-reason "wish" string',
    ])
  })

  it("know the location that a name belongs to", () => {
    const placeOf = (place: ParamName["place"], name: string) =>
      likelyPlace({ place, name, value: undefined, view: undefined }, documented)
    expect(placeOf("query", "authorization")).toBe("header")
    expect(placeOf("header", "Authorization")).toBe(undefined)
    expect(placeOf("cookie", "limit")).toBe("query")
    expect(placeOf("query", "x-reason")).toBe("header")
    expect(placeOf("query", "other")).toBe(undefined)
  })
})

describe("the first tab", () => {
  const query = { name: "Query", count: 0, isDocumented: false }
  const path = { name: "Path", count: 0, isDocumented: true }
  const body = { name: "Body", count: 0, isDocumented: true }
  const settings = { name: "Settings", count: 2 }

  it("has a missing value, then the body, then set or documented values", () => {
    expect(firstTab([query, { ...path, isMissing: true }, body])).toBe("Path")
    expect(firstTab([{ ...query, count: 1 }, path, { ...body, count: 1 }])).toBe("Body")
    expect(firstTab([{ ...query, count: 1 }, path, body])).toBe("Query")
    expect(firstTab([query, path, { ...body, isDocumented: false }])).toBe("Path")
    expect(firstTab([query, settings])).toBe("Query")
  })
})
