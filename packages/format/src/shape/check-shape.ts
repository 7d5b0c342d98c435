// Checks a JSON value against a shape and reports all errors. Iterative, because files may nest deeper than the stack.

import { pointerTo, type JsonPointer, type Place } from "../json/pointer.ts"
import {
  describeType,
  isJsonArray,
  isJsonObject,
  ownOf,
  type JsonObject,
  type JsonValue,
} from "../json/value.ts"
import { messages } from "../messages.ts"
import { quoteList } from "../messages/define-messages.ts"
import { memo } from "../memo.ts"
import { withReplacement } from "../replacement.ts"
import { didYouMean, onlySimilar, suggest } from "../text/did-you-mean.ts"
import { ownWords } from "../text/other-words.ts"
import { kindOf } from "../value-type/value-type.ts"
import { formatPlace } from "../workflow/path.ts"
import type { Finding } from "../problems.ts"
import type {
  NumberShape,
  ObjectShape,
  OtherKeys,
  Rule,
  ScalarShape,
  Shape,
  TextCheck,
  VariantShape,
} from "./shape.ts"
import { typeHint } from "./type-hint.ts"

export interface ShapeFinding extends Finding {
  readonly pointer: JsonPointer
  readonly at: "key" | "value"
}

interface Work {
  readonly shape: Shape
  readonly value: JsonValue
  readonly place: Place | undefined
}

interface Check {
  readonly findings: ShapeFinding[]
  readonly work: Work[]
}

/** The maximum number of findings per file. Reporting a million mistakes would take minutes and gigabytes. */
export const MAX_FINDINGS = 1_000

/** Checks a JSON value. If no finding is an error, returns the value with the type of its shape. */
export function readShape<T>(shape: Shape<T>, value: JsonValue) {
  const findings = checkShape(shape, value)
  const isRight = findings.every(({ severity }) => severity === "warning")
  // Safe cast: the checks below verify exactly the fields and rules that `ObjectOf` derives `T` from.
  return { findings, value: isRight ? (value as T) : undefined }
}

/** Returns the findings in no particular order, at most a thousand. */
export function checkShape(shape: Shape, value: JsonValue): readonly ShapeFinding[] {
  const check: Check = { findings: [], work: [{ shape, value, place: undefined }] }
  for (let item = check.work.pop(); item !== undefined; item = check.work.pop()) {
    checkOne(check, item)
    if (check.findings.length < MAX_FINDINGS || check.work.length === 0) continue
    report(check, undefined, "value", messages["field-value"].tooMany(check.findings.length))
    break
  }
  return check.findings
}

function checkOne(check: Check, { shape, value, place }: Work): void {
  const mistake = (finding: Finding) => report(check, place, "value", finding)
  switch (shape.is) {
    case "array": {
      if (!isJsonArray(value)) return mistake(wrongType(place, "an array", value, shape))
      const items = shape.items()
      value.forEach((item, index) =>
        check.work.push({ shape: items, value: item, place: { key: index, parent: place } }),
      )
      return
    }
    case "map": {
      if (!isJsonObject(value)) return mistake(wrongType(place, "an object", value, shape))
      for (const [key, item] of Object.entries(value))
        checkNamed({ check, value: item, place: { key, parent: place } }, shape.values, shape.checkKey)
      return
    }
    case "object":
      return isJsonObject(value)
        ? checkObject(check, shape, value, place)
        : mistake(wrongType(place, shape.expected ?? "an object", value, shape))
    case "variant":
      return isJsonObject(value)
        ? checkVariant(check, shape, value, place)
        : mistake(wrongType(place, "an object", value, shape))
    case "either": {
      const fitting = shape.of.find((one) => isOfKind(one, value))
      if (fitting === undefined) return mistake(wrongType(place, shape.expected, value))
      check.work.push({ shape: fitting, value, place })
      return
    }
    default: {
      const finding = findingFor(shape, value, place)
      if (finding !== undefined) mistake(finding)
    }
  }
}

/** Returns whether a value has the JSON type of a shape. Doesn't look at its contents, which may nest. */
function isOfKind(shape: Shape, value: JsonValue): boolean {
  if (shape.is === "array") return isJsonArray(value)
  if (shape.is === "either") return shape.of.some((one) => isOfKind(one, value))
  return isPlain(shape) ? findingFor(shape, value, undefined)?.code !== "field-type" : isJsonObject(value)
}

