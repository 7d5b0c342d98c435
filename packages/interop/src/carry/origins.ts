// Groups requests by the server that they go to. Each group becomes an API with its base URL.

import { getOrCreate } from "@callsheet/format"
import { serverUrls, type OpenApiDocument } from "@callsheet/openapi"
import type { Request, Segment } from "../model.ts"
import { splitBase } from "../read/url.ts"
import { hasVariables, mapText, onlyVariable, type Text } from "../text.ts"
import type { FindOperation } from "./match.ts"
import type { Scope } from "./scope.ts"

export interface Origin {
  /** The requests with their paths after the base URL. */
  readonly paths: ReadonlyMap<Request, readonly Segment[]>
  /** The base URL by environment. An environment without one has no entry. */
  readonly baseUrls: ReadonlyMap<string, string>
  /** The variable of the source that is the base URL. */
  readonly variable: string | undefined
  /** The host, or the variable in its place. */
  readonly label: string
}

interface Address {
  readonly origin: string
  readonly path: readonly string[]
}

interface Group {
  readonly base: Text
  readonly addresses: readonly (Address | undefined)[]
  /** True if the base URL has the same path in every environment. The requests' paths then include it. */
  readonly sharesPath: boolean
  readonly basePath: readonly string[]
  readonly paths: Map<Request, readonly Segment[]>
}

export interface OriginsRequest {
  readonly requests: readonly Request[]
  readonly scope: Scope
  readonly document: OpenApiDocument | undefined
  readonly find: FindOperation
}

/** Returns the origins. The first one is the collection's own. Requests of others never match an operation. */
export function findOrigins({ requests, scope, document, find }: OriginsRequest): readonly Origin[] {
  const groups = mergeGroups(groupByBase(requests, scope), scope)
  const servers = new Set(
    (document === undefined ? [] : serverUrls(document)).map((url) => addressOf(url)?.origin),
  )
  const rank = (group: Group): readonly number[] => {
    const matches = countMatches(group, bestPrefix(group, find), find)
    const isKnown =
      hasVariables(group.base) || group.base === "" || group.addresses.some((one) => servers.has(one?.origin))
    return [Number(matches > 0 && isKnown), Number(matches > 0), matches, group.paths.size]
  }
  const ranked = groups
    .map((group) => ({ group, rank: rank(group) }))
    .sort((a, b) => compareRanks(b.rank, a.rank))
    .map(({ group }) => group)
  const own = ranked.find(({ base }) => base !== "") ?? ranked[0]
  if (own === undefined) return []
  // A request without a host goes to the collection's own server.
  const relative = ranked.filter((group) => group !== own && group.base === "")
  for (const { paths } of relative)
    for (const [request, path] of paths) own.paths.set(request, [...literal(own.basePath), ...path])
  const others = groups.filter((group) => group !== own && group.base !== "")
  return [
    ...splitGroup(own, bestPrefix(own, find), scope),
    ...others.flatMap((group) => splitGroup(group, ownPrefix(group), scope)),
  ]
}

const compareRanks = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0

function groupByBase(requests: readonly Request[], scope: Scope): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const request of requests) {
    const { base, path } = request.url
    const made = createGroup(base, scope)
    const { addresses, sharesPath } = made
    const isResolved = addresses.some((address) => address !== undefined)
    const key = isResolved
      ? JSON.stringify(addresses.map((one) => (sharesPath ? one?.origin : [one?.origin, one?.path])))
      : base
    const group = groups.get(key) ?? made
    groups.set(key, group)
    group.paths.set(request, [...literal(made.basePath), ...path])
  }
  return [...groups.values()]
}

function createGroup(base: Text, scope: Scope): Group {
  const addresses = scope.environments.map((environment) => addressOf(scope.resolve(base, environment) ?? ""))
  const known = addresses.filter((address) => address !== undefined)
  const [first] = known
  const sharesPath = known.every(({ path }) => path.join("/") === first?.path.join("/"))
  return { base, addresses, sharesPath, basePath: sharesPath ? (first?.path ?? []) : [], paths: new Map() }
}

const literal = (path: readonly string[]): readonly Segment[] => path.map((text) => ({ text }))

