// Makes a value for schemas. It may be wrong where a rule can't be built, so `create-sampler.ts` checks every value.

import {
  isEqual,
  isJsonArray,
  isJsonObject,
  isNumber,
  type JsonObject,
  type JsonValue,
  kindOf,
  ownOf,
  setOwn,
  stringifyJson,
} from "@callsheet/format"
import { escapePointer, member } from "../document/located.ts"
import type { Part } from "../document/part.ts"
import { matchesPattern } from "../schema/patterns/create-pattern.ts"
import { isMarked, isNullable, itemKeywords } from "../schema/schema-graph.ts"
import type { Direction } from "../schema/types/answers.ts"
import { type Composition, composeSchemas } from "./compose-schemas.ts"
import { limitsOf } from "./limits.ts"
import { numbersFor } from "./make-number.ts"
import { textsFor } from "./make-text.ts"

/** Which properties an object has besides the required ones: none, those of examples, or all that are documented. */
export type SampleFields = "required" | "examples" | "all"

export interface Making {
  readonly direction: Direction
  readonly fields: SampleFields
  /** Varies the values. Without a seed, the first of several is taken. */
  readonly seed: number | undefined
  readonly holds: (schema: Part, value: JsonValue) => boolean
  /** Returns a unique text for a string that should be unique. */
  readonly uniqueText: ((text: UniqueWanted) => Iterable<string>) | undefined
  /** The number of schemas that may still be visited. */
  budget: number
}

export interface UniqueWanted {
  readonly parts: readonly Part[]
  /** Values from examples. */
  readonly hints: readonly JsonValue[]
  readonly name: string
  readonly pointer: string
  readonly n: number
}

/** A value to make. */
export interface Wanted {
  readonly schemas: readonly Part[]
  /** Values from examples, the best first. Their parts are taken where they fit. */
  readonly hints: readonly JsonValue[]
  readonly name: string
  readonly pointer: string
  /** The number of the item in a list, from 0. */
  readonly nth: number
  /** The schemas of the enclosing values. */
  readonly outer: readonly string[]
}

export type Made =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly pointer: string; readonly reason: string }

const MAX_DEPTH = 40
/** How often a schema may contain itself where only required properties are made. */
const MAX_REPETITIONS = 3
/** Optional properties nest only this deep. */
const MAX_OPTIONAL_DEPTH = 5
/** With less budget, only required properties are made. */
const OPTIONAL_BUDGET = 3_000
const MAX_ITEMS = 1_000
const MAX_ATTEMPTS = 16

const fault = ({ pointer }: Wanted, reason: string): Made => ({ ok: false, pointer, reason })

/** Makes a value. Takes other branches of choices if the first ones lead to no value. */
export function makeValue(making: Making, wanted: Wanted): Made {
  const whole = wholeHint(making, wanted)
  if (whole !== undefined) return { ok: true, value: whole }
  if (wanted.outer.length > MAX_DEPTH) return fault(wanted, "its schema nests too deep")
  const picks = new Map<string, number>()
  const work: ReadonlyMap<string, number>[] = [picks]
  let first: Made | undefined
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const picked = work.shift()
    if (picked === undefined) break
    if (--making.budget < 0) return fault(wanted, "its schema is too large")
    const composition = composeSchemas(wanted.schemas, {
      picks: picked,
      prefer: (branches) => Math.max(0, preferredBranch(making, wanted, branches)),
    })
    const made = makeComposed(making, wanted, composition)
    const isSound = made.ok && (composition.choices.length === 0 || holdsAll(making, wanted, made.value))
    if (isSound) return made
    first ??= made
    if (picked === picks) work.push(...otherPicks(composition))
  }
  return first ?? fault(wanted, "its schema is too large")
}

/**
 * Returns the first hint if nothing can be added to it, so that large values cost no budget. The properties of the
 * outermost object get the order of the schema.
 */
function wholeHint(making: Making, wanted: Wanted): JsonValue | undefined {
  const [hint] = wanted.hints
  if (hint === undefined || making.fields !== "examples" || making.uniqueText !== undefined) return undefined
  if (isJsonObject(hint) && wanted.outer.length === 0) return undefined
  return holdsAll(making, wanted, hint) ? hint : undefined
}

