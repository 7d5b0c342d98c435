// The credentials of a request: whether those that its operation requires are there, and which values a log must mask.

import { isJsonArray, isSecretName, memoTexts, type JsonValue } from "@callsheet/format"
import {
  credentialPlaces,
  securityOf,
  type OpenApiDocument,
  type Operation,
  type SecurityScheme,
} from "@callsheet/openapi"
import { headerOf, queryValues, type BodyContent, type Incoming } from "./incoming.ts"

/** Returns the schemes that a request could use, if it has the credentials of no alternative. */
export function missingCredentials(
  operation: Operation,
  incoming: Incoming,
): readonly SecurityScheme[] | undefined {
  const alternatives = securityOf(operation)
  if (alternatives.length === 0) return undefined
  return alternatives.some((schemes) => schemes.every((scheme) => isSent(scheme, incoming)))
    ? undefined
    : alternatives.flat()
}

function isSent(scheme: SecurityScheme, incoming: Incoming): boolean {
  switch (scheme.kind) {
    case "apiKey":
      return apiKeyOf(scheme.in, scheme.parameter, incoming) !== ""
    case "bearer":
    case "basic":
    case "digest":
      return authorizationIs(incoming, scheme.kind)
    case "sigv4":
      return authorizationIs(incoming, "aws4-hmac-sha256")
    case "unsupported":
      return true
  }
}

function apiKeyOf(place: "header" | "query" | "cookie", name: string, incoming: Incoming): string {
  if (place === "header") return headerOf(incoming, name.toLowerCase()) ?? ""
  if (place === "cookie") return Object.entries(incoming.cookies).find(([own]) => own === name)?.[1] ?? ""
  return queryValues(incoming).find(([own]) => own === name)?.[1] ?? ""
}

function authorizationIs(incoming: Incoming, scheme: string): boolean {
  const [own = "", value = ""] = (headerOf(incoming, "authorization") ?? "").split(/\s+(.*)/s)
  return own.toLowerCase() === scheme && value !== ""
}

/** Returns the `WWW-Authenticate` header of schemes that use `Authorization`. Undefined if none of them does. */
export function challengeOf(schemes: readonly SecurityScheme[]): string | undefined {
  const names = schemes.flatMap(({ kind }) => challenges.get(kind) ?? [])
  return names.length === 0 ? undefined : [...new Set(names)].join(", ")
}

const challenges: ReadonlyMap<SecurityScheme["kind"], string> = new Map([
  ["bearer", "Bearer"],
  ["basic", 'Basic realm="mock"'],
  ["digest", 'Digest realm="mock", nonce="mock"'],
])

type Secret = string | number | bigint

/** Returns the values of a request that a documented scheme carries, or whose names are those of credentials. */
export function requestSecrets(
  incoming: Incoming,
  content: () => BodyContent,
  document: OpenApiDocument | undefined,
): readonly Secret[] {
  const places = document === undefined ? undefined : credentialPlaces(document)
  const found: Secret[] = []
  for (const [name, value] of incoming.headers) {
    const own = name.toLowerCase()
    if (own === "cookie") found.push(...Object.values(incoming.cookies))
    else if (own.endsWith("authorization")) found.push(...authorizationSecrets(value))
    else if (places?.headers.has(own) === true || isSecretHeader(own)) found.push(value)
  }
  if (incoming.query !== "")
    for (const [name, value] of queryValues(incoming))
      if (places?.query.has(name) === true || isSecretName(name)) found.push(value)
  if (incoming.body.length > 0) {
    const read = content()
    if (read.is === "json" || read.is === "form") found.push(...namedSecrets(read.value))
  }
  return found.filter((value) => value !== "")
}

/** Most requests have the same headers. */
const isSecretHeader = memoTexts(isSecretName, 1000)

/** Returns a credential without its scheme and, for `Basic`, also the password. */
function authorizationSecrets(value: string): readonly string[] {
  const [, scheme = "", credential] = /^(\S+)\s+(.+)$/s.exec(value) ?? []
  if (credential === undefined) return [value]
  if (scheme.toLowerCase() !== "basic") return [credential]
  const pair = Buffer.from(credential, "base64").toString()
  return [credential, pair, pair.slice(pair.indexOf(":") + 1)]
}

/** Yields the values, at any depth, whose names are those of credentials. */
export function* namedSecrets(body: JsonValue): Generator<Secret> {
  // Iterative, because a body may nest deeper than the stack.
  const work: JsonValue[] = [body]
  for (let here = work.pop(); here !== undefined; here = work.pop()) {
    if (typeof here !== "object" || here === null) continue
    if (isJsonArray(here)) {
      for (const child of here) if (typeof child === "object") work.push(child)
      continue
    }
    for (const [name, value] of Object.entries(here)) {
      if (typeof value === "object") work.push(value)
      else if (typeof value !== "boolean" && isSecretName(name)) yield value
    }
  }
}