/** Reads the value of a base URL. Without a scheme, it is http, as in Postman and curl. */
function addressOf(url: string): Address | undefined {
  const whole = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url) ? url : `http://${url}`
  const [, origin, path = ""] = /^(https?:\/\/[^/?#\s\\]+)([^?#\s]*)$/i.exec(whole) ?? []
  if (origin === undefined || !URL.canParse(origin)) return undefined
  const segments = path.split("/").filter((part) => part !== "")
  return { origin: origin.toLowerCase(), path: segments }
}

/** Joins the requests with a literal URL to a group whose variable has the same origin in some environment. */
function mergeGroups(groups: readonly Group[], scope: Scope): readonly Group[] {
  if (scope.environments.length < 2) return groups
  const byOrigin = new Map<string, Group>()
  const merged = new Set<Group>()
  const keep = (group: Group): void => {
    merged.add(group)
    if (group.sharesPath)
      for (const address of group.addresses)
        if (address !== undefined) getOrCreate(byOrigin, address.origin, () => group)
  }
  for (const group of groups) if (hasVariables(group.base)) keep(group)
  for (const group of groups) {
    if (hasVariables(group.base)) continue
    const [first] = group.addresses
    const target = first && byOrigin.get(first.origin)
    if (target === undefined) keep(group)
    else for (const [request, path] of group.paths) target.paths.set(request, path)
  }
  return groups.filter((group) => merged.has(group))
}

/** Returns the path that makes the most requests match an operation. */
function bestPrefix(group: Group, find: FindOperation): readonly string[] {
  const counts = new Map<string, number>()
  for (const [{ method }, path] of group.paths)
    for (let length = 0; length <= Math.min(MAX_PREFIX, path.length); length++)
      if (find(method, path.slice(length)) !== undefined) {
        const key = keyOf(path.slice(0, length).map(({ text }) => text))
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
  const own = ownPrefix(group)
  let best = { prefix: own, matches: counts.get(keyOf(own)) ?? countMatches(group, own, find) }
  for (const path of group.paths.values())
    for (const prefix of prefixesOf(path)) {
      const matches = counts.get(keyOf(prefix)) ?? 0
      if (matches > best.matches) best = { prefix, matches }
    }
  return best.prefix
}

const keyOf = (prefix: readonly string[]): string => prefix.join("/")

const MAX_PREFIX = 5

function prefixesOf(path: readonly Segment[]): readonly (readonly string[])[] {
  const end = path.findIndex(({ text, name }) => hasVariables(text) || name !== undefined || text === "")
  const literals = path.slice(0, end === -1 ? path.length : end).map(({ text }) => text)
  return Array.from({ length: Math.min(MAX_PREFIX, literals.length) + 1 }, (_, length) =>
    literals.slice(0, length),
  )
}

/** Returns the path of the base URL if no document decides it. */
function ownPrefix(group: Group): readonly string[] {
  if (hasVariables(group.base)) return group.basePath
  const [first = [], ...others] = [...group.paths.values()]
  const common: string[] = []
  for (const [at, { text }] of first.entries()) {
    if (!/^(?:api|apis|rest|v\d+(?:\.\d+)*)$/i.test(text)) break
    if (at === first.length - 1 || others.some((path) => path[at]?.text !== text || path.length === at + 1))
      break
    common.push(text)
  }
  return common
}

function countMatches({ paths }: Group, prefix: readonly string[], find: FindOperation): number {
  let count = 0
  for (const [{ method }, path] of paths)
    if (startsWith(path, prefix) && find(method, path.slice(prefix.length)) !== undefined) count++
  return count
}

const startsWith = (path: readonly Segment[], prefix: readonly string[]): boolean =>
  prefix.every((text, at) => path[at]?.text === text)

/** Requests outside the path of the base URL get an origin of their own, without a path. */
function splitGroup(group: Group, prefix: readonly string[], scope: Scope): readonly Origin[] {
  const inside = new Map<Request, readonly Segment[]>()
  const outside = new Map<Request, readonly Segment[]>()
  for (const [request, path] of group.paths)
    if (startsWith(path, prefix)) inside.set(request, path.slice(prefix.length))
    else outside.set(request, path)
  const origins = [originOf(group, prefix, inside, scope)]
  return outside.size === 0 ? origins : [...origins, originOf(group, [], outside, scope)]
}

function originOf(
  group: Group,
  prefix: readonly string[],
  paths: ReadonlyMap<Request, readonly Segment[]>,
  scope: Scope,
): Origin {
  const baseUrls = new Map<string, string>()
  for (const [at, { name }] of scope.environments.entries()) {
    const address = group.addresses[at]
    if (address === undefined) continue
    const path = [...(group.sharesPath ? [] : address.path), ...prefix]
    baseUrls.set(name, [address.origin, ...path].join("/"))
  }
  const variable = onlyVariable(group.base)
  const isWhole = prefix.join("/") === group.basePath.join("/")
  const host = group.addresses.find((address) => address !== undefined)?.origin.replace(/^https?:\/\//, "")
  return {
    paths,
    baseUrls,
    variable: isWhole ? variable : undefined,
    label: host ?? variable ?? nameOfServer(group.base),
  }
}

/** Names a server whose address depends on variables without a value. */
const nameOfServer = (base: Text): string =>
  mapText(
    splitBase(base).host,
    (part) => part,
    (name) => name,
  )
