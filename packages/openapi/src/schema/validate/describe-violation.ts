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
import { findRepeated } from "./exact-keywords.ts"
import { formats } from "./formats.ts"
import { type BrokenReference, FORBIDS, LEADS_NOWHERE, NOT_SENT, pointerOf } from "./plain-schema.ts"
import type { Explained } from "./narrow-violations.ts"

/** Describes a violation. `path` is the JSON pointer of the validated value. Adds the schema's location if it is known. */
export function describeViolation(violation: Explained, path: string): ContractProblem {
  const property = violation.keyword === "propertyNames" ? undefined : violation.name
  const at = `${path}${violation.pointer}${property === undefined ? "" : `/${escapePointer(String(property))}`}`
  const message =
    ownOf(sentences, violation.keyword)?.(violation) ?? `does not match "${violation.keyword}" of its schema`
  const schema = pointerOf(violation.schema)
  if (schema === undefined) return { path: at, message }
  const keyword = violation.writtenAs ?? ownOf(writtenAs, violation.keyword) ?? violation.keyword
  return { path: at, message, schema: keyword === "" ? schema : `${schema}/${keyword}` }
}

/** The keyword that the document uses for each internal one. Empty for the schema itself. */
const writtenAs: Readonly<Record<string, string>> = {
  [LEADS_NOWHERE]: "$ref",
  [NOT_SENT]: "readOnly",
  [FORBIDS]: "",
}

type Sentence = (violation: Explained) => string

function quoting(words: (expected: unknown) => string): Sentence {
  return ({ expected, value }) => `expected ${words(expected)}, received ${quote(value)}`
}

function counting(words: (expected: unknown) => string): Sentence {
  return ({ expected, value }) => `expected ${words(expected)}, received ${size(value)}`
}

const sentences: Readonly<Record<string, Sentence>> = {
  type: ({ expected, value }) => `expected ${typeWords(expected)}, received ${describeReceived(value)}`,
  required: () => "missing required property",
  dependentRequired: ({ requiredBy }) => `missing property; ${JSON.stringify(requiredBy)} requires it`,
  additionalProperties: () => "unexpected property; the schema doesn't define it",
  unevaluatedProperties: () => "unexpected property; the schema doesn't define it",
  unevaluatedItems: () => "unexpected item; the schema doesn't describe it",
  items: ({ schema: { prefixItems }, value }) =>
    `expected at most ${Array.isArray(prefixItems) ? prefixItems.length : 0} items, received ${size(value)}`,
  enum: quoting(oneOf),
  const: quoting((expected) => quote(expected as JsonValue)),
  format: quoting((expected) => formats.get(String(expected))?.expected ?? String(expected)),
  contentSchema: ({ value }) => `expected JSON, received ${quote(value)}`,
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
  propertyNames: ({ name }) => `the property name ${quote(String(name))} does not match "propertyNames"`,
  [LEADS_NOWHERE]: ({ expected }) => {
    const { reference, pointer } = expected as BrokenReference
    return `the document's own reference "${reference}" (at ${showPart(pointer)}) does not resolve`
  },
  [NOT_SENT]: ({ value }) =>
    `expected nothing (the property is read-only), received ${describeReceived(value)}`,
  not: () => `expected a value that does not match "not"`,
  [FORBIDS]: ({ value }) => `expected nothing, received ${describeReceived(value)}`,
  oneOf: (violation) => {
    const { passing, names, expected } = violation
    if (passing === undefined) return matchesNone(violation)
    const matched = names === undefined ? "several of them" : passing.map((at) => names[at]).join(" and ")
    return `expected a match of exactly one of ${alternatives(expected)}, received a match of ${matched}`
  },
  anyOf: matchesNone,
}

function matchesNone({ expected, either, closest }: Explained): string {
  const none = `matches none of ${alternatives(expected)}`
  if (either !== undefined) return eitherOf(either) ?? none
  return closest === undefined ? none : `${none}; the closest is ${closest}`
}

function eitherOf(violations: readonly Explained[]): string | undefined {
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
