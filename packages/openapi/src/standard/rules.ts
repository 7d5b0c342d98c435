// The rules about schemas that the published schemas can't express: keywords that contradict each other, never apply,
// or mean something else than the author expects.

import {
  type Finding,
  getOrCreate,
  isJsonArray,
  isJsonObject,
  isNumber,
  type JsonObject,
  type JsonValue,
  once,
  ownOf,
  stringifyJson,
} from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "../document/document.ts"
import { escapePointer, textMember } from "../document/located.ts"
import { messages } from "../document/messages.ts"
import type { ObjectKind } from "../document/object-kinds.ts"
import type { Findings } from "../document/place-findings.ts"
import { ignoresFields, type Visit } from "../document/walk-document.ts"
import { isNullable } from "../schema/schema-graph.ts"
import { typeTest } from "../schema/validate/exact-keywords.ts"
import { isSchemaKeyword } from "../schema/validate/normalize-schema.ts"
import { findForeignPart, isPattern } from "./foreign-patterns.ts"

/** Adds a finding for each rule that a schema breaks. */
export function checkByRules({ document, add }: Findings, visit: Visit): void {
  const { value, pointer } = visit
  if (!isSchema(document, visit.kind)) {
    for (const { at, finding } of mediaTypes(value, visit.kind)) add(`${pointer}/${at}`, finding)
    return
  }
  const broken = ignoresFields(visit, document) ? besideReference(value, document) : brokenIn(value, document)
  for (const { at, finding } of broken) add(`${pointer}/${at}`, finding)
}

/** In 2.0, parameters and headers are schemas too. */
const isSchema = ({ version }: OpenApiDocument, kind: ObjectKind): boolean =>
  kind === "schema" || (version === "2.0" && (kind === "parameter" || kind === "header" || kind === "item"))

/** Finds keys of `content` that are not media types, so that no response ever has them. */
function* mediaTypes({ content }: JsonObject, kind: ObjectKind): Generator<Broken> {
  if (!hasContent.has(kind) || !isJsonObject(content)) return
  for (const name of Object.keys(content))
    if (!name.includes("/") && name !== "*" && name !== "$ref" && !name.startsWith("x-"))
      yield { at: `content/${escapePointer(name)}`, finding: standard.badMediaType(name) }
}

const hasContent: ReadonlySet<ObjectKind> = new Set<ObjectKind>(["response", "body", "parameter", "header"])

interface Broken {
  /** A pointer in the schema, without the first slash. */
  readonly at: string
  readonly finding: Finding
}

type FindBroken = (schema: JsonObject, document: OpenApiDocument) => Iterable<Broken>

interface Rule {
  /** The rule is about schemas with any of these keywords. */
  readonly on: readonly string[]
  readonly find: FindBroken
}

const { "document-standard": standard, "document-invalid": invalid } = messages

/** Returns the rules. A function, because they need tables that this file defines below. */
const createRules = (): readonly Rule[] => [
  { on: ["pattern", "patternProperties"], find: patterns },
  { on: filledLists, find: emptyLists },
  { on: ["enum", "const", "default"], find: neverMatching },
  { on: bounds.map(([lower]) => lower), find: contradictions },
  { on: [...Object.keys(partners), "exclusiveMinimum", "exclusiveMaximum"], find: withoutPartner },
  { on: Object.keys(typesOfKeyword), find: neverApplying },
  { on: ["required"], find: missingProperties },
  { on: ["nullable"], find: nullableIn31 },
  { on: ["discriminator"], find: discriminatorIn31 },
  { on: ["schema"], find: schemaOfParameter },
]

const rulesByKeyword = once(() => {
  const byKeyword = new Map<string, FindBroken[]>()
  for (const { on, find } of createRules())
    for (const keyword of on) getOrCreate(byKeyword, keyword, () => []).push(find)
  return byKeyword
})

/** Returns what is wrong with a schema. Most schemas have few of the keywords. */
function brokenIn(schema: JsonObject, document: OpenApiDocument): readonly Broken[] {
  const finders = new Set<FindBroken>()
  for (const keyword of Object.keys(schema))
    for (const find of rulesByKeyword().get(keyword) ?? []) finders.add(find)
  return [...finders].flatMap((find) => [...find(schema, document)])
}

