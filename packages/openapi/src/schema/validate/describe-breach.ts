// A breach in a user's words: what was expected, and what came.

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
import type { Breach } from "./validator.ts"

/** `path` is the JSON pointer of the validated value in the response. Where the schema is known it is named by its part. */
export function describeBreach(breach: Breach, path: string): ContractProblem {
  const property = missingOrUnexpected(breach)
  const at = `${path}${breach.pointer}${property === undefined ? "" : `/${escapePointer(property)}`}`
  const message = ownOf(sentences, breach.keyword)?.(breach) ?? `breaks "${breach.keyword}" of its schema`
  const schema = pointerOf(breach.schema)
  if (schema === undefined) return { path: at, message }
  const keyword = breach.writtenAs ?? writtenAs[breach.keyword] ?? breach.keyword
  return { path: at, message, schema: keyword === "" ? schema : `${schema}/${keyword}` }
}

/** Keywords that documents write in another way; the schema itself where that is nothing. */
const writtenAs: Readonly<Record<string, string>> = {
  [EXACT_TYPE]: "type",
  [LEADS_NOWHERE]: "$ref",
  [NOT_SENT]: "readOnly",
  [FORBIDS]: "",
}

/** The property that a problem of an object is about: its path is more help than that of the object. */
function missingOrUnexpected({ keyword, params }: Breach): string | undefined {
  const name = propertyParams[keyword]
  const property = name === undefined ? undefined : params[name]
  return typeof property === "string" || typeof property === "number" ? String(property) : undefined
}

const propertyParams: Readonly<Record<string, string>> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "part",
  unevaluatedItems: "part",
}

const type = ({ expected, params, value }: Breach): string =>
  `expected ${typeWords(params["type"] ?? expected)}, came ${came(value)}`

type Sentence = (breach: Breach) => string

function quoting(words: (expected: unknown) => string): Sentence {
  return ({ expected, value }) => `expected ${words(expected)}, came ${quote(value)}`
}

function counting(words: (expected: unknown) => string): Sentence {
  return ({ expected, value }) => `expected ${words(expected)}, came ${size(value)}`
}

const sentences: Readonly<Record<string, (breach: Breach) => string>> = {
  type,
  [EXACT_TYPE]: type,
  required: () => "expected a value (the property is required), came nothing",
  dependentRequired: ({ params }) =>
    `expected a value (the property is required beside ${JSON.stringify(params["property"])}), came nothing`,
  additionalProperties: () => "expected no such property; the schema does not name it",
  unevaluatedProperties: () => "expected no such property; the schema does not name it",
  unevaluatedItems: () => "expected no such item; the schema does not describe it",
  items: ({ params, value }) => `expected at most ${String(params["limit"])} items, came ${size(value)}`,
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
    return `expected items that differ, came equal ones at ${String(first)} and ${String(second)}`
  },
  contains: ({ schema }) => {
    const { minContains, maxContains } = schema as { minContains?: number; maxContains?: number }
    const most = maxContains === undefined ? "" : ` and at most ${maxContains}`
    return `expected at least ${minContains ?? 1}${most} of the items to be as "contains" says`
  },
  propertyNames: ({ params }) =>
    `the property's name ${quote(String(params["propertyName"]))} is not as "propertyNames" says`,
  [LEADS_NOWHERE]: ({ expected }) => {
    const { reference, pointer } = expected as BrokenReference
    return `the document's own reference "${reference}" (at ${showPart(pointer)}) leads nowhere`
  },
  [NOT_SENT]: ({ value }) => `expected nothing (the property is read-only), came ${came(value)}`,
  not: () => `expected a value that is not as "not" says`,
  [FORBIDS]: ({ value }) => `expected nothing, came ${came(value)}`,
  oneOf: (breach) => {
    const passing = breach.params["passingSchemas"]
    if (!Array.isArray(passing)) return fitsNone(breach)
    const names = (breach.params["names"] ?? []) as readonly string[]
    const fitting = passing.map((index) => names[Number(index)]).filter((name) => name !== undefined)
    const fits = fitting.length < 2 ? "what fits several" : `what fits ${fitting.join(" and ")}`
    return `expected to fit one of ${alternatives(breach.expected)} alone, came ${fits}`
  },
  anyOf: fitsNone,
}

function fitsNone({ expected, params: { either, closest } }: Breach): string {
  const none = `fits none of ${alternatives(expected)}`
  if (either !== undefined) return eitherOf(either as readonly Breach[]) ?? none
  return typeof closest === "string" ? `${none}; the closest is ${closest}` : none
}

function eitherOf(breaches: readonly Breach[]): string | undefined {
  const parts = breaches.map((breach) =>
    /^expected (.*), came (.*)$/s.exec(sentences[breach.keyword]?.(breach) ?? ""),
  )
  const expected = parts.map((part) => part?.[1])
  if (expected.includes(undefined)) return undefined
  return `expected ${[...new Set(expected)].join(", or ")}, came ${parts[0]?.[2] ?? ""}`
}

const alternatives = (expected: unknown): string =>
  `the ${Array.isArray(expected) ? expected.length : 1} documented alternatives`

const typeWords = (types: unknown): string => {
  const words = (Array.isArray(types) ? (types as unknown[]) : [types]).map(
    (name) => articles[String(name)] ?? `a ${String(name)}`,
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

/** Longer values are told by their length: a cut one could be half of a secret, which no masker finds. */
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

function came(value: JsonValue): string {
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
