// Reduces violations to the useful ones. If all alternatives failed, keeps the violations of the likeliest one.

import { getOrCreate, isJsonObject, type JsonValue, ownOf } from "@callsheet/format"
import { escapePointer, lastKey, member } from "../../document/located.ts"
import type { Chooser } from "./choose-schema.ts"
import {
  type Alternatives,
  CHOOSES,
  FORBIDS,
  type PlainSchema,
  pointerOf,
  REFERS_TO,
  TELLS_APART,
} from "./plain-schema.ts"
import type { Violation } from "./validator.ts"

interface NarrowingSchemas {
  readonly schemaOf: (id: string) => PlainSchema
  readonly violationsOf: (schema: PlainSchema, value: JsonValue) => readonly Violation[]
}

/** Removes violations that repeat others: those of `if`, of single alternatives, and of property names. */
export function narrowViolations(
  found: readonly Violation[],
  schemas: NarrowingSchemas,
): readonly Violation[] {
  const violations = withoutEchoes(found)
  const choices = violations.flatMap((choice, index) =>
    choiceKeywords.has(choice.keyword) ? [{ choice, index }] : [],
  )
  if (choices.length === 0) return violations
  const isNoise = noiseOf(choices, schemas)
  return violations
    .filter((violation, index) => !isNoise(violation, index))
    .flatMap((violation) => narrowChoice(violation, schemas))
}

interface FoundChoice {
  readonly choice: Violation
  /** The index in the list of violations, after those of the alternatives. */
  readonly index: number
}

/** Finds violations inside a choice. Takes linear time. */
function noiseOf(
  choices: readonly FoundChoice[],
  schemas: NarrowingSchemas,
): (violation: Violation, index: number) => boolean {
  const insides = new Map<unknown, ReadonlySet<unknown>>()
  const byPointer = new Map<string, FoundChoice[]>()
  for (const found of choices) {
    const { choice } = found
    getOrCreate(insides, choice.expected, () => schemasInside(choice, schemas))
    getOrCreate(byPointer, choice.pointer, () => []).push(found)
  }
  // A recursive schema may be inside its own alternatives, so the order decides to which choice a violation belongs.
  return (violation, at) =>
    pointersAround(violation.pointer).some((pointer) =>
      byPointer
        .get(pointer)
        ?.some(
          ({ choice, index }) => index > at && insides.get(choice.expected)?.has(violation.schema) === true,
        ),
    )
}

function pointersAround(pointer: string): readonly string[] {
  const pointers = [""]
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1))
    pointers.push(pointer.slice(0, end))
  return pointers
}

/** Removes violations about unevaluated properties if another part failed: a failed part evaluates nothing. */
function withoutEchoes(found: readonly Violation[]): readonly Violation[] {
  const isEcho = ({ keyword }: Violation): boolean => keyword.startsWith("unevaluated")
  const reported = found.filter(({ keyword }) => keyword !== "if")
  if (!reported.some(isEcho)) return reported
  const broken = new Set<string>()
  for (const violation of reported)
    if (!isEcho(violation)) for (const pointer of pointersAround(violation.pointer)) broken.add(pointer)
  return reported.filter((violation) => !(isEcho(violation) && broken.has(violation.pointer)))
}

const choiceKeywords = new Set(["oneOf", "anyOf", "contains", "propertyNames"])

const alternativesOf = ({ expected }: Violation): readonly PlainSchema[] =>
  Array.isArray(expected) ? (expected as readonly PlainSchema[]) : [expected as PlainSchema]

function schemasInside(choice: Violation, { schemaOf }: NarrowingSchemas): ReadonlySet<unknown> {
  const reached = new Set<unknown>(alternativesOf(choice))
  // This loop also visits the members that it adds.
  for (const part of reached) {
    if (typeof part !== "object" || part === null) continue
    for (const [keyword, value] of Object.entries(part)) {
      if (keyword === REFERS_TO) reached.add(schemaOf(String(value)))
      else if (keyword === CHOOSES) for (const id of (value as Chooser).chosen) reached.add(schemaOf(id))
      else if (typeof value === "object" && value !== null) reached.add(value)
    }
  }
  return reached
}

function narrowChoice(found: Violation, schemas: NarrowingSchemas): readonly Violation[] {
  if (found.keyword !== "oneOf" && found.keyword !== "anyOf") return [found]
  const alternatives = alternativesOf(found)
  const names = alternatives.map((schema, index) => nameOfAlternative(schema, index, schemas))
  const choice = { ...found, params: { ...found.params, names } }
  if (Array.isArray(found.params["passingSchemas"])) return [choice]
  const unmatched = unknownKind(choice)
  if (unmatched !== undefined && !isNamedOtherwise(unmatched, choice, schemas)) return [unmatched]
  const attempts = alternatives.map((schema, index) => ({
    schema,
    name: names[index],
    violations: narrowViolations(schemas.violationsOf(schema, found.value), schemas),
  }))
  const ofItsType = attempts.filter(({ violations }) => !violations.some(isOfOtherType))
  if (ofItsType.length > 0) return narrowAttempts(choice, ofItsType, schemas)
  const type = typesAsked(attempts)
  if (type.length === 0) return [choice]
  return [{ ...choice, keyword: "type", params: { type }, writtenAs: choice.keyword }]
}

