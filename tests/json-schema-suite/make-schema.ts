// Random schemas of 2020-12, small and dense: every keyword next to every other, and references of every kind that
// resolve.

import type { JsonObject, JsonValue } from "@callsheet/format"
import { createChance } from "../public-documents/chance.ts"

/** Numbers from 0 to 1. */
type Chance = () => number

/** The same numbers for the same seed. */
export function chanceOf(seed: number): Chance {
  const { upTo } = createChance(seed)
  return () => upTo(2 ** 30) / 2 ** 30
}

/** A schema's position. */
interface Place {
  readonly chance: Chance
  readonly depth: number
  /** Definitions before this one are not referenced at the same value, so no reference forms a cycle there. */
  readonly above: number
  /** The definition that is a separate resource, if the schema is in one. */
  readonly resource: number | undefined
  /** The schema describes the same value as the definition that contains it. */
  readonly isSameValue: boolean
  readonly plan: Plan
}

interface Plan {
  /** By definition number: it has its own address. */
  readonly hasId: readonly boolean[]
}

const DEFINITIONS = 4

/** A schema with definitions, at the address `https://suite.test/root`. */
export function makeSchema(chance: Chance): JsonObject & { readonly $id: string } {
  const plan = { hasId: Array.from({ length: DEFINITIONS }, () => chance() < 0.5) }
  const root: Place = { chance, depth: 0, above: -1, resource: undefined, isSameValue: true, plan }
  const definitions = Array.from({ length: DEFINITIONS }, (_, index) => {
    const hasId = plan.hasId[index] === true
    const inside = { ...root, depth: 1, above: index, resource: hasId ? index : undefined }
    const names = {
      ...(hasId ? { $id: `d${index}.json` } : {}),
      $anchor: `n${index}`,
    }
    const inner = hasId ? { $defs: { inner: makePart({ ...inside, depth: 2 }), ...dynamic(inside) } } : {}
    return [`d${index}`, { ...names, ...inner, ...makeObject(inside) }]
  })
  return {
    $id: "https://suite.test/root",
    $defs: { ...Object.fromEntries(definitions), ...dynamic(root) },
    ...makeObject(root),
  }
}

/** The position of the same dynamic name in each resource. In some it is a plain name. */
function dynamic(place: Place): JsonObject {
  const keyword = place.chance() < 0.8 ? "$dynamicAnchor" : "$anchor"
  return { dynamic: { ...makeObject({ ...place, depth: 2, above: DEFINITIONS }), [keyword]: "dyn" } }
}

const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)]!
const some = <T>(chance: Chance, list: readonly T[]): readonly T[] => list.filter(() => chance() < 0.4)

const names = ["a", "b", "c", "x1"]
const scalars: readonly JsonValue[] = [null, true, 0, 1, 2, 3, 1.5, "", "a", "ab"]
const types = ["null", "boolean", "number", "integer", "string", "array", "object"]

type Keyword = (place: Place) => JsonObject

const inner = (place: Place): JsonValue => makePart({ ...place, depth: place.depth + 1, isSameValue: false })
const same = (place: Place): JsonValue => makePart({ ...place, depth: place.depth + 1 })
const several = (place: Place, make: (place: Place) => JsonValue): readonly JsonValue[] =>
  Array.from({ length: 1 + Math.floor(place.chance() * 2.5) }, () => make(place))
const mapped = (keys: readonly string[], make: () => JsonValue): JsonObject =>
  Object.fromEntries(keys.map((key) => [key, make()]))
const small = (chance: Chance): number => Math.floor(chance() * 3)