const plain = ["any", "boolean", "null", "number", "string", "scalar", "version", "enum"] as const
type PlainShape = Extract<Shape, { readonly is: (typeof plain)[number] }>
const isPlain = (shape: Shape): shape is PlainShape => (plain as readonly string[]).includes(shape.is)

function findingFor(shape: PlainShape, value: JsonValue, place: Place | undefined): Finding | undefined {
  switch (shape.is) {
    case "any":
      return undefined
    case "boolean":
      return typeof value === "boolean" ? undefined : wrongType(place, "true or false", value, shape)
    case "null":
      return value === null ? undefined : wrongType(place, "null", value)
    case "number":
      return checkNumber(shape, value, place)
    case "string": {
      if (typeof value !== "string") return wrongType(place, shape.expected ?? "a string", value, shape)
      const finding = shape.check?.(value)
      return finding && { ...finding, message: `${name(place)}: ${finding.message}` }
    }
    case "scalar":
      if (isScalar(shape.types, value)) return undefined
      return (
        shape.explain?.(value) ?? wrongType(place, `${shape.types.map(typeName).join(", ")} or null`, value)
      )
    case "version":
      return value === 1 ? undefined : messages["version-invalid"].wrong()
    case "enum":
      if (typeof value !== "string") return wrongType(place, oneOf(shape.values), value)
      return shape.values.includes(value) ? undefined : wrongValue(place, value, shape.values)
  }
}

function checkVariant(check: Check, shape: VariantShape, value: JsonObject, place: Place | undefined): void {
  const tag = ownOf(value, shape.tag)
  const known = Object.keys(shape.variants)
  if (tag === undefined)
    return reportMissing({ check, value, place }, `"${shape.tag}"`, `expected ${oneOf(known)}`)
  const chosen = typeof tag === "string" ? ownOf(shape.variants, tag) : undefined
  if (chosen !== undefined) return checkObject(check, chosen, value, place)
  const here = { key: shape.tag, parent: place }
  if (typeof tag !== "string") return report(check, here, "value", wrongType(here, oneOf(known), tag))
  return report(check, here, "value", wrongValue(here, tag, known))
}

function checkNumber(shape: NumberShape, value: JsonValue, place: Place | undefined): Finding | undefined {
  const wanted = shape.integer === true ? "a whole number" : "a number"
  if (typeof value !== "number" && typeof value !== "bigint") return wrongType(place, wanted, value, shape)
  const bound = [
    shape.integer === true && !Number.isInteger(Number(value)) ? "a whole number" : undefined,
    shape.minimum !== undefined && value < shape.minimum ? `${shape.minimum} or more` : undefined,
    shape.exclusiveMinimum !== undefined && value <= shape.exclusiveMinimum
      ? `more than ${shape.exclusiveMinimum}`
      : undefined,
    shape.maximum !== undefined && value > shape.maximum ? `at most ${shape.maximum}` : undefined,
  ].find((text) => text !== undefined)
  if (bound === undefined && typeof value === "number") return undefined
  return messages["field-value"].wrongValue(name(place), String(value), bound ?? "a smaller number")
}

function reportMissing({ check, place }: RuleScope, missing: string, because?: string): void {
  report(check, place, "value", messages["field-missing"].missing(name(place), missing, because))
}

function checkObject(check: Check, shape: ObjectShape, value: JsonObject, place: Place | undefined): void {
  const scope = { check, value, place }
  for (const [key, item] of Object.entries(value)) {
    const field = ownOf(shape.fields, key)
    // Skips valid values early: a value file may contain hundreds, and only findings need a position.
    if (field !== undefined && isPlain(field.shape) && !findingFor(field.shape, item, undefined)) continue
    const here = { key, parent: place }
    if (field !== undefined) {
      check.work.push({ shape: field.shape, value: item, place: here })
    } else if (shape.others !== undefined) {
      checkOther[shape.others.are]({ check, value: item, place: here }, shape.others as never)
    } else {
      report(check, here, "key", unknownField(here, shape, value))
    }
  }
  for (const [key, field] of requiredFields(shape)) {
    if (Object.hasOwn(value, key)) continue
    if (field.shape.is === "version") {
      report(check, place, "value", messages["version-invalid"].missing())
    } else reportMissing(scope, `"${key}"`)
  }
  for (const rule of shape.rules) applyRule[rule.rule](scope, rule as never)
}