const preferredBranch = (making: Making, { hints }: Wanted, branches: readonly Part[]): number =>
  branches.findIndex((branch) => hints.some((hint) => making.holds(branch, hint)))

/** Returns every other branch of every choice, one change at a time. */
const otherPicks = ({ choices }: Composition): readonly ReadonlyMap<string, number>[] =>
  choices.flatMap(({ key, count, picked }) =>
    Array.from({ length: count }, (_, index) => index)
      .filter((index) => index !== picked)
      .map((index) => new Map([[key, index]])),
  )

const holdsAll = (making: Making, { schemas }: Wanted, value: JsonValue): boolean =>
  schemas.every((schema) => making.holds(schema, value))

/** A value to make, with the schemas that it has after references and choices. */
interface Composed extends Wanted {
  readonly parts: readonly Part[]
  readonly pins: Composition["pins"]
  /** The number of the sample, which varies texts and numbers. */
  readonly n: number
}

function makeComposed(making: Making, wanted: Wanted, { parts, pins, fault: broken }: Composition): Made {
  if (broken !== undefined) return fault(wanted, broken)
  const repetitions = wanted.outer.filter((pointer) => pointer === parts[0]?.pointer).length
  if (repetitions === MAX_REPETITIONS) return fault(wanted, "its schema requires itself without end")
  const n = wanted.nth + (making.seed === undefined ? 0 : hashOf(`${making.seed} ${wanted.pointer}`) % 900)
  const composed: Composed = { ...wanted, parts, pins, n }
  const fixed = fixedValues(composed)
  if (fixed.length > 0) return firstFitting(making, composed, rotate(fixed, n))
  const hints = [...wanted.hints, ...examplesIn(composed)]
  const types = typesOf(parts, hints)
  if (types.length === 0) return fault(wanted, "its types contradict each other")
  let first: Made | undefined
  for (const type of types) {
    const made = makers[type](making, { ...composed, hints: hintsFor(type, hints) })
    if (made.ok) return made
    first ??= made
  }
  return first ?? fault(wanted, "its types contradict each other")
}

function hashOf(text: string): number {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  return state >>> 0
}

