// Many violations -> those that help: of alternatives that all failed, what the one breaks that was meant.

import { getOrCreate, isJsonObject, type JsonValue } from "@callsheet/format"
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

/** Takes out what repeats or confuses: that an `if` failed, what single alternatives broke, and what broke a property's name. */
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
  /** Its place among all violations: what its alternatives broke was found before. */
  readonly index: number
}

/** Whether a violation is of an alternative of one of the choices; in time that grows with the violations, not with their square. */
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
  // A schema may be inside its own alternatives: then order tells which violation is of the other.
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

/** A failed part evaluates nothing: then everything is unevaluated, and saying so helps nobody. */
function withoutEchoes(found: readonly Violation[]): readonly Violation[] {
  const isEcho = ({ keyword }: Violation): boolean => keyword.startsWith("unevaluated")
  const told = found.filter(({ keyword }) => keyword !== "if")
  if (!told.some(isEcho)) return told
  const broken = new Set<string>()
  for (const violation of told)
    if (!isEcho(violation)) for (const pointer of pointersAround(violation.pointer)) broken.add(pointer)
  return told.filter((violation) => !(isEcho(violation) && broken.has(violation.pointer)))
}

const choiceKeywords = new Set(["oneOf", "anyOf", "contains", "propertyNames"])

const alternativesOf = ({ expected }: Violation): readonly PlainSchema[] =>
  Array.isArray(expected) ? (expected as readonly PlainSchema[]) : [expected as PlainSchema]

function schemasInside(choice: Violation, { schemaOf }: NarrowingSchemas): ReadonlySet<unknown> {
  const reached = new Set<unknown>(alternativesOf(choice))
  // A set that grows while it is walked is walked to its end.
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
  const untold = untoldKind(choice)
  if (untold !== undefined && !isNamedOtherwise(untold, choice, schemas)) return [untold]
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

/** An alternative whose names the value has is closer than one of other names; then fewer violations are. */
function isCloser(one: Attempt, other: Attempt): boolean {
  const misnamed = ({ violations }: Attempt): number =>
    violations.filter(({ pointer, keyword }) => pointer === "" && aboutNames.has(keyword)).length
  const difference = misnamed(one) - misnamed(other)
  return difference === 0 ? one.violations.length < other.violations.length : difference < 0
}

/** Where a discriminator could have told which alternative is meant, and the value names none of them. */
function untoldKind(choice: Violation): Violation | undefined {
  const { schema, value, pointer } = choice
  const told = typeof schema === "object" ? (schema[TELLS_APART] as Alternatives | undefined) : undefined
  if (told === undefined || !isJsonObject(value)) return undefined
  const { property, names } = told
  const writtenAs = "discriminator"
  const name = member(value, property)
  if (name === undefined)
    return { ...choice, keyword: "required", params: { missingProperty: property }, writtenAs }
  const at = `${pointer}/${escapePointer(property)}`
  return { ...choice, keyword: "enum", pointer: at, expected: names, value: name, writtenAs }
}

/** Whether the alternatives list other values than the names of the discriminator: many a document has such, and no mapping. */
function isNamedOtherwise(untold: Violation, choice: Violation, schemas: NarrowingSchemas): boolean {
  const names = untold.expected as readonly unknown[]
  const at = untold.pointer.slice(choice.pointer.length)
  const listed = at === "" ? [] : alternativesOf(choice).flatMap((schema) => valuesOf(schema, at, schemas))
  return (
    listed.includes(untold.value) || (listed.length > 0 && !listed.some((value) => names.includes(value)))
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

/** Without the alternatives that a property of certain values tells apart from another one, which says of it what came. */
function ofItsKind(attempts: readonly Attempt[], schemas: NarrowingSchemas): readonly Attempt[] {
  const sayingSo = attempts.filter(({ violations }) => !violations.some(isOfOtherKind))
  const isTold = (pointer: string) =>
    pointer === "" || sayingSo.some(({ schema }) => valuesOf(schema, pointer, schemas).length > 0)
  const left = attempts.filter(
    ({ violations }) =>
      !violations.some((violation) => isOfOtherKind(violation) && isTold(violation.pointer)),
  )
  return left.length > 0 ? left : attempts
}

const isOfOtherKind = ({ keyword, pointer }: Violation): boolean =>
  (keyword === "const" || keyword === "enum") && pointer.lastIndexOf("/") <= 0

function valuesOf(schema: PlainSchema, pointer: string, schemas: NarrowingSchemas): readonly unknown[] {
  const name = lastKey(pointer)
  const properties = partsOf(schema, schemas).flatMap((part) => {
    const named = part["properties"] as Readonly<Record<string, PlainSchema>> | undefined
    const schema = named !== undefined && Object.hasOwn(named, name) ? named[name] : undefined
    return schema === undefined ? [] : partsOf(schema, schemas)
  })
  return properties.flatMap((part) => [
    ...((part["enum"] as readonly unknown[] | undefined) ?? []),
    ...(part["const"] === undefined ? [] : [part["const"]]),
  ])
}

const MAX_PARTS = 100

function partsOf(
  schema: PlainSchema,
  { schemaOf }: NarrowingSchemas,
): readonly Exclude<PlainSchema, boolean>[] {
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
