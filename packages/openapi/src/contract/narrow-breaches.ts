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
  const insides = choices.map((choice) => ({ choice, inside: schemasInside(choice, schemas) }))
  const isNoise = (breach: Breach): boolean =>
    insides.some(
      ({ choice, inside }) =>
        breach !== choice && inside.has(breach.schema) && isWithin(breach.pointer, choice.pointer),
    )
  return breaches
    .filter((breach) => !isNoise(breach))
    .flatMap((breach) => (choiceKeywords.has(breach.keyword) ? narrowChoice(breach, schemas) : [breach]))
}

/** A failed part evaluates nothing: then everything is unevaluated, and saying so helps nobody. */
function withoutEchoes(found: readonly Breach[]): readonly Breach[] {
  const causes = found.filter(({ keyword }) => keyword !== "if" && !keyword.startsWith("unevaluated"))
  return found.filter(
    ({ keyword, pointer }) =>
      keyword !== "if" &&
      !(keyword.startsWith("unevaluated") && causes.some((cause) => isWithin(cause.pointer, pointer))),
  )
}

const choiceKeywords = new Set(["oneOf", "anyOf", "contains", "propertyNames"])

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

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
