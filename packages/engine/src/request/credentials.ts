// A document's security schemes, satisfied by the variables of their own names.

import type { SecurityScheme } from "@callsheet/openapi"
import type { ResolvedEnvironment } from "@callsheet/format"

/** Where a credential goes. */
export interface Credential {
  readonly place: "header" | "query" | "cookie"
  readonly name: string
  readonly text: string
}

/**
 * The credentials of the first alternative whose schemes all have a value; none where none has. What the request sets
 * itself counts as satisfied and is left as it is.
 */
export function findCredentials(
  alternatives: readonly (readonly SecurityScheme[])[],
  environment: ResolvedEnvironment,
  isSet: (place: Credential["place"], name: string) => boolean,
): readonly Credential[] {
  for (const schemes of alternatives) {
    const credentials: Credential[] = []
    let isSatisfied = true
    for (const scheme of schemes) {
      const place = placeOf(scheme)
      if (place === undefined) isSatisfied = false
      else if (!isSet(place.place, place.name)) {
        const value = environment.variables.get(scheme.name)?.value
        if (value === undefined || value === "") isSatisfied = false
        else credentials.push({ ...place, text: credentialText(scheme, String(value)) })
      }
    }
    if (isSatisfied) return credentials
  }
  return []
}

function placeOf(scheme: SecurityScheme): Pick<Credential, "place" | "name"> | undefined {
  switch (scheme.kind) {
    case "apiKey":
      return { place: scheme.in, name: scheme.parameter }
    case "bearer":
    case "basic":
      return { place: "header", name: "authorization" }
    case "unsupported":
      return undefined
  }
}

/** RFC 6750 section 2.1 and RFC 7617 section 2; the variable of a basic scheme is `user:password`. */
function credentialText(scheme: SecurityScheme, value: string): string {
  switch (scheme.kind) {
    case "bearer":
      return `Bearer ${value}`
    case "basic":
      return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`
    default:
      return value
  }
}
