// Compares how operations are reached: their servers and the authentication that they require.

import type { OpenApiDocument } from "../document/document.ts"
import { listMember } from "../document/located.ts"
import { listOperations, type Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { securityOf, type SecurityScheme } from "../document/security.ts"
import { serverUrls } from "../document/server-url.ts"
import type { Removed } from "./change.ts"
import type { Collector } from "./collector.ts"
import { labelOf } from "./match-operations.ts"

/** Compares what holds for every operation that doesn't say otherwise. */
export function compareDocumentAccess(
  collector: Collector,
  before: OpenApiDocument,
  after: OpenApiDocument,
): void {
  const servers = compareTexts(serversOf(before), serversOf(after))
  const place = { operation: "*", side: "document" } as const
  const pointers = before.version === "2.0" || after.version === "2.0" ? "" : "/servers"
  if (servers !== undefined)
    collector.report({
      kind: "server-changed",
      facts: servers,
      breaks: servers.removed.length > 0 ? "calls" : undefined,
      place: { ...place, path: "/servers" },
      before: pointers,
      after: pointers,
    })
  const [one, other] = [inheritingOperation(before), inheritingOperation(after)]
  const security = one && other && compareAlternatives(securityOf(one), securityOf(other))
  if (security !== undefined)
    collector.report({
      kind: "security-changed",
      facts: security.facts,
      breaks: security.isCompatible ? undefined : "calls",
      place: { ...place, path: "/security" },
      before: "/security",
      after: "/security",
    })
}

/** Returns an operation whose security is the document's. */
const inheritingOperation = (document: OpenApiDocument): Operation | undefined =>
  listOperations(document).find((operation) => !hasOwnSecurity(operation))

const hasOwnSecurity = (operation: Operation): boolean => operation.member("security") !== undefined

const placeOfSecurity = (operation: Operation): string =>
  hasOwnSecurity(operation) ? `${operation.pointer}/security` : "/security"

/** Compares what an operation says for itself. The rest is reported once for the document. */
export function compareOperationAccess(collector: Collector, before: Operation, after: Operation): void {
  const place = { operation: labelOf(after), side: "request" } as const
  const isOwn = hasOwnSecurity(before) || hasOwnSecurity(after)
  const security = isOwn ? compareAlternatives(securityOf(before), securityOf(after)) : undefined
  if (security !== undefined)
    collector.report({
      kind: "security-changed",
      facts: security.facts,
      breaks: security.isCompatible ? undefined : "calls",
      place: { ...place, path: "/security" },
      before: placeOfSecurity(before),
      after: placeOfSecurity(after),
    })
  const [own, current] = [ownServers(before), ownServers(after)]
  if (own === undefined && current === undefined) return
  const servers = compareTexts(own ?? serversOf(before.document), current ?? serversOf(after.document))
  if (servers !== undefined)
    collector.report({
      kind: "server-changed",
      facts: servers,
      breaks: servers.removed.length > 0 ? "calls" : undefined,
      place: { ...place, path: "/servers" },
      before: before.pointer,
      after: after.pointer,
    })
}

const serversOf = (document: OpenApiDocument): readonly string[] => serverUrls(document).map(withoutSlash)

const withoutSlash = (url: string): string => url.replace(/\/$/, "")

/** Returns the servers of an operation or its path, with their variables filled in. */
function ownServers(operation: Operation): readonly string[] | undefined {
  for (const holder of [operation as Part, operation.pathItem]) {
    const servers = listMember(holder.value, "servers")
    if (servers.length === 0) continue
    const root = { servers } as const
    return serverUrls({ ...operation.document, root }).map(withoutSlash)
  }
  return undefined
}

function compareTexts(before: readonly string[], after: readonly string[]): Removed | undefined {
  const removed = before.filter((text) => !after.includes(text))
  const added = after.filter((text) => !before.includes(text))
  return removed.length + added.length === 0 ? undefined : { removed, added }
}

type Alternatives = readonly (readonly SecurityScheme[])[]

/**
 * Compares the alternatives of an operation. They are compatible if each old one still suffices. Ignores the
 * names of schemes.
 */
function compareAlternatives(
  written: Alternatives,
  current: Alternatives,
): { readonly facts: Removed; readonly isCompatible: boolean } | undefined {
  const before = written.length === 0 ? [[]] : written
  const after = current.length === 0 ? [[]] : current
  const facts = compareTexts([...new Set(before.map(describe))], [...new Set(after.map(describe))])
  if (facts === undefined) return undefined
  const isCompatible = before.every((have) =>
    after.some((need) => need.every((scheme) => have.some((own) => satisfies(own, scheme)))),
  )
  return { facts, isCompatible }
}

const describe = (schemes: readonly SecurityScheme[]): string =>
  schemes.length === 0 ? "no authentication" : schemes.map(describeScheme).toSorted().join(" + ")

function describeScheme(scheme: SecurityScheme): string {
  const scopes = scopesOf(scheme)
  return scopes.length === 0 ? kindOf(scheme) : `${kindOf(scheme)} (${scopes.toSorted().join(", ")})`
}

/** Describes how a credential is sent and, for OAuth, that it comes from a provider. */
function kindOf(scheme: SecurityScheme): string {
  if (scheme.kind === "apiKey") {
    const name = scheme.in === "header" ? scheme.parameter.toLowerCase() : scheme.parameter
    return `API key ${name} in ${scheme.in}`
  }
  if (scheme.kind === "unsupported") return scheme.name
  if (scheme.kind !== "bearer") return scheme.kind
  return scheme.oauth === undefined ? "bearer token" : "OAuth token"
}

const scopesOf = (scheme: SecurityScheme): readonly string[] =>
  scheme.kind === "bearer" ? (scheme.oauth?.scopes ?? []) : []

const satisfies = (own: SecurityScheme, needed: SecurityScheme): boolean =>
  kindOf(own) === kindOf(needed) && scopesOf(needed).every((scope) => scopesOf(own).includes(scope))