const keywords: readonly Keyword[] = [
  ({ chance }) => ({
    type: chance() < 0.5 ? pick(chance, types) : [pick(chance, types.slice(0, 3)), "object", "array"],
  }),
  ({ chance }) => ({ enum: [...some(chance, scalars), {}, [], 1] }),
  ({ chance }) => ({ const: pick(chance, scalars) }),
  ({ chance }) => ({ minimum: small(chance) }),
  ({ chance }) => ({ exclusiveMaximum: small(chance) }),
  ({ chance }) => ({ multipleOf: 1 + small(chance) }),
  ({ chance }) => ({ minLength: small(chance) }),
  ({ chance }) => ({ pattern: pick(chance, ["^a", "b$", "x"]) }),
  (place) => ({ items: inner(place) }),
  (place) => ({ prefixItems: several(place, inner) }),
  (place) => ({
    contains: inner(place),
    ...(place.chance() < 0.3 ? { minContains: small(place.chance) } : {}),
    ...(place.chance() < 0.3 ? { maxContains: 1 + small(place.chance) } : {}),
  }),
  () => ({ uniqueItems: true }),
  ({ chance }) => ({ minItems: small(chance) }),
  ({ chance }) => ({ maxItems: small(chance) }),
  (place) => ({ unevaluatedItems: place.chance() < 0.5 ? false : inner(place) }),
  (place) => ({ properties: mapped(some(place.chance, names), () => inner(place)) }),
  (place) => ({ patternProperties: mapped(some(place.chance, ["^a", "^x", "[bc]"]), () => inner(place)) }),
  (place) => ({ additionalProperties: place.chance() < 0.3 ? false : inner(place) }),
  (place) => ({ propertyNames: inner(place) }),
  ({ chance }) => ({ required: some(chance, names) }),
  ({ chance }) => ({ dependentRequired: { [pick(chance, names)]: some(chance, names) } }),
  (place) => ({ dependentSchemas: { [pick(place.chance, names)]: same(place) } }),
  (place) => ({ unevaluatedProperties: place.chance() < 0.5 ? false : inner(place) }),
  ({ chance }) => ({ minProperties: small(chance) }),
  ({ chance }) => ({ maxProperties: small(chance) }),
  (place) => ({ allOf: several(place, same) }),
  (place) => ({ anyOf: several(place, same) }),
  (place) => ({ oneOf: several(place, same) }),
  (place) => ({ not: same(place) }),
  (place) => ({
    if: same(place),
    ...(place.chance() < 0.7 ? { then: same(place) } : {}),
    ...(place.chance() < 0.7 ? { else: same(place) } : {}),
  }),
  reference,
  reference,
  (place) => (place.isSameValue ? {} : { $dynamicRef: "#dyn" }),
]

function makePart(place: Place): JsonValue {
  const { chance, depth } = place
  return depth > 4 || chance() < 0.08 ? chance() < 0.7 : makeObject(place)
}

function makeObject(place: Place): JsonObject {
  const { chance } = place
  let made: JsonObject = {}
  for (let left = 1 + Math.floor(chance() * 3); left > 0; left--)
    made = { ...made, ...pick(chance, keywords)(place) }
  return made
}

/** A reference that resolves by the specification: never a pointer into another resource. */
function reference({ chance, above, resource, isSameValue, plan }: Place): JsonObject {
  const first = isSameValue ? above + 1 : 0
  const targets = Array.from({ length: Math.max(0, DEFINITIONS - first) }, (_, offset) => first + offset)
  const found = targets.flatMap((index): readonly string[] => {
    const address = `d${index}.json`
    if (plan.hasId[index] === true) return [address, `${address}#n${index}`, `https://suite.test/${address}#`]
    const holder = resource === undefined ? "" : "root"
    return [`${holder}#/$defs/d${index}`, `${holder}#n${index}`]
  })
  if (!isSameValue) found.push("#", "root", "https://suite.test/root")
  // Its inner definition refers only to later ones, as it does itself.
  if (resource !== undefined && !isSameValue) found.push("#/$defs/inner")
  return found.length === 0 ? {} : { $ref: pick(chance, found) }
}

/** A value with the same few names, so that schemas apply to it. */
export function makeData(chance: Chance, depth = 0): JsonValue {
  const kind = chance()
  if (depth > 2 || kind < 0.3) return pick(chance, scalars)
  if (kind < 0.6)
    return Array.from({ length: small(chance) + small(chance) }, () => makeData(chance, depth + 1))
  return Object.fromEntries(some(chance, names).map((name) => [name, makeData(chance, depth + 1)]))
}
