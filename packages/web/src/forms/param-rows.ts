// The rows of a form's parameters: those that are required or set, and those that can be added. Pure.

import { isJsonObject, type JsonValue } from "@callsheet/format"
import type { ParameterPlace, ParameterView } from "@callsheet/server/calls"
import type { Suggestion } from "./suggestion.ts"

const places: readonly ParameterPlace[] = ["path", "query", "header", "cookie"]

export const locationWords: { readonly [P in ParameterPlace]: string } = {
  path: "path",
  query: "query",
  header: "header",
  cookie: "cookie",
}

export interface ParamName {
  readonly place: ParameterPlace
  readonly name: string
}

export interface ParamRow extends ParamName {
  readonly value: JsonValue | undefined
  readonly view: ParameterView | undefined
}

interface ParamSource {
  /** The parameters in the file, by location and name. */
  readonly params: JsonValue | undefined
  readonly documented: readonly ParameterView[]
  readonly added: readonly ParamName[]
  /** If true, required parameters have a row even if they aren't set. */
  readonly showsRequired: boolean
}

/** Compares names. The case of header names doesn't matter. */
const isSame = (place: ParameterPlace, one: string, other: string): boolean =>
  place === "header" ? one.toLowerCase() === other.toLowerCase() : one === other

const has = (rows: readonly ParamName[], { place, name }: ParamName): boolean =>
  rows.some((row) => row.place === place && isSame(place, row.name, name))

/**
 * Returns the rows of each location. Documented parameters come first, in document order, then others in file order.
 */
export function paramRows(source: ParamSource): readonly ParamRow[] {
  return places.flatMap((place) => rowsOf(place, source))
}

function rowsOf(place: ParameterPlace, source: ParamSource): readonly ParamRow[] {
  const { params, documented, added, showsRequired } = source
  const values = isJsonObject(params) ? params[place] : undefined
  const set: readonly ParamRow[] = (isJsonObject(values) ? Object.entries(values) : []).map(
    ([name, value]) => ({ place, name, value, view: viewOf({ place, name }, documented) }),
  )
  const ofPlace = documented.filter((view) => view.in === place)
  const wanted = ofPlace
    .filter(({ name, required }) => (showsRequired && required === true) || has(added, { place, name }))
    .filter(({ name }) => !has(set, { place, name }))
    .map((view): ParamRow => ({ place, name: view.name, value: undefined, view }))
  const order = (row: ParamRow): number =>
    row.view === undefined ? ofPlace.length : ofPlace.indexOf(row.view)
  const known = [...set, ...wanted].toSorted((one, other) => order(one) - order(other))
  const free = added
    .filter((name) => name.place === place && !has(known, name))
    .map((name): ParamRow => ({ ...name, value: undefined, view: undefined }))
  return [...known, ...free]
}

const viewOf = (name: ParamName, documented: readonly ParameterView[]): ParameterView | undefined =>
  documented.find((view) => view.in === name.place && isSame(name.place, view.name, name.name))

export interface ParamSuggestion extends Suggestion {
  readonly param: ParamName
}

/** Returns documented parameters without a row. Adds the typed name for each location that accepts any name. */
export function findParams(
  query: string,
  rows: readonly ParamRow[],
  documented: readonly ParameterView[],
): readonly ParamSuggestion[] {
  const word = query.trim().toLowerCase()
  const offered = documented
    .map((view) => ({ view, param: { place: view.in, name: view.name } }))
    .filter(({ param }) => !has(rows, param) && param.name.toLowerCase().includes(word))
    .map(({ view, param }) => ({ text: view.name, note: noteOf(view), param }))
  const name = query.trim()
  const others = (["query", "header", "cookie"] as const)
    .map((place) => ({ place, name }))
    .filter(
      (param) =>
        name !== "" &&
        !has(rows, param) &&
        !has(
          offered.map((one) => one.param),
          param,
        ),
    )
    .map((param) => ({ text: name, note: `as ${locationWords[param.place]}, not documented`, param }))
  return [...offered, ...others]
}

const noteOf = (view: ParameterView): string =>
  [view.in, view.words, view.description].filter((part) => part !== undefined && part !== "").join(" · ")
