// The parameters of a request that authenticate it: found by their place, or because they contain a secret. Pure.

import { isJsonObject, isSameParameter, ownOf, type JsonValue } from "@callsheet/format"
import type { CredentialPlace } from "@callsheet/server/calls"

const places = ["header", "query", "cookie"] as const

/** Returns the parameters that the request sets, except those of the path. */
export function setPlaces(params: JsonValue | undefined): readonly CredentialPlace[] {
  if (params === undefined || !isJsonObject(params)) return []
  return places.flatMap((place) => {
    const values = ownOf(params, place)
    return values !== undefined && isJsonObject(values)
      ? Object.keys(values).map((name) => ({ in: place, name }))
      : []
  })
}

export const isSamePlace = (one: CredentialPlace, other: CredentialPlace): boolean =>
  one.in === other.in && isSameParameter(one.in, one.name, other.name)

export interface OwnCredential {
  readonly place: CredentialPlace
  /** The first word of an `Authorization` header, such as `Bearer`. */
  readonly word: string | undefined
  /** The secret variable in it. Undefined if it contains none. */
  readonly variable: string | undefined
}

/** Returns the parameters with credentials. `secrets` are the names of the API's secret variables. */
export function ownCredentials(
  params: JsonValue | undefined,
  secrets: ReadonlySet<string>,
): readonly OwnCredential[] {
  return setPlaces(params).flatMap((place) => {
    const text = textAt(params, place)
    const variable = [...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)]
      .map(([, name = ""]) => name)
      .find((name) => secrets.has(name))
    const isHeader = place.in === "header" && place.name.toLowerCase() === "authorization"
    if (variable === undefined && !isHeader) return []
    return [{ place, word: isHeader ? /^[A-Za-z]+(?= )/.exec(text)?.[0] : undefined, variable }]
  })
}

function textAt(params: JsonValue | undefined, { in: place, name }: CredentialPlace): string {
  const values = params !== undefined && isJsonObject(params) ? ownOf(params, place) : undefined
  const value = values !== undefined && isJsonObject(values) ? ownOf(values, name) : undefined
  return typeof value === "string" ? value : ""
}
