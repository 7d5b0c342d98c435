// Where the security schemes of a document put credentials, whoever asks for them.

import type { OpenApiDocument } from "./document.ts"
import { memo } from "./memo.ts"
import { securitySchemesOf } from "./security.ts"

export interface CredentialPlaces {
  /** In lower case. */
  readonly headers: ReadonlySet<string>
  readonly query: ReadonlySet<string>
  readonly cookies: ReadonlySet<string>
}

/**
 * Every place where a security scheme of the document puts its credential, be it one that no operation names.
 *
 * @example
 * const isCredential = credentialPlaces(document).headers.has("x-api-key")
 */
export const credentialPlaces = memo((document: OpenApiDocument): CredentialPlaces => {
  const places = { header: new Set<string>(), query: new Set<string>(), cookie: new Set<string>() }
  for (const scheme of securitySchemesOf(document)) {
    // What callsheet cannot satisfy, such as `http` with `digest`, goes there as well, or nowhere in the request.
    if (scheme.kind !== "apiKey") places.header.add("authorization")
    else places[scheme.in].add(scheme.in === "header" ? scheme.parameter.toLowerCase() : scheme.parameter)
  }
  return { headers: places.header, query: places.query, cookies: places.cookie }
})
