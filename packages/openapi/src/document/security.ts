// Finds the authentication that operations require, and where requests carry credentials.

import { isJsonArray, isJsonObject, memo, type JsonObject, type JsonValue } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { lastKey } from "./located.ts"
import type { Operation } from "./operations.ts"
import { type Part, partAt, WrittenPart } from "./part.ts"

export type SecurityScheme =
  | {
      readonly kind: "apiKey"
      readonly name: string
      readonly in: "header" | "query" | "cookie"
      readonly parameter: string
    }
  | { readonly kind: "bearer"; readonly name: string; readonly oauth?: OAuthScheme }
  | { readonly kind: "basic" | "digest" | "sigv4" | "unsupported"; readonly name: string }

export interface CredentialPlace {
  readonly location: "header" | "query" | "cookie"
  readonly name: string
}

/** The document's OAuth 2 settings: how to get a token, and the scopes that an operation requires. */
export interface OAuthScheme {
  /** The flows by their OpenAPI 3 names. Undefined if the document doesn't list them, as for OpenID Connect. */
  readonly flows: OAuthFlows | undefined
  /** The URL of the provider's discovery document, for OpenID Connect. Perhaps relative. */
  readonly discoveryUrl?: string | undefined
  readonly scopes: readonly string[]
}

type OAuthFlows = { readonly [F in OAuthFlowName]?: OAuthFlow }

type OAuthFlowName = (typeof flowNames)[number]

/** URLs as written, perhaps relative. */
export interface OAuthFlow {
  readonly tokenUrl: string | undefined
  readonly authorizationUrl: string | undefined
  readonly refreshUrl: string | undefined
}

/**
 * Returns the alternatives, each with the schemes that it requires (none for `{}`). Empty if no security is declared.
 */
export function securityOf(operation: Operation): readonly (readonly SecurityScheme[])[] {
  const isOwn = operation.member("security") !== undefined
  const holder = isOwn ? operation : rootOf(operation.document)
  return requirementsOf(holder).map((schemes) =>
    Object.entries(schemes).map(([name, scopes]) => readScheme(holder, name, scopes)),
  )
}

const rootOf = (document: OpenApiDocument): Part => new WrittenPart(document, document.root, "")

const requirementsOf = (holder: Part): readonly JsonObject[] => holder.list("security").filter(isJsonObject)

const listedSchemes = (document: OpenApiDocument): Part | undefined =>
  partAt(document, document.version === "2.0" ? "/securityDefinitions" : "/components/securitySchemes")

/**
 * Returns every listed scheme and the schemes that are required by default. From 3.2 on, the latter may be in another
 * file.
 */
export function securitySchemesOf(document: OpenApiDocument): readonly SecurityScheme[] {
  const listed = listedSchemes(document)?.value
  const root = rootOf(document)
  const names = [
    isJsonObject(listed) ? Object.keys(listed) : [],
    ...requirementsOf(root).flatMap(Object.keys),
  ].flat()
  return [...new Set(names)].map((name) => readScheme(root, name))
}

function readScheme(holder: Part, key: string, required: JsonValue = []): SecurityScheme {
  const { name, scheme } = findScheme(holder, key)
  if (scheme?.text("x-amazon-apigateway-authtype")?.toLowerCase() === "awssigv4")
    return { kind: "sigv4", name }
  switch (scheme?.text("type")) {
    case "apiKey": {
      const place = scheme.text("in")
      const parameter = scheme.text("name")
      const isKnown = place === "header" || place === "query" || place === "cookie"
      return isKnown && parameter !== undefined
        ? { kind: "apiKey", name, in: place, parameter }
        : { kind: "unsupported", name }
    }
    case "http": {
      const kind = scheme.text("scheme")?.toLowerCase()
      const isKnown = kind === "bearer" || kind === "basic" || kind === "digest"
      return { kind: isKnown ? kind : "unsupported", name }
    }
    case "basic":
      return { kind: holder.isSwagger ? "basic" : "unsupported", name }
    case "oauth2":
    case "openIdConnect": {
      const scopes = isJsonArray(required) ? required.filter((scope) => typeof scope === "string") : []
      const discoveryUrl = scheme.text("openIdConnectUrl")
      return { kind: "bearer", name, oauth: { flows: readFlows(scheme), discoveryUrl, scopes } }
    }
    default:
      return { kind: "unsupported", name }
  }
}

