// Writes a typed method and URL into a saved request: its operation or its method and path, and its parameters. Pure.

import {
  findByPath,
  isJsonObject,
  savedRequestShape,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { OperationView, OperationsView } from "@callsheet/server/calls"
import { namesOf } from "../forms/operation-search.ts"
import { TextEdit } from "../files/text/text-edit.ts"
import { formatValue } from "../forms/value-text.ts"
import { decodePercent, type TypedUrl } from "./typed-url.ts"

export interface UrlEdit {
  readonly method: string
  /** The path below the base URL. */
  readonly path: string
  readonly query: TypedUrl["query"]
}

/** The operation of the request before the edit. */
type Current = Pick<OperationView, "method" | "path"> | undefined

/** Binds the request to the operation of this method and path, if the document has one. Keeps everything else. */
export function applyUrl(
  text: string,
  edit: UrlEdit,
  api: { readonly view: OperationsView | undefined; readonly current: Current },
): string {
  const { view, current } = api
  const { method, path, query } = edit
  const candidates = (view?.operations ?? []).filter((operation) => operation.method === method)
  const match = findByPath(candidates, path)
  const edited = new TextEdit(text, [], savedRequestShape)
  if (match === undefined) setTarget(edited, { method, path })
  else if (match.found.method !== current?.method || match.found.path !== current.path)
    setTarget(edited, { operation: namesOf(match.found, view).operation })
  const names = templateNames(match?.found.path ?? path)
  const values = new Map([...(match?.params ?? [])].map(([name, value]) => [name, decodePercent(value)]))
  // A path without an operation can't say the values of its parameters, so they stay.
  setParams(
    edited,
    "path",
    (name, value) => (match === undefined && names.has(name) ? value : values.get(name)),
    values,
  )
  const wanted = new Map(query)
  setParams(edited, "query", (name) => wanted.get(name), wanted)
  return edited.text
}

function setTarget(
  text: TextEdit,
  target: { readonly operation: string } | { readonly method: string; readonly path: string },
): void {
  const isOperation = "operation" in target
  for (const key of isOperation ? ["method", "path"] : ["operation"])
    if (text.read([key]) !== undefined) text.unset([key])
  for (const [key, value] of Object.entries(target)) if (text.read([key]) !== value) text.set([key], value)
}

const templateNames = (path: string): ReadonlySet<string> =>
  new Set([...path.matchAll(/(?<!\{)\{([^{}]+)\}(?!\})/g)].map(([, name = ""]) => name))

/** Sets and removes the parameters of a location. Those that don't change keep every byte. */
function setParams(
  text: TextEdit,
  place: "path" | "query",
  next: (name: string, value: JsonValue) => JsonValue | undefined,
  added: ReadonlyMap<string, string>,
): void {
  const params = text.read(["params", place])
  const before: JsonObject = isJsonObject(params) ? params : {}
  for (const [name, value] of added)
    if (!Object.hasOwn(before, name)) text.set(["params", place, name], value)
  for (const [name, value] of Object.entries(before)) {
    const wanted = next(name, value)
    if (wanted === undefined) text.unset(["params", place, name], ["params"])
    else if (formatValue(wanted) !== formatValue(value)) text.set(["params", place, name], wanted)
  }
}

/** The names that a query has several times. The format keeps one value of each. */
export const repeatedNames = (query: TypedUrl["query"]): readonly string[] => [
  ...new Set(query.map(([name]) => name).filter((name, at, names) => names.indexOf(name) !== at)),
]
