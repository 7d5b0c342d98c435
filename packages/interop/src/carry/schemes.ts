// Finds the requests whose authentication is a security scheme of the document. One variable with the scheme's name then
// authorizes all of them, and none needs a header.

import { getOrCreate, isVariableName, reservedKeys } from "@callsheet/format"
import { credentialPlace, schemeVariable, securityOf, type SecurityScheme } from "@callsheet/openapi"
import type { Auth, Request } from "../model.ts"
import { onlyVariable, variablesIn, type Text } from "../text.ts"
import type { FlatRequest } from "./flatten.ts"
import type { FindOperation } from "./match.ts"
import { isDynamic, variableName } from "./names.ts"
import type { Origin } from "./origins.ts"
import type { Scope } from "./scope.ts"

export interface SchemeVariable {
  /** The name that callsheet reads for the scheme. */
  readonly name: string
  /** Its value. */
  readonly text: Text
  /** The variable of the source that is the whole value, and gets the name. */
  readonly source: string | undefined
}

export interface Schemes {
  readonly variables: readonly SchemeVariable[]
  /** The variables that authorize requests. A request without one sends its own credentials. */
  readonly byRequest: ReadonlyMap<Request, string>
}

interface Api {
  readonly origin: Pick<Origin, "paths">
  readonly find: FindOperation
}

interface SchemesRequest {
  readonly flat: readonly FlatRequest[]
  readonly apis: readonly Api[]
  readonly scope: Scope
  /** The variables that scripts set. Only a run knows their values. */
  readonly setNames: ReadonlySet<string>
}

/** A request with the alternatives of its operation. */
interface Authorized {
  readonly request: Request
  readonly auth: Auth
  readonly alternatives: readonly (readonly SecurityScheme[])[]
}

/** The credential of each chosen scheme, by the scheme's name. */
type Chosen = Map<string, Credential>

interface Credential {
  readonly key: string
  readonly text: Text
}

export function findSchemes(search: SchemesRequest): Schemes {
  const variables = new Map<string, SchemeVariable>()
  const byRequest = new Map<Request, string>()
  for (const api of search.apis) {
    const requests = authorizedIn(api, search.flat)
    const chosen = chooseSchemes(requests, (scheme, { text }) => {
      const name = schemeVariable(scheme)
      const known = variables.get(name)
      return known === undefined ? isFree(name, text, search) : known.text === text
    })
    for (const one of requests) {
      const scheme = schemeFor(one, chosen)
      const text = scheme && chosen.get(scheme)?.text
      if (scheme === undefined || text === undefined) continue
      const name = schemeVariable(scheme)
      const isTaken = [...variables.values()].some((other) => other.name !== name && other.text === text)
      const source = isTaken || credentialOf(one.auth)?.kind === "basic" ? undefined : onlyVariable(text)
      getOrCreate(variables, name, () => ({ name, text, source }))
      byRequest.set(one.request, name)
    }
  }
  return { variables: [...variables.values()], byRequest }
}

const authorizedIn = (api: Api, flat: readonly FlatRequest[]): readonly Authorized[] =>
  flat.flatMap(({ request, auth }) => {
    const path = api.origin.paths.get(request)
    const operation = path && api.find(request.method, path)?.operation
    return operation === undefined ? [] : [{ request, auth, alternatives: securityOf(operation) }]
  })

/**
 * Chooses the schemes whose variables authorize requests as the source does. A scheme that would also authorize a request
 * without credentials, or with others, isn't chosen, because every request with a header of its own is still right.
 */