const flowNames = ["clientCredentials", "password", "authorizationCode"] as const

/** The names of flows in Swagger 2.0. */
const oldFlowNames: ReadonlyMap<string | undefined, OAuthFlowName> = new Map([
  ["application", "clientCredentials"],
  ["password", "password"],
  ["accessCode", "authorizationCode"],
])

function readFlows(scheme: Part): OAuthFlows | undefined {
  if (scheme.text("type") !== "oauth2") return undefined
  if (scheme.isSwagger) {
    const name = oldFlowNames.get(scheme.text("flow"))
    return name === undefined ? {} : { [name]: readFlow(scheme) }
  }
  const found = flowNames.map((name) => [name, scheme.inside("flows", name)] as const)
  return Object.fromEntries(
    found.flatMap(([name, flow]) => (flow === undefined ? [] : [[name, readFlow(flow)]])),
  )
}

const readFlow = (flow: Part): OAuthFlow => ({
  tokenUrl: flow.text("tokenUrl"),
  authorizationUrl: flow.text("authorizationUrl"),
  refreshUrl: flow.text("refreshUrl"),
})

/**
 * Finds a scheme by its name in the root's components or, from 3.2 on, by a reference. `name` becomes the name of its
 * variable.
 */
function findScheme(holder: Part, key: string): { readonly name: string; readonly scheme: Part | undefined } {
  const own = listedSchemes(holder.document)?.inside(key)
  if (own !== undefined) return { name: key, scheme: own.dereference() }
  const part = holder.document.version === "3.2" ? holder.resolve(key) : undefined
  return { name: part === undefined ? key : lastSegment(part.pointer), scheme: part?.dereference() }
}

/** Returns `token` for `#/components/securitySchemes/token`, and the file name for a whole file. */
const lastSegment = (pointer: string): string => lastKey(pointer.replace(/\.(?:json|ya?ml)#?$/i, ""))

/** Returns the name of a scheme's variable. Invalid characters become `_`: `petstore.auth` is `petstore_auth`. */
export const schemeVariable = (scheme: string): string =>
  (/^[A-Za-z_]/.test(scheme) ? scheme : `_${scheme}`).replaceAll(/[^A-Za-z0-9_-]/g, "_")

/** Returns where a request carries a credential. Undefined if callsheet doesn't support the scheme. */
export function credentialPlace(scheme: SecurityScheme): CredentialPlace | undefined {
  switch (scheme.kind) {
    case "apiKey":
      return { location: scheme.in, name: scheme.parameter }
    case "bearer":
    case "basic":
    case "digest":
    case "sigv4":
      return { location: "header", name: "authorization" }
    case "unsupported":
      return undefined
  }
}

/** Returns the headers, query parameters and cookies that may carry credentials. Header names are in lower case. */
export const credentialPlaces = memo((document: OpenApiDocument) => {
  const places = { header: new Set<string>(), query: new Set<string>(), cookie: new Set<string>() }
  for (const scheme of securitySchemesOf(document)) {
    // Unsupported schemes, such as `http` with `digest`, use this header too.
    if (scheme.kind !== "apiKey") places.header.add("authorization")
    else places[scheme.in].add(scheme.in === "header" ? scheme.parameter.toLowerCase() : scheme.parameter)
  }
  return { headers: places.header, query: places.query, cookies: places.cookie }
})

/** Returns whether a parameter carries the key of a security scheme. Ignores case, as headers do. */
export const isCredentialParameter = (operation: Operation, name: string): boolean =>
  securityOf(operation)
    .flat()
    .some((scheme) => scheme.kind === "apiKey" && scheme.parameter.toLowerCase() === name.toLowerCase())
