// Decides whether two parts are the same after references are resolved. Ignores descriptions and the order of keys.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownOf,
} from "@callsheet/format"
import { escapePointer } from "../document/located.ts"
import { innerOf, mayBeReference, type ObjectKind } from "../document/object-kinds.ts"
import { type Part, WrittenPart } from "../document/part.ts"
import { discriminatorOf, mappingOf, namedSchema, namesOf } from "../schema/discriminator.ts"
import { isNullable } from "../schema/schema-graph.ts"

export interface Sameness {
  /** A false result may be too careful: branches in another order count as a difference. */
  readonly isSame: (before: Part, after: Part, kind: ObjectKind) => boolean
}

interface Pair {
  readonly before: Part
  readonly after: Part
  readonly kind: ObjectKind
  /** The pair that contains this one. */
  readonly outer?: Pair | undefined
}

interface Walked {
  readonly isEqual: boolean
  /** The pairs of targets that references lead to. */
  readonly targets: readonly Pair[]
  /** The pair that differs. */
  readonly different?: Pair
}

/** Keeps results of referenced pairs, so each component is compared once. */
export function createSameness(): Sameness {
  const results = new Map<ObjectKind, Map<JsonValue, Map<JsonValue, boolean>>>()
  const resultsOf = ({ before, kind }: Pair): Map<JsonValue, boolean> =>
    getOrCreate(
      getOrCreate(results, kind, () => new Map<JsonValue, Map<JsonValue, boolean>>()),
      before.value,
      () => new Map<JsonValue, boolean>(),
    )
  const known = (pair: Pair): boolean | undefined => resultsOf(pair).get(pair.after.value)

  /** Walks everything that a pair leads to, then marks the pairs that lead to a difference. */
  const settle = (start: Pair): boolean => {
    const reached = new Map<Map<JsonValue, boolean>, Map<JsonValue, Reached>>()
    const nodeOf = (pair: Pair): Reached =>
      getOrCreate(
        getOrCreate(reached, resultsOf(pair), () => new Map<JsonValue, Reached>()),
        pair.after.value,
        () => {
          work.push(pair)
          return { pair, from: [], isEqual: true }
        },
      )
    const work: Pair[] = []
    const different: Reached[] = []
    nodeOf(start)
    for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
      const node = nodeOf(pair)
      const { isEqual, targets } = walk(pair)
      const isKnownDifferent = targets.some((target) => known(target) === false)
      if (!isEqual || isKnownDifferent) different.push(node)
      for (const target of targets) if (known(target) === undefined) nodeOf(target).from.push(node)
    }
    for (let node = different.pop(); node !== undefined; node = different.pop()) {
      if (!node.isEqual) continue
      node.isEqual = false
      different.push(...node.from)
    }
    for (const nodes of reached.values())
      for (const { pair, isEqual } of nodes.values()) resultsOf(pair).set(pair.after.value, isEqual)
    return known(start) ?? false
  }

  return {
    isSame: (before, after, kind) => {
      const pair = { before, after, kind }
      const answer = known(pair)
      if (answer !== undefined) return answer
      const { targets, different } = walk(pair)
      const unlike = different ?? targets.find((target) => !(known(target) ?? settle(target)))?.outer
      // The comparison asks about the inner pairs next, and deep documents have many.
      for (let here = unlike; here !== undefined; here = here.outer)
        resultsOf(here).set(here.after.value, false)
      return unlike === undefined
    },
  }
}

interface Reached {
  readonly pair: Pair
  /** The pairs that lead to this one. */
  readonly from: Reached[]
  isEqual: boolean
}

const differsAt = (different: Pair): Walked => ({ isEqual: false, targets: [], different })

/** Compares two parts up to their references. */
function walk(start: Pair): Walked {
  const targets: Pair[] = []
  const work: Pair[] = [start]
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const { before, after, kind } = pair
    if (!isJsonObject(before.value) || !isJsonObject(after.value)) {
      if (!isSameData(before.value, after.value)) return differsAt(pair)
      continue
    }
    const led = mayBeReference(kind) ? followBoth(pair) : undefined
    if (led === "different") return differsAt(pair)
    if (led !== undefined) targets.push({ ...led, outer: pair })
    if (led !== undefined && ignoresSiblings(pair)) continue
    const inner = innerPairs(pair)
    if (inner === undefined || (kind === "schema" && !addVariants(pair, targets))) return differsAt(pair)
    for (const one of inner) work.push({ ...one, outer: pair })
  }
  return { isEqual: true, targets }
}

/** Returns the targets of references. A part without a reference is its own target. */
function followBoth({ before, after, kind }: Pair): Pair | "different" | undefined {
  const one = before.text("$ref")
  const other = after.text("$ref")
  if (one === undefined && other === undefined) return undefined
  const isBare = [before, after].every(
    (part) => part.text("$ref") === undefined || hasOnlyReference(part, kind),
  )
  if (!isBare && (one === undefined || other === undefined)) return "different"
  if (before.isOld && isNullable(before.value) !== isNullable(after.value)) return "different"
  const [target, otherTarget] = [before.dereference(), after.dereference()]
  if (target === undefined || otherTarget === undefined)
    return target === otherTarget && one === other ? undefined : "different"
  return { before: target, after: otherTarget, kind }
}

const hasOnlyReference = (part: Part, kind: ObjectKind): boolean =>
  isBareKind(part, kind) ||
  Object.keys(part.value as JsonObject).every((key) => key === "$ref" || isIgnored(kind, key))

/** From 3.1 on, the keywords beside a schema's reference have an effect. */
const isBareKind = (part: Part, kind: ObjectKind): boolean => kind !== "schema" || part.isOld

