// The values at the borders of a schema and beyond them. A caller checks whether each is what it says, because the rules
// of a schema may contradict each other.

import { isEqual, isJsonArray, isNumber, type JsonValue } from "@callsheet/format"
import type { Part } from "../document/part.ts"
import { limitsOf } from "../samples/limits.ts"
import type { Boundary } from "./probe-case.ts"

export interface BoundaryWanted {
  /** The schemas of the value, without references and choices. */
  readonly parts: readonly Part[]
  /** A valid value. Undefined if none could be made. */
  readonly sample: JsonValue | undefined
  /** True for a parameter, whose value is text, so that every text is a string. */
  readonly isText: boolean
  /** The longest text to make where the schema sets no limit. */
  readonly maxLength: number
}

/** Yields each border once, the rules that servers forget most often first. */
export function* boundariesOf(wanted: BoundaryWanted): Generator<Boundary> {
  const { parts, isText } = wanted
  const types = new Set(parts.flatMap((part) => [part.member("type") ?? []].flat()))
  const isChoice = parts.some(
    (part) => part.member("enum") !== undefined || part.member("const") !== undefined,
  )
  if (isChoice) yield* choices(wanted)
  else {
    if (types.has("integer") || types.has("number")) yield* numbers(parts, types.has("number"))
    if (types.has("string")) yield* texts(wanted)
    if (types.has("array")) yield* lists(wanted)
  }
  yield* wrongTypes(types, isText)
}

const invalid = (rule: string, value: JsonValue): Boundary => ({ rule, value, isValid: false })
const valid = (rule: string, value: JsonValue): Boundary => ({ rule, value, isValid: true })

function* wrongTypes(types: ReadonlySet<JsonValue>, isText: boolean): Generator<Boundary> {
  if (types.size === 0) return
  const isNumeric = types.has("integer") || types.has("number")
  if (!types.has("string")) yield invalid("type", OTHER_TEXT)
  if (isText) return
  if (types.has("string") && !isNumeric) yield invalid("type", 12_345)
  if (!types.has("object")) yield invalid("type", {})
  yield invalid("null", null)
}

const OTHER_TEXT = "callsheet"

function* choices({ parts }: BoundaryWanted): Generator<Boundary> {
  const allowed = parts.flatMap((part) => {
    const constant = part.member("const")
    return constant === undefined ? part.list("enum") : [constant]
  })
  const rule = parts.some((part) => part.member("const") !== undefined) ? "const" : "enum"
  const largest = allowed.filter(isNumber).reduce<number>((most, one) => Math.max(most, Number(one)), 0)
  const text = allowed.find((one) => typeof one === "string")
  if (text !== undefined) yield invalid(rule, `${text}-callsheet`)
  else if (allowed.some(isNumber)) yield invalid(rule, largest + 1)
  for (const value of allowed.slice(0, MAX_ALLOWED)) yield valid(rule, value)
}

/** The maximum number of allowed values to send. */
const MAX_ALLOWED = 5

type AnyNumber = number | bigint

function* numbers(parts: readonly Part[], isFraction: boolean): Generator<Boundary> {
  const multiple = numbersIn(parts, "multipleOf")
    .map(Number)
    .find((one) => one > 0)
  const step = multiple ?? 1
  const lows = bounds(parts, "minimum", "exclusiveMinimum")
  const highs = bounds(parts, "maximum", "exclusiveMaximum")
  for (const { value, rule, isIn } of lows) {
    yield invalid(rule, isIn ? plus(value, -step) : value)
    yield valid(rule, isIn ? value : plus(value, step))
  }
  for (const { value, rule, isIn } of highs) {
    yield invalid(rule, isIn ? plus(value, step) : value)
    yield valid(rule, isIn ? value : plus(value, -step))
  }
  const low = Number(lows[0]?.value ?? highs[0]?.value ?? 0)
  if (multiple !== undefined)
    yield invalid("multipleOf", plus(Math.ceil(low / multiple) * multiple, multiple / 2))
  else if (!isFraction) yield invalid("type", low + 0.5)
  if (lows.length === 0) for (const value of [0, -step]) yield valid("number", value)
  const format = parts.map((part) => part.text("format")).find((text) => text !== undefined)
  if (highs.length === 0) yield valid("number", format === "int32" ? MAX_INT32 : MAX_INT32 + 1)
  if (format === "int32") yield invalid("format", MAX_INT32 + 1)
  if (format === "int64") yield invalid("format", 2n ** 63n)
}

const MAX_INT32 = 2_147_483_647

interface Bound {
  readonly value: AnyNumber
  readonly rule: string
  readonly isIn: boolean
}

