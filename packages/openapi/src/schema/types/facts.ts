// The facts that a schema states about a whole value: its kinds and its only possible values.

import {
  isEqual,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  kindOf,
  ownOf,
  uniteKinds,
  uniteValues,
  type ValueKind,
} from "@callsheet/format"
import { listMember, member, objectMember } from "../../document/located.ts"
import { isNullable } from "../schema-graph.ts"
import { type Branch, createFold, type SchemaNode } from "./schema-nodes.ts"

export interface Facts {
  /** The kinds that `type`, `enum` and `const` allow. Empty if these keywords contradict each other. */
  readonly named: ReadonlySet<ValueKind> | undefined
  /** The kinds implied by keywords for one kind: `properties` without a `type` implies an object. */
  readonly implied: ReadonlySet<ValueKind> | undefined
  readonly isNullable: boolean
  readonly values: readonly JsonValue[] | undefined
}

export function kindsOf({ named, implied, isNullable: orNull }: Facts): ReadonlySet<ValueKind> | undefined {
  const kinds = named ?? implied
  return kinds === undefined || !orNull ? kinds : new Set<ValueKind>([...kinds, "null"])
}

/** Returns whether parts of a schema contradict each other. The document is then more likely wrong than a value. */
export const isContradictory = (facts: Facts): boolean => kindsOf(facts)?.size === 0

export function valuesOf(facts: Facts): readonly JsonValue[] | undefined {
  const kinds = kindsOf(facts)
  const values = facts.values?.filter((value) => kinds?.has(kindOf(value)) ?? true)
  if (values === undefined || values.length === 0) return undefined
  return facts.isNullable && !values.includes(null) ? [...values, null] : values
}

const nothingKnown: Facts = { named: undefined, implied: undefined, isNullable: false, values: undefined }
const impossible: Facts = { ...nothingKnown, named: new Set() }

export const createFacts = (): ((node: SchemaNode) => Facts) =>
  createFold<Facts>({
    own: ({ schema }) => (typeof schema === "object" ? ownFacts(schema) : schema ? nothingKnown : impossible),
    all: meetFacts,
    any: uniteFacts,
    // Conditions and extensions never narrow the facts of their schema.
    condition: (branches) => ({
      ...nothingKnown,
      isNullable: branches.some(({ result }) => result.isNullable),
    }),
    extension: () => nothingKnown,
    unknown: nothingKnown,
  })

const kindsByType: Readonly<Record<string, ValueKind>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  object: "object",
  array: "array",
  null: "null",
}

export function ownFacts(schema: JsonObject): Facts {
  const types = typeKinds(member(schema, "type"))
  const values = ownValues(schema)
  const implied = impliedKinds(schema)
  const orNull = isNullable(schema)
  // If `type: string` is beside `properties`, one of the two is a mistake, but it is unknown which.
  if (types !== undefined && [...implied].some((kind) => !types.has(kind)))
    return { ...nothingKnown, implied: new Set([...types, ...implied]), isNullable: orNull }
  const facts = { implied: isCertain(schema, implied) ? implied : undefined, isNullable: orNull }
  if (values === undefined) return { ...facts, named: types, values }
  const kinds = new Set(values.map(kindOf))
  // YAML reads `enum: [yes, no]` as booleans. Beside `type: string`, nothing is certain.
  const isMuddled = types !== undefined && [...kinds].some((kind) => kind !== "null" && !types.has(kind))
  return isMuddled
    ? { ...facts, named: new Set([...types, ...kinds]), values: undefined }
    : { ...facts, named: kinds, values }
}

function typeKinds(type: JsonValue | undefined): ReadonlySet<ValueKind> | undefined {
  const names = isJsonArray(type) ? type : type === undefined ? [] : [type]
  const kinds = names.map((name) => (typeof name === "string" ? ownOf(kindsByType, name) : undefined))
  const known = kinds.filter((kind) => kind !== undefined)
  return known.length > 0 && known.length === kinds.length ? new Set(known) : undefined
}

function ownValues(schema: JsonObject): readonly JsonValue[] | undefined {
  const constant = member(schema, "const")
  if (constant !== undefined) return [constant]
  const values = listMember(schema, "enum")
  return values.length === 0 ? undefined : values
}

/** Returns whether implied kinds are certain. Slack's document uses `items` without a `type` for objects. */
const isCertain = (schema: JsonObject, implied: ReadonlySet<ValueKind>): boolean =>
  implied.size > 0 && (member(schema, "items") === undefined || listMember(schema, "prefixItems").length > 0)

function impliedKinds(schema: JsonObject): ReadonlySet<ValueKind> {
  const kinds = new Set<ValueKind>()
  if (describesProperties(schema)) kinds.add("object")
  if (member(schema, "items") !== undefined || listMember(schema, "prefixItems").length > 0)
    kinds.add("array")
  return kinds
}

export const describesProperties = (schema: JsonValue | undefined): boolean =>
  (["properties", "patternProperties"] as const).some(
    (keyword) => Object.keys(objectMember(schema, keyword) ?? {}).length > 0,
  )

const meetFacts = (results: readonly Facts[]): Facts =>
  results.reduce((left, right) => ({
    named: bothOrEither(left.named, right.named, (a, b) => new Set([...a].filter((kind) => b.has(kind)))),
    implied: bothOrEither(left.implied, right.implied, (a, b) => new Set([...a, ...b])),
    isNullable: left.isNullable || right.isNullable,
    values: bothOrEither(left.values, right.values, commonValues),
  }))

function bothOrEither<T>(left: T | undefined, right: T | undefined, join: (left: T, right: T) => T) {
  return left === undefined || right === undefined ? (left ?? right) : join(left, right)
}

const commonValues = (left: readonly JsonValue[], right: readonly JsonValue[]): readonly JsonValue[] =>
  left.filter((value) => right.some((other) => isEqual(value, other)))

function uniteFacts(branches: readonly Branch<Facts>[]): Facts {
  const all = branches.map(({ result }) => result)
  const possible = all.filter((facts) => !isContradictory(facts))
  if (possible.length === 0) return impossible
  return {
    named: uniteKinds(possible.map(({ named }) => named)),
    implied: uniteKinds(possible.map(kindsOf)),
    isNullable: possible.some((facts) => facts.isNullable),
    values: uniteValues(possible.map(valuesOf)),
  }
}
