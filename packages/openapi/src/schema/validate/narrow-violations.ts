// Reduces violations to the useful ones. If all alternatives failed, keeps the violations of the likeliest one.

import { isJsonObject, ownOf } from "@callsheet/format"
import { escapePointer, lastKey, member } from "../../document/located.ts"
import type { Violation } from "./evaluate-schema.ts"
import {
  type Alternatives,
  FORBIDS,
  type PlainObject,
  type PlainSchema,
  pointerOf,
  REFERS_TO,
  type SchemaReference,
  TELLS_APART,
} from "./plain-schema.ts"

/** A violation with what a report says about its alternatives. */
export interface Explained extends Violation {
  /** The keyword of the document, if it differs. */
  readonly writtenAs?: string
  /** The names of all alternatives. */
  readonly names?: readonly string[]
  /** The name of the alternative whose violations follow. */
  readonly closest?: string | undefined
  /** The only violation of each alternative. */
  readonly either?: readonly Explained[]
}

/** Removes violations that repeat others, and chooses among those of alternatives. */
export function narrowViolations(found: readonly Violation[]): readonly Explained[] {
  return withoutEchoes(found).flatMap((violation) =>
    violation.keyword === "oneOf" || violation.keyword === "anyOf" ? narrowChoice(violation) : [violation],
  )
}

/** Removes violations about unevaluated properties if another part failed: a failed part evaluates nothing. */
function withoutEchoes(found: readonly Violation[]): readonly Violation[] {
  const isEcho = ({ keyword }: Violation): boolean => keyword.startsWith("unevaluated")
  if (!found.some(isEcho)) return found
  const broken = new Set<string>()
  for (const violation of found)
    if (!isEcho(violation)) for (const pointer of pointersAround(violation.pointer)) broken.add(pointer)
  return found.filter((violation) => !(isEcho(violation) && broken.has(violation.pointer)))
}

function pointersAround(pointer: string): readonly string[] {
  const pointers = [""]
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1))
    pointers.push(pointer.slice(0, end))
  return pointers
}

const alternativesOf = ({ expected }: Violation) => expected as readonly PlainSchema[]

function narrowChoice(found: Violation): readonly Explained[] {
  const names = alternativesOf(found).map(nameOfAlternative)
  const choice = { ...found, names }
  if (found.attempts === undefined) return [choice]
  const unmatched = unknownKind(choice)
  if (unmatched !== undefined && !isNamedOtherwise(unmatched, choice)) return [unmatched]
  const attempts = found.attempts.map((violations, index) => ({
    schema: alternativesOf(found)[index] ?? true,
    name: names[index],
    violations: narrowViolations(violations),
  }))
  const ofItsType = attempts.filter(({ violations }) => !violations.some(isOfOtherType))
  if (ofItsType.length > 0) return narrowAttempts(choice, ofItsType)
  const expected = typesAsked(attempts)
  return [
    expected.length === 0 ? choice : { ...choice, keyword: "type", expected, writtenAs: choice.keyword },
  ]
}

function narrowAttempts(choice: Explained, ofItsType: readonly Attempt[]): readonly Explained[] {
  const below = (violations: readonly Explained[]): readonly Explained[] =>
    violations.map((violation) => ({ ...violation, pointer: choice.pointer + violation.pointer }))
  const meant = ofItsKind(ofItsType)
  if (meant.length === 1) return below(meant.flatMap(({ violations }) => violations))
  const either = meant.flatMap(({ violations: [only, ...more] }) =>
    only !== undefined && more.length === 0 && isOfWhole(only) ? [only] : [],
  )
  if (either.length === meant.length) return [{ ...choice, either }]
  const closest = meant.reduce((best, next) => (isCloser(next, best) ? next : best))
  return [{ ...choice, closest: closest.name }, ...below(closest.violations)]
}

const isOfWhole = ({ pointer, keyword }: Explained): boolean => pointer === "" && !aboutNames.has(keyword)

const aboutNames = new Set(
  "required dependentRequired additionalProperties unevaluatedProperties unevaluatedItems oneOf anyOf".split(
    " ",
  ),
)

