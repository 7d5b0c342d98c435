// Fills in the credentials of security schemes from variables with the same names.

import {
  credentialPlace,
  credentialPlaces,
  schemeVariable,
  type CredentialPlace,
  type OpenApiDocument,
  type SecurityScheme,
} from "@callsheet/openapi"
import { toBase64, type ResolvedEnvironment, type ResolvedVariable } from "@callsheet/format"
import type { RequestAuth } from "../ports.ts"
import type { ParamLocation } from "./expand-request.ts"

export interface Credential extends CredentialPlace {
  readonly text: string
  /** The variable of its scheme. */
  readonly variable?: ResolvedVariable | undefined
}

/** Returns whether a parameter is a credential, by HTTP (RFC 9110 section 11) or by a security scheme. */
export function isCredentialLocation(
  document: OpenApiDocument | undefined,
  location: ParamLocation,
  name: string,
): boolean {
  if (location === "path") return false
  const key = location === "header" ? name.toLowerCase() : name
  if (location === "header" && (key === "authorization" || key === "proxy-authorization")) return true
  if (document === undefined) return false
  const { headers, query, cookies } = credentialPlaces(document)
  // Cookie headers aren't parsed, so any of their cookies may be a credential.
  if (location === "header") return headers.has(key) || (key === "cookie" && cookies.size > 0)
  return (location === "query" ? query : cookies).has(key)
}

/** The credentials of a request, and the authorization that is known only when it is sent. */
export interface Credentials {
  readonly fixed: readonly Credential[]
  readonly auth?: RequestAuth | undefined
}

const none: Credentials = { fixed: [] }

export interface Finder {
  readonly environment: ResolvedEnvironment
  /** Returns whether the request sets this itself. */
  readonly isSet: (location: Credential["location"], name: string) => boolean
  /** Returns how to authorize a request for a scheme without a fixed credential. */
  readonly authOf?: ((scheme: SecurityScheme) => RequestAuth | undefined) | undefined
}

/**
 * Returns the credentials of the first alternative whose variables all have values. Never replaces what the request
 * sets itself.
 */
export function findCredentials(
  alternatives: readonly (readonly SecurityScheme[])[],
  finder: Finder,
): Credentials {
  for (const schemes of alternatives) {
    const credentials = satisfy(schemes, finder)
    if (credentials !== undefined) return credentials
  }
  return none
}

/** Returns the credentials of all schemes. Undefined if one is missing. Schemes may share a parameter. */
export function satisfy(
  schemes: readonly SecurityScheme[],
  { environment, isSet, authOf }: Finder,
): Credentials | undefined {
  const byLocation = new Map<string, Credential | RequestAuth | undefined>()
  for (const scheme of schemes) {
    const target = credentialPlace(scheme)
    if (target === undefined) return undefined
    if (isSet(target.location, target.name)) continue
    const key = `${target.location} ${target.location === "header" ? target.name.toLowerCase() : target.name}`
    const known = byLocation.get(key)
    if (known !== undefined) continue
    const variable = isFixed(scheme) ? variableOf(scheme.name, environment) : undefined
    const value = variable?.value ?? ""
    byLocation.set(
      key,
      value === "" ? authOf?.(scheme) : { ...target, text: credentialText(scheme, String(value)), variable },
    )
  }
  const found = [...byLocation.values()]
  if (found.includes(undefined)) return undefined
  return {
    fixed: found.filter((one) => one !== undefined && "location" in one),
    auth: found.find((one) => one !== undefined && "kind" in one),
  }
}

const isFixed = ({ kind }: SecurityScheme): boolean => kind !== "digest" && kind !== "sigv4"

/** Returns the variable of a scheme. */
export const variableOf = (name: string, { variables }: ResolvedEnvironment): ResolvedVariable | undefined =>
  variables.get(schemeVariable(name))

/**
 * Formats a credential by RFC 6750 section 2.1 or RFC 7617 section 2. The variable of a basic scheme is
 * `user:password`.
 */
function credentialText(scheme: SecurityScheme, value: string): string {
  switch (scheme.kind) {
    case "bearer":
      return `Bearer ${value}`
    case "basic":
      return `Basic ${toBase64(value)}`
    default:
      return value
  }
}
