// The URL to which a request is sent, as far as it is known before. Pure.

import { isJsonObject, type JsonValue, ownOf } from "@callsheet/format"
import type { EnvironmentsView } from "@callsheet/server/calls"

/** Returns the variables of an environment that have a value and aren't secret. */
export function knownValues(
  view: EnvironmentsView | undefined,
  environment: string | undefined,
): ReadonlyMap<string, string> {
  const cells = environment === undefined ? undefined : ownOf(view?.cells, environment)
  const known = (view?.variables ?? []).flatMap(({ name, secret }) => {
    const value = secret ? undefined : ownOf(cells, name)?.value
    return value === undefined || value === null ? [] : [[name, String(value)] as const]
  })
  return new Map(known)
}

/** Returns the base URL of each environment that has one, unless it is a secret. */
export function baseUrls(view: EnvironmentsView | undefined): ReadonlyMap<string, string> {
  const urls = (view?.environments ?? []).map(
    ({ name }) => [name, knownValues(view, name).get("baseUrl")] as const,
  )
  return new Map(
    urls.flatMap(([name, url]) => (url === undefined || url === "" ? [] : [[name, url] as const])),
  )
}

/** Placeholders and path parameters without a known value stay as they are written. */
export function resolvedUrl(
  path: string,
  params: JsonValue | undefined,
  values: ReadonlyMap<string, string>,
): string {
  const inPath = paramsIn(params, "path")
  const filled = path.replace(
    /(?<!\{)\{([^{}]+)\}(?!\})/g,
    (whole, name: string) => inPath.get(name) ?? whole,
  )
  const query = [...paramsIn(params, "query")].map(([name, value]) => `${name}=${value}`).join("&")
  const base = (values.get("baseUrl") ?? "{{baseUrl}}").replace(/\/$/, "")
  const url = `${base}${filled}${query === "" ? "" : `${filled.includes("?") ? "&" : "?"}${query}`}`
  return url.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) => values.get(name) ?? whole)
}

function paramsIn(params: JsonValue | undefined, place: "path" | "query"): ReadonlyMap<string, string> {
  const list = params !== undefined && isJsonObject(params) ? params[place] : undefined
  const entries = list !== undefined && isJsonObject(list) ? Object.entries(list) : []
  return new Map(
    entries.flatMap(([name, value]) =>
      value === null || typeof value === "object" || value === "" ? [] : [[name, String(value)] as const],
    ),
  )
}
