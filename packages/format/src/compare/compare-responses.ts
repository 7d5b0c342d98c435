// Compares a block of two runs: status, headers, body and duration. Decides which differences are noise.

import type { BlockReport, Headers } from "../events/types.ts"
import { type JsonArray, type JsonValue, member } from "../json/value.ts"
import { formatPath } from "../workflow/path.ts"
import {
  byIndex,
  compareValues,
  type ItemPair,
  type Sides,
  type ValueDifference,
  type ValuePath,
} from "./compare-values.ts"
import { differInAddress, type ServiceAddresses } from "./service-addresses.ts"
import { haveFormat } from "./value-formats.ts"

/**
 * The reason why a difference is noise: the contract marks the value as `readOnly`, the value has a `format` that
 * changes, it also differs between two runs of the same side, it follows from the `body` or the `connection`, or it is
 * a `duration`.
 */
export type NoiseReason = "readOnly" | "format" | "baseline" | "body" | "connection" | "duration"

export interface BlockDifference {
  readonly what: "status" | "contract" | "header" | "body" | "duration" | "missing" | "added"
  /** The name of a header, or the path in a body. Absent if the whole body differs. */
  readonly path?: string
  /** Null if `absent` names this side. */
  readonly left: JsonValue
  readonly right: JsonValue
  /** The side that has no value. */
  readonly absent?: "left" | "right"
  readonly noise: boolean
  readonly reason?: NoiseReason
}

/** The contract's description of a value. */
export interface DescribedValue {
  /** True if the value, or a container of it, is `readOnly`. */
  readonly isReadOnly: boolean
  readonly formats: ReadonlySet<string>
}

/** Describes the values of a response by its contract. Returns undefined for a value that the contract doesn't describe. */
export interface DescribedResponse {
  readonly header: (name: string) => DescribedValue | undefined
  readonly body: (path: ValuePath) => DescribedValue | undefined
}

/** The rules by which differences of a block are noise. */
export interface NoiseRules {
  readonly described?: DescribedResponse | undefined
  /** The differences between two runs of the left side, by `learnNoise`. */
  readonly learned?: ReadonlySet<string> | undefined
  /** The servers that callsheet started for each run. */
  readonly services?: readonly [left: ServiceAddresses, right: ServiceAddresses] | undefined
}

/** Compares a block that ran on both sides. Yields each difference when it is found. */
export function* compareBlocks(
  left: BlockReport,
  right: BlockReport,
  { described, learned, services }: NoiseRules,
): Generator<BlockDifference, void> {
  const isOwn = ({ left: one, right: two }: ValueDifference): boolean =>
    services !== undefined && differInAddress(one, two, services)
  yield* statusDifference(left, right)
  yield* contractDifference(left, right)
  const [own, other] = [left.response, right.response]
  if (own !== undefined && other !== undefined) {
    let isOtherBody = false
    for (const found of compareBodies({ left: own.body, right: other.body }, { described, learned })) {
      if (isOwn(found)) continue
      isOtherBody = true
      yield difference("body", found, found.reason)
    }
    for (const found of headerDifferences(own.headers, other.headers)) {
      if (isOwn(found)) continue
      const [name = ""] = found.path as readonly string[]
      const rules = { learned, key: keyOf("header", found.path), describe: () => described?.header(name) }
      yield difference("header", found, headerReason(name, found, isOtherBody) ?? reasonOf(found, rules))
    }
  }
  yield* durationDifference(left, right)
}

export type BodyDifference = ValueDifference & { readonly reason: NoiseReason | undefined }

/** Compares two bodies. Yields each difference when it is found. */
export function* compareBodies(
  { left, right }: Sides,
  { described, learned }: NoiseRules,
): Generator<BodyDifference, void> {
  for (const found of bodyDifferences(left, right, learned)) {
    const { path } = found
    const rules = { learned, key: keyOf("body", path), describe: () => described?.body(path) }
    yield { ...found, reason: reasonOf(found, rules) }
  }
}

/** The HTTP status of a block or, without a response, its outcome. */
export const statusOf = ({ response, status }: BlockReport): number | string => response?.status ?? status

function* statusDifference(left: BlockReport, right: BlockReport): Generator<BlockDifference, void> {
  const [own, other] = [statusOf(left), statusOf(right)]
  if (own !== other) yield { what: "status", left: own, right: other, noise: false }
  // The failed block in a container is listed itself.
  else if (left.status !== right.status && !isDerived(left) && !isDerived(right))
    yield { what: "status", left: left.status, right: right.status, noise: false }
}

/** A violation fails its block, so the status of the block already differs. */
function* contractDifference(left: BlockReport, right: BlockReport): Generator<BlockDifference, void> {
  const [own, other] = [left.contract?.status, right.contract?.status]
  if (own === undefined || other === undefined || own === other) return
  if (own !== "failed" && other !== "failed")
    yield { what: "contract", left: own, right: other, noise: false }
}

const isDerived = ({ error }: BlockReport): boolean => error?.code === "child-failed"

/** A duration is listed from this factor and from this difference in milliseconds. */
const SLOWER = { factor: 3, ms: 200 }

function* durationDifference(left: BlockReport, right: BlockReport): Generator<BlockDifference, void> {
  if (left.blocks !== undefined || left.iterations !== undefined) return
  const [own, other] = [left, right].map(
    ({ response, durationMs }) => response?.durationMs ?? durationMs,
  ) as [number, number]
  const [less, more] = [Math.min(own, other), Math.max(own, other)]
  if (more >= less * SLOWER.factor && more - less >= SLOWER.ms)
    yield { what: "duration", left: own, right: other, noise: true, reason: "duration" }
}