// Caches the fields per shape, because an API may declare hundreds of variables, all of them optional.
const requiredFields = memo(({ fields }: ObjectShape) =>
  Object.entries(fields).filter(([, field]) => field.required),
)

interface OtherKey {
  readonly check: Check
  readonly value: JsonValue
  readonly place: { readonly key: string; readonly parent: Place | undefined }
}

function checkNamed({ check, value, place }: OtherKey, shape: Shape, checkKey: TextCheck | undefined): void {
  const finding = checkKey?.(place.key)
  if (finding !== undefined) report(check, place, "key", finding)
  check.work.push({ shape, value, place })
}

type OthersOf<A extends OtherKeys["are"]> = Extract<OtherKeys, { are: A }>

const checkOther: { readonly [A in OtherKeys["are"]]: (other: OtherKey, others: OthersOf<A>) => void } = {
  values: (other, { shape, checkKey }) => checkNamed(other, shape, checkKey),
  ignored: ({ check, place }, { read }) => {
    const { unread } = messages["field-unknown"]
    const finding = unread(name(place.parent), place.key, read, suggest(place.key, read))
    report(check, place, "key", withReplacement(finding, { is: "key", from: place.key, known: read }))
  },
  refused: ({ check, place }, { explain }) => report(check, place, "key", explain(place.key)),
}

interface RuleScope {
  readonly check: Check
  readonly value: JsonObject
  readonly place: Place | undefined
}

type RuleOf<R extends Rule["rule"]> = Extract<Rule, { rule: R }>

const applyRule: { readonly [R in Rule["rule"]]: (scope: RuleScope, rule: RuleOf<R>) => void } = {
  exactlyOne: (scope, rule) => exactlyOne(scope, rule.of),
  anyOf: (scope, { of }) => {
    if (!of.some((key) => Object.hasOwn(scope.value, key))) reportMissing(scope, quoteList(of, "or"))
  },
  exactlyOneWith: (scope, { of, companion, because }) => {
    const { check, value, place } = scope
    exactlyOne(scope, of)
    const [first, second] = of
    if (Object.hasOwn(value, first) === Object.hasOwn(value, second)) return
    const given = Object.hasOwn(value, companion)
    if (given && Object.hasOwn(value, first)) {
      const finding = messages["exactly-one"].foreign(name(place), companion, second, because)
      report(check, { key: companion, parent: place }, "key", finding)
    } else if (!given && Object.hasOwn(value, second)) {
      reportMissing(scope, `"${companion}"`, `"${second}" requires it`)
    }
  },
  byValue: (scope, rule) => {
    const { check, value, place } = scope
    const chosen = ownOf(value, rule.field)
    if (typeof chosen !== "string") return
    const wanted = ownOf(rule.cases, chosen)
    if (wanted === undefined) return
    for (const key of wanted.requires) {
      if (!Object.hasOwn(value, key))
        reportMissing(scope, `"${key}"`, `"${rule.field}": "${chosen}" requires it`)
    }
    const foreign = new Set(
      Object.values(rule.cases).flatMap((other) => [...other.requires, ...other.allows]),
    )
    for (const key of foreign) {
      if (!Object.hasOwn(value, key) || wanted.requires.includes(key) || wanted.allows.includes(key)) continue
      const finding = messages["field-unknown"].otherMode(name(place), key, rule.field, chosen)
      report(check, { key, parent: place }, "key", finding)
    }
    if (wanted.exactlyOne !== undefined) exactlyOne(scope, wanted.exactlyOne)
  },
  typedBy: ({ check, value, place }, { field, by, types, explain }) => {
    const type = types.find((known) => known === ownOf(value, by))
    const here = ownOf(value, field) ?? null
    if (type === undefined || isScalar([type], here)) return
    const finding = explain(here, type, String(place?.key ?? ""))
    report(check, { key: field, parent: place }, "value", finding)
  },
  requiredWhen: (scope, { field, when, isOneOf }) => {
    const other = ownOf(scope.value, when)
    if (!Object.hasOwn(scope.value, field) && typeof other === "string" && isOneOf.includes(other))
      reportMissing(scope, `"${field}"`, `"${when}": "${other}" requires it`)
  },
}

