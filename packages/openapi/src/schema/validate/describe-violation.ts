// Describes a violation for reports, with the expected and the received value.

import {
  type ContractProblem,
  describeType,
  isJsonArray,
  type JsonValue,
  ownOf,
  stringifyJson,
} from "@callsheet/format"
import { escapePointer, showPart } from "../../document/located.ts"
import { EXACT_TYPE, findRepeated } from "./exact-keywords.ts"
import { formats } from "./formats.ts"
import { type BrokenReference, FORBIDS, LEADS_NOWHERE, NOT_SENT, pointerOf } from "./plain-schema.ts"
import type { Violation } from "./validator.ts"

/** Describes a violation. `path` is the JSON pointer of the validated value. Adds the schema's location if it is known. */
export function describeViolation(violation: Violation, path: string): ContractProblem {
  const property = missingOrUnexpected(violation)
  const at = `${path}${violation.pointer}${property === undefined ? "" : `/${escapePointer(property)}`}`
  const message =
    ownOf(sentences, violation.keyword)?.(violation) ?? `does not match "${violation.keyword}" of its schema`
  const schema = pointerOf(violation.schema)
  if (schema === undefined) return { path: at, message }
  const keyword = violation.writtenAs ?? ownOf(writtenAs, violation.keyword) ?? violation.keyword
  return { path: at, message, schema: keyword === "" ? schema : `${schema}/${keyword}` }
}

/** The keyword that the document uses for each internal one. Empty for the schema itself. */
const writtenAs: Readonly<Record<string, string>> = {
  [EXACT_TYPE]: "type",
  [LEADS_NOWHERE]: "$ref",
  [NOT_SENT]: "readOnly",
  [FORBIDS]: "",
}

/** Returns the missing or unexpected property. Its path is more helpful than that of the object. */
function missingOrUnexpected({ keyword, params }: Violation): string | undefined {
  const name = ownOf(propertyParams, keyword)
  const property = name === undefined ? undefined : ownOf(params, name)
  return typeof property === "string" || typeof property === "number" ? String(property) : undefined
}

const propertyParams: Readonly<Record<string, string>> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "part",
  unevaluatedItems: "part",
}

const type = ({ expected, params, value }: Violation): string =>
  `expected ${typeWords(params["type"] ?? expected)}, received ${describeReceived(value)}`

type Sentence = (violation: Violation) => string

function quoting(words: (expected: unknown) => string): Sentence {
  return ({ expected, value }) => `expected ${words(expected)}, received ${quote(value)}`
}

function counting(words: (expected: unknown) => string): Sentence {
  return ({ expected, value }) => `expected ${words(expected)}, received ${size(value)}`
}

const sentences: Readonly<Record<string, (violation: Violation) => string>> = {
  type,
  [EXACT_TYPE]: type,
  required: () => "missing required property",
  dependentRequired: ({ params }) => `missing property; ${JSON.stringify(params["property"])} requires it`,
  additionalProperties: () => "unexpected property; the schema doesn't define it",
  unevaluatedProperties: () => "unexpected property; the schema doesn't define it",
  unevaluatedItems: () => "unexpected item; the schema doesn't describe it",
  items: ({ params, value }) => `expected at most ${String(params["limit"])} items, received ${size(value)}`,
  enum: quoting(oneOf),
  const: quoting((expected) => quote(expected as JsonValue)),
  format: quoting((expected) => formats.get(String(expected))?.expected ?? String(expected)),
  pattern: quoting((expected) => `a match of the pattern ${String(expected)}`),
  minimum: quoting((expected) => `${String(expected)} or more`),
  maximum: quoting((expected) => `${String(expected)} or less`),
  exclusiveMinimum: quoting((expected) => `more than ${String(expected)}`),
  exclusiveMaximum: quoting((expected) => `less than ${String(expected)}`),
  multipleOf: quoting((expected) => `a multiple of ${String(expected)}`),
  minLength: quoting((expected) => `${count(expected, "character")} or more`),
  maxLength: quoting((expected) => `${count(expected, "character")} or less`),
  minItems: counting((expected) => `${count(expected, "item")} or more`),
  maxItems: counting((expected) => `${count(expected, "item")} or less`),
  minProperties: counting((expected) => `${count(expected, "property")} or more`),
  maxProperties: counting((expected) => `${count(expected, "property")} or less`),
  uniqueItems: ({ value }) => {
    const [first, second] = (isJsonArray(value) ? findRepeated(value) : undefined) ?? []
    return `expected unique items, received equal items at ${String(first)} and ${String(second)}`
  },
  contains: ({ schema }) => {
    const { minContains, maxContains } = schema as { minContains?: number; maxContains?: number }
    const upperBound = maxContains === undefined ? "" : ` and at most ${maxContains}`
    return `expected at least ${minContains ?? 1}${upperBound} of the items to match "contains"`
  },
  propertyNames: ({ params }) =>
    `the property name ${quote(String(params["propertyName"]))} does not match "propertyNames"`,
  [LEADS_NOWHERE]: ({ expected }) => {
    const { reference, pointer } = expected as BrokenReference
    return `the document's own reference "${reference}" (at ${showPart(pointer)}) does not resolve`
  },
  [NOT_SENT]: ({ value }) =>
    `expected nothing (the property is read-only), received ${describeReceived(value)}`,
  not: () => `expected a value that does not match "not"`,
  [FORBIDS]: ({ value }) => `expected nothing, received ${describeReceived(value)}`,
  oneOf: (violation) => {
    const passing = violation.params["passingSchemas"]
    if (!Array.isArray(passing)) return matchesNone(violation)
    const names = (violation.params["names"] ?? []) as readonly string[]
    const matching = passing.map((index) => names[Number(index)]).filter((name) => name !== undefined)
    const matched = matching.length < 2 ? "several of them" : matching.join(" and ")
    return `expected a match of exactly one of ${alternatives(violation.expected)}, received a match of ${matched}`
  },
  anyOf: matchesNone,
}