function narrowAttempts(
  choice: Violation,
  ofItsType: readonly Attempt[],
  schemas: NarrowingSchemas,
): readonly Violation[] {
  const below = (violations: readonly Violation[]): readonly Violation[] =>
    violations.map((violation) => ({ ...violation, pointer: choice.pointer + violation.pointer }))
  const meant = ofItsKind(ofItsType, schemas)
  if (meant.length === 1) return below(meant.flatMap(({ violations }) => violations))
  const either = meant.map(({ violations: [only, ...more] }) => (more.length === 0 ? only : undefined))
  if (either.every((violation) => violation !== undefined && isOfWhole(violation)))
    return [{ ...choice, params: { ...choice.params, either } }]
  const closest = meant.reduce((best, next) => (isCloser(next, best) ? next : best))
  return [{ ...choice, params: { ...choice.params, closest: closest.name } }, ...below(closest.violations)]
}

const isOfWhole = ({ pointer, keyword }: Violation): boolean => pointer === "" && !aboutNames.has(keyword)

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
function unknownKind(choice: Violation): Violation | undefined {
  const { schema, value, pointer } = choice
  const alternatives =
    typeof schema === "object" ? (schema[TELLS_APART] as Alternatives | undefined) : undefined
  if (alternatives === undefined || !isJsonObject(value)) return undefined
  const { property, names } = alternatives
  const writtenAs = "discriminator"
  const name = member(value, property)
  if (name === undefined)
    return { ...choice, keyword: "required", params: { missingProperty: property }, writtenAs }
  const at = `${pointer}/${escapePointer(property)}`
  return { ...choice, keyword: "enum", pointer: at, expected: names, value: name, writtenAs }
}

/**
 * Returns true if the discriminator doesn't know the names that the alternatives list, as in many documents without a
 * mapping.
 */
function isNamedOtherwise(unmatched: Violation, choice: Violation, schemas: NarrowingSchemas): boolean {
  const names = unmatched.expected as readonly unknown[]
  const at = unmatched.pointer.slice(choice.pointer.length)
  const listed = at === "" ? [] : alternativesOf(choice).flatMap((schema) => valuesOf(schema, at, schemas))
  return (
    listed.includes(unmatched.value) || (listed.length > 0 && !listed.some((value) => names.includes(value)))
  )
}

function nameOfAlternative(schema: PlainSchema, index: number, { schemaOf }: NarrowingSchemas): string {
  const reference = typeof schema === "object" ? schema[REFERS_TO] : undefined
  const pointer = typeof reference === "string" ? pointerOf(schemaOf(reference)) : undefined
  if (pointer === undefined) return `alternative ${index + 1}`
  return lastKey(pointer.replace(/#$/, ""))
}

const isOfOtherType = ({ keyword, pointer }: Violation): boolean =>
  pointer === "" && (keyword === "type" || keyword === "exactType" || keyword === FORBIDS)

interface Attempt {
  readonly schema: PlainSchema
  readonly name: string | undefined
  readonly violations: readonly Violation[]
}

/** Drops alternatives whose fixed property values don't match, if another alternative's do. */
function ofItsKind(attempts: readonly Attempt[], schemas: NarrowingSchemas): readonly Attempt[] {
  const accepting = attempts.filter(({ violations }) => !violations.some(isOfOtherKind))
  const isRuledOut = (pointer: string) =>
    pointer === "" || accepting.some(({ schema }) => valuesOf(schema, pointer, schemas).length > 0)
  const left = attempts.filter(
    ({ violations }) =>
      !violations.some((violation) => isOfOtherKind(violation) && isRuledOut(violation.pointer)),
  )
  return left.length > 0 ? left : attempts
}

const isOfOtherKind = ({ keyword, pointer }: Violation): boolean =>
  (keyword === "const" || keyword === "enum") && pointer.lastIndexOf("/") <= 0

function valuesOf(schema: PlainSchema, pointer: string, schemas: NarrowingSchemas): readonly unknown[] {
  const name = lastKey(pointer)
  const properties = partsOf(schema, schemas).flatMap((part) => {
    const named = part["properties"] as Readonly<Record<string, PlainSchema>> | undefined
    const schema = ownOf(named, name)
    return schema === undefined ? [] : partsOf(schema, schemas)
  })
  return properties.flatMap((part) => [
    ...((part["enum"] as readonly unknown[] | undefined) ?? []),
    ...(part["const"] === undefined ? [] : [part["const"]]),
  ])
}

const MAX_PARTS = 100

function partsOf(schema: PlainSchema, { schemaOf }: NarrowingSchemas) {
  const parts = new Set([schema])
  for (const part of parts) {
    if (typeof part === "boolean" || parts.size > MAX_PARTS) continue
    const reference = part[REFERS_TO]
    if (typeof reference === "string") parts.add(schemaOf(reference))
    for (const inner of (part["allOf"] as readonly PlainSchema[] | undefined) ?? []) parts.add(inner)
  }
  return [...parts].filter((part) => typeof part !== "boolean")
}

function typesAsked(attempts: readonly Attempt[]): readonly unknown[] {
  const types = attempts
    .flatMap(({ violations }) => violations.filter(isOfOtherType))
    .map(({ keyword, expected, params: { type } }) =>
      keyword === "type" && Array.isArray(type) ? type : expected,
    )
  return [...new Set(types.flatMap((names) => (Array.isArray(names) ? (names as unknown[]) : [])))]
}