function* besideReference(schema: JsonObject, { version }: OpenApiDocument): Generator<Broken> {
  const lost = Object.keys(schema).find((name) => isSchemaKeyword(name) && !harmlessBeside.has(name))
  if (lost !== undefined) yield { at: escapePointer(lost), finding: standard.besideReference(version, lost) }
}

/** Keywords beside a reference that callsheet honors, or that usually only repeat the target's. */
const harmlessBeside = new Set(["nullable", "type", "format"])

function* patterns(schema: JsonObject): Generator<Broken> {
  const pattern = textMember(schema, "pattern")
  const written = Object.keys(isJsonObject(schema["patternProperties"]) ? schema["patternProperties"] : {})
  const all = written.map((name) => [name, `patternProperties/${escapePointer(name)}`] as const)
  for (const [source, at] of pattern === undefined ? all : [[pattern, "pattern"] as const, ...all]) {
    const foreign = findForeignPart(source)
    const { part, readAs, advice } = foreign ?? {}
    if (!isPattern(source)) yield { at, finding: invalid.badPattern(shorten(source), part, advice) }
    else if (part !== undefined) yield { at, finding: standard.foreignPattern(part, readAs ?? "", advice) }
  }
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

const typeNames = new Set("string number integer boolean array object null".split(" "))

/** Returns the valid types of a schema. Empty if it doesn't limit them. */
function typesOf(schema: JsonObject): readonly string[] {
  const names = [schema["type"]].flat().filter((name) => typeof name === "string")
  if (names.length === 0 || !names.every((name) => typeNames.has(name))) return []
  return isNullable(schema) ? [...names, "null"] : names
}

const filledLists = ["enum", "allOf", "anyOf", "oneOf"]

function* emptyLists(schema: JsonObject): Generator<Broken> {
  for (const keyword of filledLists) {
    const list = ownOf(schema, keyword)
    if (isJsonArray(list) && list.length === 0) yield { at: keyword, finding: standard.emptyList(keyword) }
  }
}

function* neverMatching(schema: JsonObject, document: OpenApiDocument): Generator<Broken> {
  const { enum: listed, const: only, default: preset } = schema
  const types = typesOf(schema)
  if (types.length === 0) return
  const fits = typeTest(types)
  const values = {
    enum: isJsonArray(listed) ? listed : [],
    const: only === undefined ? [] : [only],
    default: preset === undefined || preset === null ? [] : [preset],
  }
  for (const [keyword, given] of Object.entries(values)) {
    const wrong = given.filter((value) => !fits(value))
    if (wrong.length === 0) continue
    const at = keyword === "enum" ? `enum/${given.findIndex((value) => !fits(value))}` : keyword
    const advice = adviceFor(schema, wrong, document)
    yield { at, finding: standard.neverMatches(keyword, wrong.map(show), types, advice) }
  }
}

const show = (value: JsonValue): string => {
  const text = stringifyJson(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

function adviceFor(
  schema: JsonObject,
  values: readonly JsonValue[],
  document: OpenApiDocument,
): string | undefined {
  const types = typesOf(schema)
  if (values.every((value) => value === null)) {
    if (!isOldDialect(document)) return 'add "null" to "type"'
    return document.version === "2.0" ? 'add "x-nullable": true' : 'add "nullable": true'
  }
  if (types.includes("array") && isJsonObject(schema["items"])) return 'move it to "items"'
  if (types.includes("string") && values.every((value) => typeof value !== "object"))
    return "put text in quotes"
  const isUnquotable = values.every(
    (value) => typeof value === "string" && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value),
  )
  return isUnquotable ? "remove the quotes" : undefined
}

const bounds: readonly (readonly [lower: string, upper: string])[] = [
  ["minimum", "maximum"],
  ["exclusiveMinimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"],
]

function* contradictions(schema: JsonObject): Generator<Broken> {
  for (const [lower, upper] of bounds) {
    const [least, most] = [ownOf(schema, lower), ownOf(schema, upper)]
    if (!isNumber(least) || !isNumber(most)) continue
    const isExclusive =
      `${lower} ${upper}`.includes("exclusive") ||
      (lower === "minimum" && (schema["exclusiveMinimum"] === true || schema["exclusiveMaximum"] === true))
    if (least > most || (isExclusive && least === most))
      yield {
        at: lower,
        finding: standard.contradiction({ lower, least: String(least), upper, most: String(most) }),
      }
  }
}

const partners: Readonly<Record<string, string>> = {
  then: "if",
  else: "if",
  minContains: "contains",
  maxContains: "contains",
}

function* withoutPartner(schema: JsonObject): Generator<Broken> {
  for (const [keyword, partner] of Object.entries(partners))
    if (Object.hasOwn(schema, keyword) && !Object.hasOwn(schema, partner))
      yield { at: keyword, finding: standard.withoutPartner(keyword, partner) }
  for (const bound of ["minimum", "maximum"]) {
    const keyword = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
    if (schema[keyword] === true && !Object.hasOwn(schema, bound))
      yield { at: keyword, finding: standard.withoutPartner(keyword, bound) }
  }
}

const numbers = ["number", "integer"]

const typesOfKeyword: Readonly<Record<string, readonly string[]>> = {
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  minimum: numbers,
  maximum: numbers,
  multipleOf: numbers,
  items: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  properties: ["object"],
  required: ["object"],
  minProperties: ["object"],
  maxProperties: ["object"],
}

function* neverApplying(schema: JsonObject): Generator<Broken> {
  const types = typesOf(schema).filter((type) => type !== "null")
  if (types.length === 0) return
  for (const keyword of Object.keys(schema)) {
    const applies = ownOf(typesOfKeyword, keyword)
    if (
      applies === undefined ||
      types.some((type) => applies.includes(type)) ||
      !hasEffect(ownOf(schema, keyword))
    )
      continue
    yield { at: keyword, finding: standard.neverApplies(keyword, applies, types) }
  }
}

/** Returns whether a keyword says something. In 2.0, `required: false` is a field of a parameter. */
const hasEffect = (value: JsonValue | undefined): boolean =>
  isNumber(value) ||
  typeof value === "string" ||
  (isJsonArray(value) && value.length > 0) ||
  (isJsonObject(value) && Object.keys(value).length > 0)

/** Finds required properties that the schema forbids. */
function* missingProperties(schema: JsonObject): Generator<Broken> {
  const { properties = {}, patternProperties = {}, required, additionalProperties } = schema
  if (additionalProperties !== false || !isJsonArray(required) || !isJsonObject(properties)) return
  if (textMember(properties, "$ref") !== undefined || Object.keys(patternProperties as JsonObject).length > 0)
    return
  const isBesideOthers = ["allOf", "anyOf", "oneOf", "$ref"].find((keyword) => Object.hasOwn(schema, keyword))
  const known = Object.keys(properties)
  for (const [index, name] of required.entries())
    if (typeof name === "string" && !Object.hasOwn(properties, name))
      yield { at: `required/${index}`, finding: standard.forbiddenProperty(name, known, isBesideOthers) }
}

function* nullableIn31(schema: JsonObject, document: OpenApiDocument): Generator<Broken> {
  if (isOldDialect(document) || schema["nullable"] !== true) return
  const { type } = schema
  const types = [type].flat()
  if (types.includes("null")) return
  const advice =
    typeof type === "string"
      ? `write "type": [${JSON.stringify(type)}, "null"]`
      : isJsonArray(type)
        ? 'add "null" to "type"'
        : 'write "anyOf": [{ … }, { "type": "null" }]'
  yield { at: "nullable", finding: standard.nullable(document.version, advice) }
}

/** The published schemas of these versions don't describe this keyword of OpenAPI. */
function* discriminatorIn31({ discriminator }: JsonObject, document: OpenApiDocument): Generator<Broken> {
  if (isOldDialect(document) || discriminator === undefined || isJsonObject(discriminator)) return
  const hint = 'write "discriminator": { "propertyName": "…" }'
  const received = `expected an object, received ${show(discriminator)}`
  yield { at: "discriminator", finding: standard.forbiddenValue(document.version, received, hint) }
}

/** In 2.0, only the body has a schema. Other parameters are their own schemas. */
function* schemaOfParameter(schema: JsonObject, { version }: OpenApiDocument): Generator<Broken> {
  if (version !== "2.0" || !Object.hasOwn(schema, "schema") || schema["in"] === "body") return
  const hint = 'write "type" and its other keywords in the parameter itself'
  yield { at: "schema", finding: standard.unknownField(version, "schema", hint) }
}