function matchesNone({ expected, params: { either, closest } }: Violation): string {
  const none = `matches none of ${alternatives(expected)}`
  if (either !== undefined) return eitherOf(either as readonly Violation[]) ?? none
  return typeof closest === "string" ? `${none}; the closest is ${closest}` : none
}

function eitherOf(violations: readonly Violation[]): string | undefined {
  const parts = violations.map((violation) =>
    /^expected (.*), received (.*)$/s.exec(ownOf(sentences, violation.keyword)?.(violation) ?? ""),
  )
  const expected = parts.map((part) => part?.[1])
  if (expected.includes(undefined)) return undefined
  return `expected ${[...new Set(expected)].join(", or ")}, received ${parts[0]?.[2] ?? ""}`
}

const alternatives = (expected: unknown): string =>
  `the ${Array.isArray(expected) ? expected.length : 1} documented alternatives`

const typeWords = (types: unknown): string => {
  const words = (Array.isArray(types) ? (types as unknown[]) : [types]).map(
    (name) => ownOf(articles, String(name)) ?? `a ${String(name)}`,
  )
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

const articles: Readonly<Record<string, string>> = {
  array: "an array",
  integer: "an integer",
  object: "an object",
  null: "null",
}

const count = (amount: unknown, unit: string): string =>
  amount === 1 ? `1 ${unit}` : `${String(amount)} ${unit === "property" ? "properties" : `${unit}s`}`

const size = (value: JsonValue): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0

/** The maximum length of a quoted value. A longer one isn't quoted, because masking can't find a truncated secret. */
const MAX_QUOTED = 80
const MAX_LISTED = 12

function quote(value: JsonValue): string {
  if (typeof value === "object" && value !== null) {
    const isSmall = Object.keys(value).length <= MAX_LISTED
    const text = isSmall ? stringifyJson(value) : ""
    return isSmall && text.length <= MAX_QUOTED ? text : describeType(value)
  }
  const text = typeof value === "string" ? JSON.stringify(value) : String(value)
  return text.length > MAX_QUOTED ? `a ${typeof value} of ${String(value).length} characters` : text
}

function describeReceived(value: JsonValue): string {
  const words = describeType(value)
  if (value === null || typeof value === "object") return words
  const text = quote(value)
  return text.startsWith("a ") ? text : `${words}: ${text}`
}

function oneOf(expected: unknown): string {
  const values = (Array.isArray(expected) ? expected : [expected]) as readonly JsonValue[]
  const listed = values.slice(0, MAX_LISTED).map(quote).join(", ")
  const more = values.length > MAX_LISTED ? `, … (${values.length} in all)` : ""
  return values.length === 1 ? listed : `one of ${listed}${more}`
}