function chooseSchemes(
  requests: readonly Authorized[],
  mayUse: (scheme: string, credential: Credential) => boolean,
): Chosen {
  const counts = new Map<string, Map<string, { readonly credential: Credential; count: number }>>()
  for (const { auth, alternatives } of requests) {
    const credential = credentialOf(auth)
    if (credential === undefined) continue
    for (const scheme of alternatives.flat())
      if (isScheme(scheme, auth) && mayUse(scheme.name, credential)) {
        const byKey = getOrCreate(counts, scheme.name, () => new Map())
        getOrCreate(byKey, credential.key, () => ({ credential, count: 0 })).count++
      }
  }
  const chosen: Chosen = new Map()
  for (const [scheme, byKey] of counts) {
    const [most] = [...byKey.values()].sort((a, b) => b.count - a.count)
    if (most !== undefined) chosen.set(scheme, most.credential)
  }
  for (;;) {
    const wrong = requests.flatMap((one) =>
      schemeFor(one, chosen) === undefined ? addedTo(one, chosen) : [],
    )
    if (wrong.length === 0) return chosen
    for (const scheme of wrong) chosen.delete(scheme)
  }
}

/** Returns the scheme that alone authorizes a request as the source does. */
function schemeFor(one: Authorized, chosen: Chosen): string | undefined {
  const { auth, alternatives, request } = one
  const [scheme, ...others] = sentFor(alternatives, chosen, placesOf(request))
  const credential = credentialOf(auth)
  if (scheme === undefined || others.length > 0 || credential === undefined) return undefined
  const isSame = isScheme(scheme, auth) && chosen.get(scheme.name)?.key === credential.key
  return isSame ? scheme.name : undefined
}

/** Returns the schemes that would add credentials to a request that sends its own, or none. */
function addedTo({ auth, alternatives, request }: Authorized, chosen: Chosen): readonly string[] {
  const places = placesOf(request)
  if (auth.kind === "apiKey") places.add(placeKey(auth.in, auth.name))
  else if (auth.kind === "bearer" || auth.kind === "basic") places.add(placeKey("header", "authorization"))
  return sentFor(alternatives, chosen, places).map(({ name }) => name)
}

/** Returns the schemes of the first alternative that a run can satisfy, without the places that the request sets. */
function sentFor(
  alternatives: readonly (readonly SecurityScheme[])[],
  chosen: Chosen,
  places: ReadonlySet<string>,
): readonly SecurityScheme[] {
  const isSet = (scheme: SecurityScheme): boolean => {
    const place = credentialPlace(scheme)
    return place !== undefined && places.has(placeKey(place.location, place.name))
  }
  const first = alternatives.find((schemes) => schemes.every((one) => isSet(one) || chosen.has(one.name)))
  return first?.filter((scheme) => !isSet(scheme)) ?? []
}

const placesOf = ({ headers, url }: Request): Set<string> =>
  new Set([
    ...headers.map(({ name }) => placeKey("header", name)),
    ...url.query.map(({ name }) => placeKey("query", name)),
  ])

const placeKey = (location: string, name: string): string =>
  `${location} ${location === "header" ? name.toLowerCase() : name}`

function credentialOf(auth: Auth): (Credential & { readonly kind: Auth["kind"] }) | undefined {
  const text =
    auth.kind === "bearer"
      ? auth.token
      : auth.kind === "basic"
        ? `${auth.username}:${auth.password}`
        : auth.kind === "apiKey"
          ? auth.value
          : ""
  return text === "" ? undefined : { kind: auth.kind, text, key: `${auth.kind}\0${text}` }
}

function isScheme(scheme: SecurityScheme, auth: Auth): boolean {
  if (auth.kind === "bearer") return scheme.kind === "bearer" && (auth.prefix ?? "Bearer") === "Bearer"
  if (auth.kind === "basic") return scheme.kind === "basic"
  if (auth.kind !== "apiKey" || scheme.kind !== "apiKey") return false
  return placeKey(auth.in, auth.name) === placeKey(scheme.in, scheme.parameter)
}

/** Returns whether a variable can have this name, and a value that is known before a run. */
function isFree(name: string, text: Text, { scope, setNames }: SchemesRequest): boolean {
  const used = variablesIn(text)
  const isKnown = used.every((one) => !isDynamic(one) && !setNames.has(one))
  const isTaken = scope.names.some(
    (one) => one !== onlyVariable(text) && variableName(one).toLowerCase() === name.toLowerCase(),
  )
  return isKnown && !isTaken && isVariableName(name) && ![...reservedKeys, "baseUrl"].includes(name)
}