function difference(
  what: "body" | "header",
  { path, left, right }: ValueDifference,
  reason: NoiseReason | undefined,
): BlockDifference {
  const absent = left === undefined ? "left" : right === undefined ? "right" : undefined
  return {
    what,
    ...(path.length === 0 ? {} : { path: formatPath(path) }),
    left: left ?? null,
    right: right ?? null,
    ...(absent === undefined ? {} : { absent }),
    noise: reason !== undefined,
    ...(reason === undefined ? {} : { reason }),
  }
}

interface Rules {
  readonly learned: ReadonlySet<string> | undefined
  readonly key: string
  readonly describe: () => DescribedValue | undefined
}

/** Decides whether a value may change between two runs. A vanished value and a changed type are never noise. */
function reasonOf({ left, right }: Sides, { learned, key, describe }: Rules): NoiseReason | undefined {
  if (right === undefined) return undefined
  if (left !== undefined && !areSimilar(left, right)) return undefined
  if (learned?.has(key) === true) return "baseline"
  if (left === undefined) return undefined
  const described = describe()
  if (described?.isReadOnly === true) return "readOnly"
  return haveFormat(left, right, described?.formats) ? "format" : undefined
}

/** Returns whether two values have the same type, and are both masked or both not. */
export const areSimilar = (left: JsonValue, right: JsonValue): boolean =>
  typeName(left) === typeName(right) && isMasked(left) === isMasked(right)

function typeName(value: JsonValue): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value === "bigint" ? "number" : typeof value
}

export const isMasked = (value: JsonValue): value is string =>
  typeof value === "string" && value.includes(MASKED)

/** The text that stands for a secret in what is reported and stored. */
export const MASKED = "***"

/** Returns what differs between the responses of a block in two runs of the same side. */
export function learnNoise(
  { response: left }: BlockReport,
  { response: right }: BlockReport,
): ReadonlySet<string> {
  const keys = new Set<string>()
  if (left === undefined || right === undefined) return keys
  for (const { path } of bodyDifferences(left.body, right.body)) keys.add(keyOf("body", path))
  for (const { path } of headerDifferences(left.headers, right.headers)) keys.add(keyOf("header", path))
  return keys
}

/** All items of an array share a key, because arrays of two runs may have different lengths. */
export const keyOf = (what: "body" | "header", path: ValuePath): string =>
  JSON.stringify([what, ...path.map((segment) => (typeof segment === "number" ? 0 : segment))])

function* bodyDifferences(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  learned?: ReadonlySet<string>,
): Generator<ValueDifference, void> {
  const moved: ValueDifference[] = []
  const alignItems = (own: JsonArray, other: JsonArray, path: () => ValuePath): Iterable<ItemPair> => {
    const aligned = alignById(own, other)
    if (aligned === undefined) return byIndex(own, other)
    // Ids that change in each run identify nothing.
    const at = path()
    if (learned?.has(keyOf("body", [...at, 0, "id"])) === true) return byIndex(own, other)
    if (aligned.moved !== undefined) moved.push({ path: at, ...aligned.moved })
    return aligned.pairs
  }
  yield* compareValues({ left, right }, { alignItems })
  yield* moved
}

/** Pairs the items of two arrays by `id`. Returns undefined if they have no unique ids, or no id in common. */
function alignById(left: JsonArray, right: JsonArray) {
  const [own, other] = [idsOf(left), idsOf(right)]
  if (own === undefined || other === undefined) return undefined
  const common = [...own.keys()].filter((id) => other.has(id))
  if (common.length === 0) return undefined
  const order = [...other.keys()].filter((id) => own.has(id))
  const hasMoved = common.some((id, at) => id !== order[at])
  // The items that are left may be the same ones, created again with another id.
  const added = [...other].flatMap(([id, at]) => (own.has(id) ? [] : [at]))
  const pairs: ItemPair[] = [...own].map(([id, at]) => [at, other.get(id) ?? added.shift()])
  for (const at of added) pairs.push([undefined, at])
  return { pairs, moved: hasMoved ? { left: common, right: order } : undefined }
}

type Id = string | number | bigint

function idsOf(items: JsonArray): ReadonlyMap<Id, number> | undefined {
  const ids = new Map<Id, number>()
  for (const [at, item] of items.entries()) {
    const id = member(item, "id")
    if (typeof id !== "string" && typeof id !== "number" && typeof id !== "bigint") return undefined
    if (ids.has(id)) return undefined
    ids.set(id, at)
  }
  return ids.size === 0 ? undefined : ids
}

/** Headers that describe the connection and not the response (RFC 9110 section 7.6.1). */
const connectionHeaders = new Set(["connection", "keep-alive", "transfer-encoding"])
/** Headers that a server computes from the body. */
const bodyHeaders = new Set(["content-length", "etag", "content-md5", "content-digest"])

function headerReason(name: string, { left, right }: Sides, isOtherBody: boolean): NoiseReason | undefined {
  if (left === undefined || right === undefined) return undefined
  if (connectionHeaders.has(name)) return "connection"
  return isOtherBody && bodyHeaders.has(name) ? "body" : undefined
}

const headerDifferences = (left: Headers = {}, right: Headers = {}) =>
  compareValues({ left: headerValues(left), right: headerValues(right) })

/** Returns headers with cookies by name, because a server may set them in any order. */
function headerValues(headers: Headers): Readonly<Record<string, JsonValue>> {
  const cookies = headers["set-cookie"]
  if (cookies === undefined) return headers
  const named = [cookies].flat().map((cookie) => [cookie.split("=", 1)[0] ?? "", cookie] as const)
  return { ...headers, "set-cookie": Object.fromEntries(named) }
}
