// The rows of a form's parameters: those that the document lists, and those that are set or added. Pure.

import { isJsonObject, isSameParameter, type JsonValue } from "@callsheet/format"
import type { ParameterPlace, ParameterView } from "@callsheet/server/calls"

/** The locations, in the order of their tabs. The format keeps a parameter's value by its location and name. */
export const places: readonly ParameterPlace[] = ["query", "header", "path", "cookie"]

export const placeNames: { readonly [P in ParameterPlace]: string } = {
  query: "Query",
  header: "Headers",
  path: "Path",
  cookie: "Cookies",
}

export interface ParamName {
  readonly place: ParameterPlace
  readonly name: string
}

export interface ParamRow extends ParamName {
  /** Undefined if the parameter isn't sent. */
  readonly value: JsonValue | undefined
  readonly view: ParameterView | undefined
}

interface ParamSource {
  /** The parameters in the file, by location and name. */
  readonly params: JsonValue | undefined
  readonly documented: readonly ParameterView[]
  readonly added: readonly ParamName[]
}

export const hasParam = (rows: readonly ParamName[], { place, name }: ParamName): boolean =>
  rows.some((row) => row.place === place && isSameParameter(place, row.name, name))

/** Returns the parameters of a location that the file sets. */
export function setParams(params: JsonValue | undefined, place: ParameterPlace): readonly ParamRow[] {
  const values = isJsonObject(params) ? params[place] : undefined
  return (isJsonObject(values) ? Object.entries(values) : []).map(([name, value]) => ({
    place,
    name,
    value,
    view: undefined,
  }))
}

/**
 * Returns the rows of a location: documented parameters in document order, then others in file order, then added ones
 * that aren't set yet. A documented header has its name in the file, whose case may differ.
 */
export function paramRows(place: ParameterPlace, source: ParamSource): readonly ParamRow[] {
  const { params, documented, added } = source
  const set = setParams(params, place)
  const listed = documented
    .filter((view) => view.in === place)
    .map((view): ParamRow => {
      const own = set.find(({ name }) => isSameParameter(place, name, view.name))
      return { place, name: own?.name ?? view.name, value: own?.value, view }
    })
  const others = set.filter((row) => !hasParam(listed, row))
  const free = added
    .filter((one) => one.place === place && !hasParam([...listed, ...others], one))
    .map((one): ParamRow => ({ ...one, value: undefined, view: undefined }))
  return [...listed, ...others, ...free]
}

/** Headers that are hardly ever query parameters or cookies. */
const onlyHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "accept",
  "accept-language",
  "user-agent",
  "if-match",
  "if-none-match",
])

/**
 * Returns the location in which an undocumented parameter probably belongs: the documented one of its name, or the
 * headers. Undefined if it is in the right place.
 */
export function likelyPlace(
  { place, name, view }: ParamRow,
  documented: readonly ParameterView[],
): ParameterPlace | undefined {
  if (view !== undefined || place === "path") return undefined
  const known = documented.find((one) => one.in !== "path" && isSameParameter(one.in, one.name, name))?.in
  if (known !== undefined) return known
  return place !== "header" && onlyHeaders.has(name.toLowerCase()) ? "header" : undefined
}

/** Names to offer for a new header. */
export const commonHeaders: readonly string[] = [
  "Accept",
  "Accept-Language",
  "Authorization",
  "Cache-Control",
  "Content-Type",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "Idempotency-Key",
  "Origin",
  "Prefer",
  "Range",
  "Referer",
  "User-Agent",
  "X-Correlation-Id",
  "X-Forwarded-For",
  "X-Request-Id",
]

export interface TabFacts {
  readonly name: string
  /** The number of values that are set. */
  readonly count: number
  /** True if a required value isn't set. */
  readonly isMissing?: boolean | undefined
  /** True if the document has values for it. */
  readonly isDocumented?: boolean | undefined
}

/** Returns the tab to show first: one with a missing value, then one with set values, then a documented one. */
export function firstTab(tabs: readonly TabFacts[]): string {
  const missing = tabs.find(({ isMissing }) => isMissing === true)
  // What a request sends in its body matters more than the rest.
  const ranked = [
    ...tabs.filter(({ name }) => name === "Body"),
    ...tabs.filter(({ name }) => name !== "Body"),
  ]
  const found =
    missing ??
    ranked.find(({ count, isDocumented }) => count > 0 && isDocumented !== undefined) ??
    ranked.find(({ isDocumented }) => isDocumented === true)
  return (found ?? tabs[0])?.name ?? ""
}
