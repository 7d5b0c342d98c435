// Many breaches -> those that help: of alternatives that all failed, what the one breaks that was meant.

import type { JsonValue } from "@callsheet/format"
import { REFERS_TO, type PlainSchema } from "./normalise-schema.ts"
import type { Breach } from "./validator.ts"

export interface NarrowingSchemas {
  readonly schemaOf: (id: string) => PlainSchema
  /** Everything that a value breaks in a part of a normalised schema. */
  readonly breachesOf: (schema: PlainSchema, value: JsonValue) => readonly Breach[]
}

/**
 * Takes out what only repeats or confuses: that an `if` failed (its branch says why), what single alternatives of a
 * `oneOf`, `anyOf` or `contains` broke, and what a property's name broke beside the breach of the name itself.
 */
export function narrowBreaches(found: readonly Breach[], schemas: NarrowingSchemas): readonly Breach[] {
  const breaches = withoutEchoes(found)
  const choices = breaches.filter(({ keyword }) => choiceKeywords.has(keyword))
  if (choices.length === 0) return breaches
  const isNoise = noiseOf(choices, schemas)
  return breaches
    .filter((breach) => !isNoise(breach))
    .flatMap((breach) => (choiceKeywords.has(breach.keyword) ? narrowChoice(breach, schemas) : [breach]))
}

/** Whether a breach is of an alternative of one of the choices; in time that grows with the breaches, not with their square. */
function noiseOf(choices: readonly Breach[], schemas: NarrowingSchemas): (breach: Breach) => boolean {
  const insides = new Map<unknown, ReadonlySet<unknown>>()
  const byPointer = new Map<string, Breach[]>()
  for (const choice of choices) {
    if (!insides.has(choice.expected)) insides.set(choice.expected, schemasInside(choice, schemas))
    const others = byPointer.get(choice.pointer)
    if (others === undefined) byPointer.set(choice.pointer, [choice])
    else others.push(choice)
  }
  return (breach) =>
    pointersAround(breach.pointer).some((pointer) =>
      byPointer
        .get(pointer)
        ?.some((choice) => choice !== breach && insides.get(choice.expected)?.has(breach.schema) === true),
    )
}

/** A pointer and those of all that holds its value. */
function pointersAround(pointer: string): readonly string[] {
  const pointers: string[] = []
  for (let end = pointer.length; end >= 0; end = pointer.lastIndexOf("/", end - 1)) {
    pointers.push(pointer.slice(0, end))
    if (end === 0) break
  }
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

/** Every schema object that the alternatives reach, through references too. */
function schemasInside(choice: Breach, { schemaOf }: NarrowingSchemas): ReadonlySet<unknown> {
  const reached = new Set<unknown>(alternativesOf(choice))
  // A set that grows while it is walked is walked to its end.
  for (const part of reached) {
    if (typeof part !== "object" || part === null) continue
    for (const [keyword, value] of Object.entries(part)) {
      if (keyword === REFERS_TO) reached.add(schemaOf(String(value)))
      else if (typeof value === "object" && value !== null) reached.add(value)
    }
  }
  return reached
}

function narrowChoice(choice: Breach, schemas: NarrowingSchemas): readonly Breach[] {
  const { keyword, params, value } = choice
  const acceptedByMany = Array.isArray(params["passingSchemas"])
  if ((keyword !== "oneOf" && keyword !== "anyOf") || acceptedByMany) return [choice]
  const attempts = alternativesOf(choice).map((schema) =>
    narrowBreaches(schemas.breachesOf(schema, value), schemas),
  )
  const ofItsType = attempts.filter((breaches) => !breaches.some(isOfOtherType))
  if (ofItsType.length === 0) return [{ ...choice, keyword: "type", params: { type: typesAsked(attempts) } }]
  const sayingSo = ofItsType.filter((breaches) => !breaches.some(isOfOtherKind))
  const [meant, ...others] = sayingSo.length > 0 ? sayingSo : ofItsType
  const below = (breaches: readonly Breach[]): readonly Breach[] =>
    breaches.map((breach) => ({ ...breach, pointer: choice.pointer + breach.pointer }))
  if (others.length === 0) return below(meant!)
  const closest = others.reduce((best, next) => (next.length < best.length ? next : best), meant!)
  return [choice, ...below(closest)]
}

const isOfOtherType = ({ keyword, pointer }: Breach): boolean =>
  pointer === "" && (keyword === "type" || keyword === "exactType" || keyword === "false schema")

/** A property that can only have certain values tells alternatives apart. */
const isOfOtherKind = ({ keyword, pointer }: Breach): boolean =>
  (keyword === "const" || keyword === "enum") && pointer.lastIndexOf("/") <= 0

const typesAsked = (attempts: readonly (readonly Breach[])[]): readonly unknown[] => [
  ...new Set(
    attempts.flatMap((breaches) =>
      breaches
        .filter((breach) => isOfOtherType(breach))
        .flatMap(({ keyword, expected, params }) =>
          keyword === "type" && Array.isArray(params["type"])
            ? (params["type"] as unknown[])
            : Array.isArray(expected)
              ? (expected as unknown[])
              : [],
        ),
    ),
  ),
]