/** Compares alternatives by the value's property names, then by the number of violations. */
function isCloser(one: Attempt, other: Attempt): boolean {
  const misnamed = ({ violations }: Attempt): number =>
    violations.filter(({ pointer, keyword }) => pointer === "" && aboutNames.has(keyword)).length
  const difference = misnamed(one) - misnamed(other)
  return difference === 0 ? one.violations.length < other.violations.length : difference < 0
}

/** Returns the violation of a discriminator whose value names no alternative. */
function unknownKind(choice: Violation): Explained | undefined {
  const { schema, value, pointer } = choice
  const alternatives = schema[TELLS_APART] as Alternatives | undefined
  if (alternatives === undefined || !isJsonObject(value)) return undefined
  const { property, names } = alternatives
  const writtenAs = "discriminator"
  const name = member(value, property)
  if (name === undefined) return { ...choice, keyword: "required", name: property, writtenAs }
  const at = `${pointer}/${escapePointer(property)}`
  return { ...choice, keyword: "enum", pointer: at, expected: names, value: name, writtenAs }
}

/**
 * Returns true if the discriminator doesn't know the names that the alternatives list, as in many documents without a
 * mapping.
 */
function isNamedOtherwise(unmatched: Violation, choice: Violation): boolean {
  const names = unmatched.expected as readonly unknown[]
  const at = unmatched.pointer.slice(choice.pointer.length)
  const listed = at === "" ? [] : alternativesOf(choice).flatMap((schema) => valuesOf(schema, at))
  return (
    listed.includes(unmatched.value) || (listed.length > 0 && !listed.some((value) => names.includes(value)))
  )
}

function nameOfAlternative(schema: PlainSchema, index: number): string {
  const pointer = pointerOf(targetOf(schema))
  return pointer === undefined ? `alternative ${index + 1}` : lastKey(pointer.replace(/#$/, ""))
}

const targetOf = (schema: PlainSchema): PlainSchema | undefined =>
  typeof schema === "object" ? (schema[REFERS_TO] as SchemaReference | undefined)?.schema() : undefined

const isOfOtherType = ({ keyword, pointer }: Violation): boolean =>
  pointer === "" && (keyword === "type" || keyword === FORBIDS)

interface Attempt {
  readonly schema: PlainSchema
  readonly name: string | undefined
  readonly violations: readonly Explained[]
}

/** Drops alternatives whose fixed property values don't match, if another alternative's do. */
function ofItsKind(attempts: readonly Attempt[]): readonly Attempt[] {
  const accepting = attempts.filter(({ violations }) => !violations.some(isOfOtherKind))
  const isRuledOut = (pointer: string) =>
    pointer === "" || accepting.some(({ schema }) => valuesOf(schema, pointer).length > 0)
  const left = attempts.filter(
    ({ violations }) =>
      !violations.some((violation) => isOfOtherKind(violation) && isRuledOut(violation.pointer)),
  )
  return left.length > 0 ? left : attempts
}

const isOfOtherKind = ({ keyword, pointer }: Violation): boolean =>
  (keyword === "const" || keyword === "enum") && pointer.lastIndexOf("/") <= 0

function valuesOf(schema: PlainSchema, pointer: string): readonly unknown[] {
  const name = lastKey(pointer)
  const properties = partsOf(schema).flatMap((part) => {
    const property = ownOf(part["properties"] as Readonly<Record<string, PlainSchema>> | undefined, name)
    return property === undefined ? [] : partsOf(property)
  })
  return properties.flatMap((part) => [
    ...((part["enum"] as readonly unknown[] | undefined) ?? []),
    ...(part["const"] === undefined ? [] : [part["const"]]),
  ])
}

const MAX_PARTS = 100

function partsOf(schema: PlainSchema): readonly PlainObject[] {
  const parts = new Set([schema])
  for (const part of parts) {
    if (typeof part === "boolean" || parts.size > MAX_PARTS) continue
    parts.add(targetOf(part) ?? true)
    for (const inner of (part["allOf"] as readonly PlainSchema[] | undefined) ?? []) parts.add(inner)
  }
  return [...parts].filter((part) => typeof part !== "boolean")
}

function typesAsked(attempts: readonly Attempt[]): readonly unknown[] {
  const types = attempts.flatMap(({ violations }) =>
    violations.filter(isOfOtherType).map(({ expected }) => expected),
  )
  return [...new Set(types.flatMap((names) => (Array.isArray(names) ? (names as unknown[]) : [])))]
}