const ignoresSiblings = ({ before, after, kind }: Pair): boolean =>
  [before, after].every((part) => isBareKind(part, kind)) ||
  before.text("$ref") === undefined ||
  after.text("$ref") === undefined

/** The fields that no run and no check reads. */
const annotations: ReadonlySet<string> = new Set(
  "description summary title example examples externalDocs deprecated $comment links callbacks xml".split(
    " ",
  ),
)

const readExtensions: ReadonlySet<string> = new Set(["x-nullable", "x-ms-discriminator-value"])

export const isIgnored = (kind: ObjectKind, key: string): boolean =>
  annotations.has(key) ||
  (key.startsWith("x-") && !readExtensions.has(key)) ||
  (kind === "schema" && (key === "$defs" || key === "definitions"))

/** Returns the pairs of inner parts. Undefined if the fields themselves differ. */
function innerPairs({ before, after, kind }: Pair): readonly Pair[] | undefined {
  const found: Pair[] = []
  const one = before.value as JsonObject
  const other = after.value as JsonObject
  const keys = Object.keys(one).filter((key) => !isIgnored(kind, key))
  if (keys.length !== Object.keys(other).filter((key) => !isIgnored(kind, key)).length) return undefined
  for (const key of keys) {
    if (!Object.hasOwn(other, key)) return undefined
    if (key === "$ref" && mayBeReference(kind)) continue
    const inner = innerOf(kind, key)
    const [left, right] = [stepInto(before, key), stepInto(after, key)]
    if (inner === undefined || (inner.kind === "discriminator" && isJsonObject(left.value))) {
      const isSame =
        inner === undefined ? isSameField(key, left.value, right.value) : isSameNames(left, right)
      if (!isSame) return undefined
    } else if (inner.as === "one" && !isJsonArray(left.value))
      found.push({ before: left, after: right, kind: inner.kind })
    else {
      const pairs = innerEntries(left, right, inner.kind)
      if (pairs === undefined) return undefined
      for (const one of pairs) found.push(one)
    }
  }
  return found
}

const stepInto = ({ document, value, pointer }: Part, key: string): Part =>
  new WrittenPart(
    document,
    (isJsonArray(value) ? value[Number(key)] : ownOf(value as JsonObject, key)) ?? null,
    `${pointer}/${escapePointer(key)}`,
  )

/** Pairs the members of two maps or the items of two lists. */
function innerEntries(before: Part, after: Part, kind: ObjectKind): readonly Pair[] | undefined {
  const one = before.value
  const other = after.value
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return undefined
  const keys = Object.keys(one)
  if (isJsonArray(one) !== isJsonArray(other) || keys.length !== Object.keys(other).length) return undefined
  const found: Pair[] = []
  for (const key of keys) {
    if (!Object.hasOwn(other, key)) return undefined
    found.push({ before: stepInto(before, key), after: stepInto(after, key), kind })
  }
  return found
}

/** The fields whose items have no order. */
const sets: ReadonlySet<string> = new Set(["required", "enum", "type", "dependentRequired"])

const isSameField = (key: string, one: JsonValue, other: JsonValue): boolean =>
  sets.has(key) && isJsonArray(one) && isJsonArray(other)
    ? one.length === other.length && isSameData(sorted(one), sorted(other))
    : isSameData(one, other)

const sorted = (values: readonly JsonValue[]): readonly JsonValue[] =>
  values.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))

const sortKey = (value: JsonValue): string => `${typeof value} ${textOf(value)}`

const textOf = (value: JsonValue): string =>
  typeof value === "object"
    ? JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}n` : inner))
    : String(value)

/** Compares data, such as an `enum`. Ignores the order of keys. */
export function isSameData(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return typeof one !== typeof other && isNumeric(one) && isNumeric(other) && Number(one) === Number(other)
  if (isJsonArray(one) !== isJsonArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameData(memberOf(one, key), memberOf(other, key)))
  )
}

const memberOf = (holder: JsonValue, key: string): JsonValue =>
  (isJsonArray(holder) ? holder[Number(key)] : ownOf(holder as JsonObject, key)) ?? null

const isNumeric = (value: JsonValue): boolean => typeof value === "number" || typeof value === "bigint"

/** Compares two discriminators without the targets, which `addVariants` pairs. */
const isSameNames = (before: Part, after: Part): boolean =>
  before.text("propertyName") === after.text("propertyName") &&
  isSameData(
    Object.keys(before.object("mapping") ?? {}).toSorted(),
    Object.keys(after.object("mapping") ?? {}).toSorted(),
  )

/** Adds the schemas that a discriminator selects. Returns false if it selects by other names. */
function addVariants(pair: Pair, targets: Pair[]): boolean {
  const { before, after, kind } = pair
  for (const name of Object.keys(mappingOf(before))) {
    const one = namedSchema(before, name)
    const other = namedSchema(after, name)
    if (one === undefined || other === undefined) return false
    targets.push({ before: one, after: other, kind, outer: pair })
  }
  if (before.member("discriminator") === undefined) return true
  if (discriminatorOf(before) === undefined) return isSameData(branchNames(before), branchNames(after))
  const names = namesOf(before)
  if (!isSameData(names.toSorted(), namesOf(after).toSorted())) return false
  for (const name of names) {
    const one = namedSchema(before, name)
    const other = namedSchema(after, name)
    if (one === undefined || other === undefined) return one === other
    targets.push({ before: one, after: other, kind, outer: pair })
  }
  return true
}

/** Returns the names of the branches, which are values of the discriminator. */
const branchNames = (schema: Part): readonly JsonValue[] =>
  ["oneOf", "anyOf"].flatMap((keyword) =>
    schema.items(keyword).map((branch) => branch.text("$ref")?.split("/").at(-1) ?? null),
  )