const rotate = <T>(list: readonly T[], by: number): readonly T[] => {
  const start = by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** Returns the only possible values, by `const` or `enum`. Those of hints and examples come first, in their order. */
function fixedValues({ parts, hints }: Composed): readonly JsonValue[] {
  const lists = parts.flatMap((part) => {
    const constant = part.member("const")
    if (constant !== undefined) return [[constant]]
    const values = part.list("enum")
    return values.length === 0 ? [] : [values]
  })
  const [first, ...others] = lists
  if (first === undefined) return []
  const common = first.filter((value) => others.every((list) => list.some((one) => isEqual(one, value))))
  const examples = [...hints, ...parts.flatMap(ownExamples)]
  const preferred = examples.filter((example) => common.some((value) => isEqual(value, example)))
  const usual = common.filter((value) => value !== null && !preferred.some((one) => isEqual(one, value)))
  return [...preferred, ...usual, ...common.filter((value) => value === null)]
}

/** Returns the examples in schemas, then their defaults. Later items of a list take later examples. */
function examplesIn({ parts, nth }: Composed): readonly JsonValue[] {
  const found = [...parts.flatMap(ownExamples), ...parts.flatMap((part) => part.member("default") ?? [])]
  return found.slice(nth)
}

const ownExamples = (part: Part): readonly JsonValue[] => [
  ...["example", "x-example"].flatMap((keyword) => {
    const value = part.member(keyword)
    return value === undefined ? [] : [value]
  }),
  ...part.list("examples"),
]

function firstFitting(making: Making, composed: Composed, values: Iterable<JsonValue>): Made {
  let tries = 0
  for (const value of values) {
    if (tries++ === MAX_TRIES || making.budget-- < 0) break
    if (holdsAll(making, composed, value) && composed.parts.every((part) => making.holds(part, value)))
      return { ok: true, value }
  }
  const pattern = composed.parts.map((part) => part.text("pattern")).find((text) => text !== undefined)
  return fault(
    composed,
    pattern === undefined
      ? "no value was found for its rules"
      : `no text was found for the pattern ${pattern}`,
  )
}

const MAX_TRIES = 40

type TypeName = "object" | "array" | "string" | "integer" | "number" | "boolean" | "null" | "any"

const order: readonly TypeName[] = ["object", "array", "string", "integer", "number", "boolean", "null"]

/** Returns the types that all schemas allow: those of hints first, null last. */
function typesOf(parts: readonly Part[], hints: readonly JsonValue[]): readonly TypeName[] {
  const lists = parts.flatMap((part) => namedTypes(part) ?? [])
  const implied = impliedType(parts)
  const allowed =
    lists.length === 0
      ? implied === undefined
        ? (["any"] as const)
        : [implied]
      : order.filter((type) => lists.every((list) => allows(list, type)))
  const liked = allowed.filter((type) => hints.some((hint) => isOfType(hint, type)))
  return [...liked, ...allowed.filter((type) => !liked.includes(type))]
}

const allows = (list: readonly string[], type: string): boolean =>
  list.includes(type) || (type === "integer" && list.includes("number"))

function namedTypes(part: Part): readonly (readonly string[])[] | undefined {
  const type = part.member("type")
  const names = (isJsonArray(type) ? type : [type]).filter((name) => typeof name === "string")
  if (names.length === 0) return undefined
  const known = names.map((name) => (name === "file" ? "string" : name))
  return [isNullable(part.value) ? [...known, "null"] : known]
}

const impliedBy: readonly (readonly [TypeName, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "minProperties"]],
  ["array", ["items", "prefixItems", "minItems", "contains"]],
  ["string", ["pattern", "minLength", "maxLength", "format"]],
  ["number", ["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]],
]

const impliedType = (parts: readonly Part[]): TypeName | undefined =>
  impliedBy.find(([, keywords]) =>
    parts.some((part) => keywords.some((keyword) => part.member(keyword) !== undefined)),
  )?.[0]

function isOfType(value: JsonValue, type: TypeName): boolean {
  if (type === "any") return true
  if (type === "integer") return typeof value === "bigint" || Number.isInteger(value)
  return kindOf(value) === type
}

/** Returns the hints of a type. Documents often write a number as a text, and a text of digits as a number. */
const hintsFor = (type: TypeName, hints: readonly JsonValue[]): readonly JsonValue[] => [
  ...hints.filter((hint) => isOfType(hint, type)),
  ...hints.map((hint) => convertHint(type, hint)).filter((hint) => hint !== undefined),
]

function convertHint(type: TypeName, hint: JsonValue): JsonValue | undefined {
  if (type === "string") return isNumber(hint) ? String(hint) : undefined
  const isDigits = typeof hint === "string" && /^-?\d{1,15}$/.test(hint)
  return isDigits && (type === "integer" || type === "number") ? Number(hint) : undefined
}

const makers: Readonly<Record<TypeName, (making: Making, composed: Composed) => Made>> = {
  object: makeObject,
  array: makeArray,
  string: makeString,
  integer: makeNumber,
  number: makeNumber,
  boolean: (making, composed) =>
    firstFitting(making, composed, [
      ...composed.hints,
      ...(composed.n % 2 === 0 ? [true, false] : [false, true]),
    ]),
  null: () => ({ ok: true, value: null }),
  any: (making, composed) =>
    composed.hints.length === 0 && composed.name === ""
      ? { ok: true, value: {} }
      : composed.hints.length === 0
        ? makeString(making, composed)
        : firstFitting(making, composed, composed.hints),
}

function makeString(making: Making, composed: Composed): Made {
  const { parts, hints, name, n } = composed
  function* texts(): Generator<JsonValue> {
    if (making.uniqueText !== undefined) yield* making.uniqueText(composed)
    yield* hints
    yield* contentTexts(making, composed)
    yield* textsFor({ parts, name, n })
  }
  return firstFitting(making, composed, texts())
}

/** Yields JSON for a text whose content has a schema, such as the data of an event. */
function* contentTexts(making: Making, { parts, name, pointer, nth, outer }: Composed): Generator<string> {
  const schemas = parts.flatMap((part) => part.inside("contentSchema") ?? [])
  if (schemas.length === 0) return
  const inner = [...outer, ...parts.map((part) => part.pointer).slice(0, 1)]
  const made = makeValue(making, { schemas, hints: [], name, pointer, nth, outer: inner })
  if (made.ok) yield stringifyJson(made.value)
}

function makeNumber(making: Making, composed: Composed): Made {
  const { parts, hints, n } = composed
  function* numbers(): Generator<JsonValue> {
    yield* hints
    yield* numbersFor(parts, n)
  }
  return firstFitting(making, composed, numbers())
}

function makeArray(making: Making, composed: Composed): Made {
  const { parts, hints, pointer, outer } = composed
  const hint = hints.find(isJsonArray)
  const { min = 0, max = Math.max(MAX_ITEMS, hint?.length ?? 0) } = limitsOf(parts, "Items")
  if (min > MAX_ITEMS) return fault(composed, `it needs more than ${MAX_ITEMS} items`)
  const contained = parts.flatMap((part) => part.inside("contains") ?? [])
  const needed = Math.max(min, ...parts.map((part) => (part.inside("contains") ? containCount(part) : 0)))
  const count = Math.min(max, Math.max(needed, hint?.length ?? Math.max(1, longestPrefix(parts))))
  const isUnique = parts.some((part) => part.member("uniqueItems") === true)
  const items: JsonValue[] = []
  for (let index = 0; index < count; index++) {
    const schemas = [...itemSchemas(parts, index), ...(index < needed ? contained : [])]
    const made = makeItem(making, items, isUnique, {
      schemas,
      hints: hint?.slice(index, index + 1) ?? [],
      name: composed.name.replace(/s$/, ""),
      pointer: `${pointer}/${index}`,
      nth: composed.nth + index,
      outer: [...outer, ...parts.map((part) => part.pointer).slice(0, 1)],
    })
    if (made.ok) items.push(made.value)
    else if (items.length >= needed) break
    else return made
  }
  return { ok: true, value: items }
}

const containCount = (part: Part): number => {
  const least = part.member("minContains")
  return isNumber(least) ? Number(least) : 1
}

const longestPrefix = (parts: readonly Part[]): number =>
  Math.max(0, ...parts.map((part) => part.items(itemKeywords(part.value).first).length))

function itemSchemas(parts: readonly Part[], index: number): readonly Part[] {
  return parts.flatMap((part) => {
    const { first, other } = itemKeywords(part.value)
    return part.items(first)[index] ?? part.inside(other) ?? []
  })
}

/** How many variations of an item to try, so that it differs from those before it. */
const MAX_VARIATIONS = 12

function makeItem(making: Making, items: readonly JsonValue[], isUnique: boolean, wanted: Wanted): Made {
  for (let variation = 0; variation < MAX_VARIATIONS; variation++) {
    const hints = variation === 0 ? wanted.hints : []
    const made = makeValue(making, { ...wanted, hints, nth: wanted.nth + variation })
    if (!made.ok) return made
    const { value } = made
    if (!isUnique || !items.some((item) => isEqual(item, value))) return made
  }
  return fault(wanted, "no further unique item was found")
}

function makeObject(making: Making, composed: Composed): Made {
  const { parts, hints, pins } = composed
  const hint = hints.find(isJsonObject)
  const required = requiredNames(parts)
  const { min = 0, max = Infinity } = limitsOf(parts, "Properties")
  const value: Record<string, JsonValue> = {}
  const declared = [...new Set(parts.flatMap((part) => part.entries("properties").map(([name]) => name)))]
  const wantsOptional = makesOptional(making, composed)
  const names = new Set([...declared, ...pins.keys(), ...required, ...Object.keys(hint ?? {})])
  let count = 0
  for (const name of names) {
    const isRequired = required.has(name) || pins.has(name)
    const isHinted = making.fields !== "required" && hint !== undefined && Object.hasOwn(hint, name)
    const isWanted = isRequired || isHinted || (wantsOptional && declared.includes(name))
    if (!isWanted || isLeftOut(making, parts, name)) continue
    if (!isRequired && count >= max) continue
    const schemas = parts.flatMap((part) => propertySchemas(part, name))
    const made = makeProperty(making, composed, { name, hint, schemas })
    if (!made.ok && isRequired) return made
    // An optional property whose value may be wrong is better left out.
    if (made.ok && (isRequired || schemas.every((schema) => making.holds(schema, made.value)))) {
      setOwn(value, name, made.value)
      count++
    }
  }
  return fillObject(making, composed, { value, min, names })
}

/** Returns whether to make optional properties. Recursive schemas end at the first repetition. */
const makesOptional = (making: Making, { parts, outer }: Composed): boolean =>
  making.fields === "all" &&
  making.budget > OPTIONAL_BUDGET &&
  outer.length < MAX_OPTIONAL_DEPTH &&
  !parts.some((part) => outer.includes(part.pointer))

interface Filling {
  readonly value: Record<string, JsonValue>
  readonly min: number
  readonly names: ReadonlySet<string>
}

/** Adds optional and then further properties until there are enough. */
function fillObject(making: Making, composed: Composed, { value, min, names }: Filling): Made {
  if (min > MAX_ITEMS) return fault(composed, `it needs more than ${MAX_ITEMS} properties`)
  const further = furtherNames(composed.parts)
  for (const name of [...names, ...further]) {
    if (Object.keys(value).length >= min) break
    if (Object.hasOwn(value, name) || isLeftOut(making, composed.parts, name)) continue
    const schemas = composed.parts.flatMap((part) => propertySchemas(part, name))
    const made = makeProperty(making, composed, { name, hint: undefined, schemas })
    if (made.ok) setOwn(value, name, made.value)
  }
  return { ok: true, value }
}

function* furtherNames(parts: readonly Part[]): Generator<string> {
  for (const part of parts) {
    const names = part.inside("propertyNames")?.dereference()
    if (names === undefined) continue
    for (const name of names.list("enum")) if (typeof name === "string") yield name
    for (let n = 0; n < MAX_ITEMS; n++) yield* textsFor({ parts: [names], name: "property", n })
  }
  for (let n = 1; n <= MAX_ITEMS; n++) yield `property${n}`
}

/** Returns the required names, with those that other properties bring along. */
function requiredNames(parts: readonly Part[]): ReadonlySet<string> {
  const names = new Set(
    parts.flatMap((part) => part.list("required").filter((name) => typeof name === "string")),
  )
  // This loop also visits the names that it adds.
  for (const name of names)
    for (const part of parts)
      for (const other of listOf(ownOf(part.object("dependentRequired"), name)))
        if (typeof other === "string") names.add(other)
  return names
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : [])

/** Returns whether a property must not be there: it is forbidden, or only for the other direction. */
function isLeftOut({ direction }: Making, parts: readonly Part[], name: string): boolean {
  const mark = direction === "request" ? "readOnly" : "writeOnly"
  return parts.some((part) => {
    const property = part.inside("properties", name)
    return property !== undefined && (property.value === false || isMarked(property, mark))
  })
}

interface Property {
  readonly name: string
  readonly hint: JsonObject | undefined
  readonly schemas: readonly Part[]
}

function makeProperty(making: Making, composed: Composed, { name, hint, schemas }: Property): Made {
  const { parts, pins, pointer, nth, outer } = composed
  const hinted = [pins.get(name), ...composed.hints.map((one) => member(one, name)), member(hint, name)]
  return makeValue(making, {
    schemas,
    hints: hinted.filter((value) => value !== undefined),
    name,
    pointer: `${pointer}/${escapePointer(name)}`,
    nth,
    outer: [...outer, ...parts.map((part) => part.pointer).slice(0, 1)],
  })
}

function propertySchemas(part: Part, name: string): readonly Part[] {
  const own = part.inside("properties", name)
  const matching = part
    .entries("patternProperties")
    .flatMap(([pattern, schema]) => (matchesPattern(pattern, name) === true ? [schema] : []))
  const declared = own === undefined ? matching : [own, ...matching]
  if (declared.length > 0) return declared
  const further = part.inside("additionalProperties") ?? part.inside("unevaluatedProperties")
  return further === undefined ? [] : [further]
}