function exactlyOne({ check, value, place }: RuleScope, of: readonly string[]): void {
  const given = of.filter((key) => Object.hasOwn(value, key))
  if (given.length === 1) return
  const [, second] = given
  const finding = messages["exactly-one"].exactlyOne(name(place), of, given)
  if (second === undefined) report(check, place, "value", finding)
  else report(check, { key: second, parent: place }, "key", finding)
}

function report(check: Check, place: Place | undefined, at: "key" | "value", finding: Finding): void {
  check.findings.push({ ...finding, pointer: pointerTo(place), at })
}

const isScalar = (types: ScalarShape["types"], value: JsonValue): boolean =>
  value === null || (types as readonly string[]).includes(kindOf(value))

const typeName = (type: string): string => (type === "boolean" ? "true or false" : `a ${type}`)

/** Reports a value. Suggests the one that a misspelled or shortened one (`prod`) probably means. */
function wrongValue(place: Place | undefined, value: string, values: readonly string[]): Finding {
  const start = value.trim().toLowerCase().slice(0, 4)
  const begun = start.length < 3 ? [] : values.filter((known) => known.toLowerCase().startsWith(start))
  const inOurWords = ownWords(value).filter((word) => values.includes(word))
  const meant = inOurWords[0] ?? didYouMean(value, values) ?? begun[0]
  const received = JSON.stringify(value)
  const finding = messages["field-value"].wrongValue(name(place), received, oneOf(values), meansThis(meant))
  const candidates = inOurWords.length > 0 ? inOurWords : [onlySimilar(value, values) ?? begun].flat()
  return meant === undefined || candidates.length !== 1
    ? finding
    : { ...finding, replacement: { is: "value", from: value, to: meant } }
}

/** Reports a field. Suggests the one that it probably means: here, or further inside, such as `params.query`. */
function unknownField({ key, parent }: OtherKey["place"], shape: ObjectShape, given: JsonObject): Finding {
  const fields = Object.keys(shape.fields)
  const inOurWords = ownWords(key)
    .filter((word) => !Object.hasOwn(given, word))
    .flatMap((word) => fieldWithin(word, shape) ?? [])
  const similar = fieldWithin(key, shape) ?? didYouMean(key, fields)
  const meant = similar ?? inOurWords[0]
  const finding = messages["field-unknown"].unknown(name(parent), key, meansThis(meant))
  const candidates = similar === undefined ? inOurWords : [onlySimilar(key, fields) ?? []].flat()
  // A field further inside needs a new object, or a place in another one.
  return meant === undefined || !Object.hasOwn(shape.fields, meant) || candidates.length !== 1
    ? finding
    : { ...finding, replacement: { is: "key", from: key, to: meant } }
}

const meansThis = (meant: string | undefined): string | undefined =>
  meant === undefined ? undefined : `did you mean ${JSON.stringify(meant)}?`

const MAX_DEPTH = 4

function fieldWithin(key: string, shape: ObjectShape): string | undefined {
  let level: readonly (readonly [string, ObjectShape])[] = [["", shape]]
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const found = level.find(([, { fields }]) => Object.hasOwn(fields, key))
    if (found !== undefined) return found[0] + key
    level = level.flatMap(([path, { fields }]) =>
      Object.entries(fields).flatMap(([name, field]) =>
        field.shape.is === "object" ? [[`${path}${name}.`, field.shape] as const] : [],
      ),
    )
  }
  return undefined
}

const wrongType = (place: Place | undefined, wanted: string, value: JsonValue, shape?: Shape): Finding =>
  messages["field-type"].wrongType(
    name(place),
    describeType(value),
    wanted,
    shape && typeHint(shape, value, place?.key),
  )

/** Returns the path of a field for messages. Empty for the file itself. */
const name = (place: Place | undefined): string => formatPlace(pointerTo(place))

const oneOf = (values: readonly string[]): string => quoteList(values, "or")