/** Returns the bounds of one side. Before 3.1, `exclusiveMinimum` is a flag of `minimum`. */
function bounds(parts: readonly Part[], keyword: string, exclusive: string): readonly Bound[] {
  return parts.flatMap((part) => {
    const value = part.member(keyword)
    const other = part.member(exclusive)
    return [
      ...(isNumber(value) ? [{ value, rule: keyword, isIn: other !== true }] : []),
      ...(isNumber(other) ? [{ value: other, rule: exclusive, isIn: false }] : []),
    ]
  })
}

/** Adds without the error of binary fractions: 0.1 + 0.2 becomes 0.3. */
const plus = (value: AnyNumber, step: number): AnyNumber =>
  typeof value === "bigint" && Number.isInteger(step)
    ? value + BigInt(step)
    : Number((Number(value) + step).toPrecision(15))

const numbersIn = (parts: readonly Part[], keyword: string): readonly AnyNumber[] =>
  parts.flatMap((part) => {
    const value = part.member(keyword)
    return isNumber(value) ? [value] : []
  })

function* texts({ parts, sample, maxLength }: BoundaryWanted): Generator<Boundary> {
  const { min, max } = limitsOf(parts, "Length")
  const base = typeof sample === "string" ? sample : ""
  const isFormatted = parts.some((part) => part.text("format") !== undefined)
  for (const { rule, isValid, length } of lengths({ min, max, maxLength, isFormatted }))
    for (const text of resized(base, length)) yield { rule, isValid, value: text }
  const refused = ["", "!", " ", `${base}!`, "\u00e9", "0", "a"]
  if (parts.some((part) => part.text("pattern") !== undefined))
    for (const text of refused) yield invalid("pattern", text)
  if (isFormatted) yield invalid("format", "not valid")
}

interface Length {
  readonly rule: string
  readonly isValid: boolean
  readonly length: number
}

interface TextLimits {
  readonly min: number | undefined
  readonly max: number | undefined
  readonly maxLength: number
  /** True if a format limits the text, too. */
  readonly isFormatted: boolean
}

function lengths({ min, max, maxLength, isFormatted }: TextLimits): readonly Length[] {
  const all: Length[] = []
  if (max !== undefined && max < maxLength) {
    all.push({ rule: "maxLength", isValid: false, length: max + 1 })
    all.push({ rule: "maxLength", isValid: true, length: max })
  }
  if (min !== undefined && min > 0 && min < maxLength) {
    all.push({ rule: "minLength", isValid: false, length: min - 1 })
    all.push({ rule: "minLength", isValid: true, length: min })
  }
  if (max === undefined && !isFormatted) all.push({ rule: "length", isValid: true, length: maxLength })
  if (min === undefined && !isFormatted) all.push({ rule: "empty", isValid: true, length: 0 })
  return all
}

/** Yields texts of a length. A pattern may allow only some of them. */
function* resized(base: string, length: number): Generator<string> {
  const characters = Array.from(base)
  if (length <= characters.length) {
    yield characters.slice(0, length).join("")
    return
  }
  const last = characters.at(-1) ?? "x"
  for (const filler of new Set(["x", last, "1", "A"])) yield base + filler.repeat(length - characters.length)
}

function* lists({ parts, sample }: BoundaryWanted): Generator<Boundary> {
  const { min, max } = limitsOf(parts, "Items")
  const items = isJsonArray(sample) ? sample : []
  const [first] = items
  const sized = (length: number): JsonValue => [
    ...items.slice(0, length),
    ...Array.from({ length: Math.max(0, length - items.length) }, () => first ?? OTHER_TEXT),
  ]
  if (min !== undefined && min > 0) {
    yield invalid("minItems", sized(min - 1))
    yield valid("minItems", sized(min))
  } else yield valid("items", [])
  if (max !== undefined && max <= MAX_ITEMS) {
    yield invalid("maxItems", sized(max + 1))
    yield valid("maxItems", sized(max))
  }
  const isUnique = parts.some((part) => part.member("uniqueItems") === true)
  if (isUnique && first !== undefined) yield invalid("uniqueItems", [...items, first])
}

/** The longest list to make. */
const MAX_ITEMS = 1_000

/** The rules that several values test. */
const repeated: ReadonlySet<string> = new Set(["type", "enum", "number"])

/** Removes what an earlier boundary tests already: the same value or, for most rules, another one. */
export function distinct(all: Iterable<Boundary>): readonly Boundary[] {
  const kept: Boundary[] = []
  for (const one of all) {
    const isTested = !repeated.has(one.rule) && kept.some((other) => isSameTest(other, one))
    if (!isTested && !kept.some((other) => isEqual(other.value, one.value))) kept.push(one)
  }
  return kept
}

const isSameTest = (a: Boundary, b: Boundary): boolean => a.rule === b.rule && a.isValid === b.isValid
