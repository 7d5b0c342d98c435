// Fills in the credentials of security schemes from variables with the same names.

import { credentialPlaces, type OpenApiDocument, type SecurityScheme } from "@callsheet/openapi"
import type { ResolvedEnvironment, ResolvedVariable } from "@callsheet/format"
import type { ParamLocation } from "./expand-request.ts"

export interface Credential {
  readonly location: "header" | "query" | "cookie"
  readonly name: string
  readonly text: string
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

/**
 * Returns the credentials of the first alternative whose variables all have values. Never replaces what the request
 * sets itself.
 */
export function findCredentials(
  alternatives: readonly (readonly SecurityScheme[])[],
  environment: ResolvedEnvironment,
  isSet: IsSet,
): readonly Credential[] {
  for (const schemes of alternatives) {
    const credentials = satisfy(schemes, environment, isSet)
    if (credentials !== undefined) return credentials
  }
  return []
}

type IsSet = (location: Credential["location"], name: string) => boolean

/** Returns the credentials of all schemes. Undefined if one is missing. Schemes may share a parameter. */
function satisfy(
  schemes: readonly SecurityScheme[],
  environment: ResolvedEnvironment,
  isSet: IsSet,
): readonly Credential[] | undefined {
  const byLocation = new Map<string, Credential | undefined>()
  for (const scheme of schemes) {
    const target = locationOf(scheme)
    if (target === undefined) return undefined
    if (isSet(target.location, target.name)) continue
    const key = `${target.location} ${target.location === "header" ? target.name.toLowerCase() : target.name}`
    const value = variableOf(scheme.name, environment)
    if (value === undefined || value === "") byLocation.set(key, byLocation.get(key))
    else
      byLocation.set(key, byLocation.get(key) ?? { ...target, text: credentialText(scheme, String(value)) })
  }
  const credentials = [...byLocation.values()].filter((credential) => credential !== undefined)
  return credentials.length === byLocation.size ? credentials : undefined
}

/** Returns the variable of a scheme. Invalid characters become `_`: `petstore.auth` is `petstore_auth`. */
function variableOf(name: string, { variables }: ResolvedEnvironment): ResolvedVariable["value"] | undefined {
  const own = /^[A-Za-z_]/.test(name) ? name : `_${name}`
  return variables.get(own.replaceAll(/[^A-Za-z0-9_-]/g, "_"))?.value
}

function locationOf(scheme: SecurityScheme): Pick<Credential, "location" | "name"> | undefined {
  switch (scheme.kind) {
    case "apiKey":
      return { location: scheme.in, name: scheme.parameter }
    case "bearer":
    case "basic":
      return { location: "header", name: "authorization" }
    case "unsupported":
      return undefined
  }
}

/**
 * Formats a credential by RFC 6750 section 2.1 or RFC 7617 section 2. The variable of a basic scheme is
 * `user:password`.
 */
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
