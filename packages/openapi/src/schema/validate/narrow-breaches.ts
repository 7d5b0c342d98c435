// Many breaches -> those that help: of alternatives that all failed, what the one breaks that was meant.

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
import type { Breach } from "./validator.ts"

interface NarrowingSchemas {
  readonly schemaOf: (id: string) => PlainSchema
  readonly breachesOf: (schema: PlainSchema, value: JsonValue) => readonly Breach[]
}

/** Takes out what repeats or confuses: that an `if` failed, what single alternatives broke, and what broke a property's name. */
export function narrowBreaches(found: readonly Breach[], schemas: NarrowingSchemas): readonly Breach[] {
  const breaches = withoutEchoes(found)
  const choices = breaches.flatMap((choice, index) =>
    choiceKeywords.has(choice.keyword) ? [{ choice, index }] : [],
  )
  if (choices.length === 0) return breaches
  const isNoise = noiseOf(choices, schemas)
  return breaches
    .filter((breach, index) => !isNoise(breach, index))
    .flatMap((breach) => narrowChoice(breach, schemas))
}

interface FoundChoice {
  readonly choice: Breach
  /** Its place among all breaches: what its alternatives broke was found before. */
  readonly index: number
}

/** Whether a breach is of an alternative of one of the choices; in time that grows with the breaches, not with their square. */
function noiseOf(
  choices: readonly FoundChoice[],
  schemas: NarrowingSchemas,
): (breach: Breach, index: number) => boolean {
  const insides = new Map<unknown, ReadonlySet<unknown>>()
  const byPointer = new Map<string, FoundChoice[]>()
  for (const found of choices) {
    const { choice } = found
    getOrCreate(insides, choice.expected, () => schemasInside(choice, schemas))
    getOrCreate(byPointer, choice.pointer, () => []).push(found)
  }
  // A schema may be inside its own alternatives: then order tells which breach is of the other.
  return (breach, at) =>
    pointersAround(breach.pointer).some((pointer) =>
      byPointer
        .get(pointer)
        ?.some(
          ({ choice, index }) => index > at && insides.get(choice.expected)?.has(breach.schema) === true,
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
function withoutEchoes(found: readonly Breach[]): readonly Breach[] {
  const isEcho = ({ keyword }: Breach): boolean => keyword.startsWith("unevaluated")
  const told = found.filter(({ keyword }) => keyword !== "if")
  if (!told.some(isEcho)) return told
  const broken = new Set<string>()
  for (const breach of told)
    if (!isEcho(breach)) for (const pointer of pointersAround(breach.pointer)) broken.add(pointer)
  return told.filter((breach) => !(isEcho(breach) && broken.has(breach.pointer)))
}

const choiceKeywords = new Set(["oneOf", "anyOf", "contains", "propertyNames"])

const alternativesOf = ({ expected }: Breach): readonly PlainSchema[] =>
  Array.isArray(expected) ? (expected as readonly PlainSchema[]) : [expected as PlainSchema]

function schemasInside(choice: Breach, { schemaOf }: NarrowingSchemas): ReadonlySet<unknown> {
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

function narrowChoice(found: Breach, schemas: NarrowingSchemas): readonly Breach[] {
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
    breaches: narrowBreaches(schemas.breachesOf(schema, found.value), schemas),
  }))
  const ofItsType = attempts.filter(({ breaches }) => !breaches.some(isOfOtherType))
  if (ofItsType.length > 0) return narrowAttempts(choice, ofItsType, schemas)
  const type = typesAsked(attempts)
  if (type.length === 0) return [choice]
  return [{ ...choice, keyword: "type", params: { type }, writtenAs: choice.keyword }]
}

function narrowAttempts(
  choice: Breach,
  ofItsType: readonly Attempt[],
  schemas: NarrowingSchemas,
): readonly Breach[] {
  const below = (breaches: readonly Breach[]): readonly Breach[] =>
    breaches.map((breach) => ({ ...breach, pointer: choice.pointer + breach.pointer }))
  const meant = ofItsKind(ofItsType, schemas)
  if (meant.length === 1) return below(meant.flatMap(({ breaches }) => breaches))
  const either = meant.map(({ breaches: [only, ...more] }) => (more.length === 0 ? only : undefined))
  if (either.every((breach) => breach !== undefined && isOfWhole(breach)))
    return [{ ...choice, params: { ...choice.params, either } }]
  const closest = meant.reduce((best, next) => (isCloser(next, best) ? next : best))
  return [{ ...choice, params: { ...choice.params, closest: closest.name } }, ...below(closest.breaches)]
}

const isOfWhole = ({ pointer, keyword }: Breach): boolean => pointer === "" && !aboutNames.has(keyword)

const aboutNames = new Set(
  "required dependentRequired additionalProperties unevaluatedProperties unevaluatedItems oneOf anyOf".split(
    " ",
  ),
)

/** An alternative whose names the value has is closer than one of other names; then fewer breaches are. */
function isCloser(one: Attempt, other: Attempt): boolean {
  const misnamed = ({ breaches }: Attempt): number =>
    breaches.filter(({ pointer, keyword }) => pointer === "" && aboutNames.has(keyword)).length
  const difference = misnamed(one) - misnamed(other)
  return difference === 0 ? one.breaches.length < other.breaches.length : difference < 0
}

/** Where a discriminator could have told which alternative is meant, and the value names none of them. */
function untoldKind(choice: Breach): Breach | undefined {
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
function isNamedOtherwise(untold: Breach, choice: Breach, schemas: NarrowingSchemas): boolean {
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

const isOfOtherType = ({ keyword, pointer }: Breach): boolean =>
  pointer === "" && (keyword === "type" || keyword === "exactType" || keyword === FORBIDS)

interface Attempt {
  readonly schema: PlainSchema
  readonly name: string | undefined
  readonly breaches: readonly Breach[]
}

/** Without the alternatives that a property of certain values tells apart from another one, which says of it what came. */
function ofItsKind(attempts: readonly Attempt[], schemas: NarrowingSchemas): readonly Attempt[] {
  const sayingSo = attempts.filter(({ breaches }) => !breaches.some(isOfOtherKind))
  const isTold = (pointer: string) =>
    pointer === "" || sayingSo.some(({ schema }) => valuesOf(schema, pointer, schemas).length > 0)
  const left = attempts.filter(
    ({ breaches }) => !breaches.some((breach) => isOfOtherKind(breach) && isTold(breach.pointer)),
  )
  return left.length > 0 ? left : attempts
}

const isOfOtherKind = ({ keyword, pointer }: Breach): boolean =>
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
    .flatMap(({ breaches }) => breaches.filter(isOfOtherType))
    .map(({ keyword, expected, params: { type } }) =>
      keyword === "type" && Array.isArray(type) ? type : expected,
    )
  return [...new Set(types.flatMap((names) => (Array.isArray(names) ? (names as unknown[]) : [])))]
}
