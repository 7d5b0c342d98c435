// Translates a JSON Schema inside a script to checks. A keyword whose meaning no check has is refused, so that no rule gets
// lost. Postman ignores words that aren't keywords.

import { isJsonArray, isJsonObject, member, ownOf, type JsonObject, type JsonValue } from "@callsheet/format"
import { identifierCode, numberCode } from "../export/code.ts"
import { js, jsRegExp, type Js } from "../export/js-code.ts"
import { hasVariables } from "../text.ts"
import type { Chain } from "./chain.ts"
import { draft, indent, joinDrafts, line, type Draft, type Line } from "./draft.ts"
import { asType, nameOf, type AnyNode } from "./syntax.ts"
import type { CodeWriter } from "./code-writer.ts"
import { refuse } from "./untranslatable.ts"
import { keyDraft, valueCode } from "./value-code.ts"
import { fillers } from "./vocabulary.ts"

const refusedKeywords =
  `$ref allOf anyOf oneOf not if then else dependencies dependentRequired dependentSchemas
  patternProperties propertyNames contains uniqueItems multipleOf additionalItems prefixItems unevaluatedProperties
  unevaluatedItems minProperties maxProperties`.split(/\s+/)

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-[01]\d-[0-3]\d$/,
  "date-time": /^\d{4}-[01]\d-[0-3]\d[Tt ][0-2]\d:[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/,
  email: /^[^\s@]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i,
  uri: /^[a-z][a-z0-9+.-]*:\S*$/i,
  uuid: /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
}

/** Translates `jsonSchema(schema)`, or a claim that a validator returns `true`. Undefined for any other chain. */
export function schemaClaim(translator: CodeWriter, { root, words }: Chain): readonly Line[] | undefined {
  const [claim, ...others] = words.filter(({ word }) => !fillers.has(word))
  if (claim === undefined || others.length > 0) return undefined
  const body: Draft = [{ is: "response", path: ["body"] }]
  if (claim.word === "jsonSchema") {
    // Options of the validator could change what the schema means.
    const schema = claim.given?.length === 1 ? translator.known.of(claim.given[0]) : undefined
    if (schema?.is !== "value") return refuse("this JSON Schema")
    return linesOf(schema.value, root.is === "response" ? body : translator.expression(root.value))
  }
  const isTrue =
    claim.word === "true" ||
    (/^eq|^equal/.test(claim.word) && asType(claim.given?.[0], "Literal")?.value === true)
  return root.is === "value" && isTrue ? validation(translator, root.value) : undefined
}

/** Translates a call of a validator as a claim that the value is valid. */
export function validation(translator: CodeWriter, node: AnyNode): readonly Line[] | undefined {
  const call = asType(node, "CallExpression")
  const [, library] = /^(tv4|ajv)\.validate$/i.exec((call && nameOf(call.callee)) ?? "") ?? []
  if (call === undefined || library === undefined) return undefined
  const [first, second] = call.arguments
  const [schema, value] = library.toLowerCase() === "tv4" ? [second, first] : [first, second]
  const known = translator.known.of(schema)
  if (known?.is !== "value" || value === undefined || call.arguments.length > 2)
    return refuse("this JSON Schema")
  return linesOf(known.value, translator.expression(value))
}

/** Names a value that isn't a name, because checks repeat it. */
function linesOf(schema: JsonValue, value: Draft): readonly Line[] {
  const [only, ...others] = value.filter((part) => part !== "")
  const isName = others.length === 0 && typeof only === "string"
  if (isName) return new SchemaWriter().lines(schema, value)
  const lines = new SchemaWriter().lines(schema, draft`responseBody`)
  return [line(draft`{`), ...indent([line(draft`const responseBody = ${value}`), ...lines]), line(draft`}`)]
}

class SchemaWriter {
  #items = 0

  lines(schema: JsonValue, subject: Draft): readonly Line[] {
    if (schema === true) return []
    if (!isJsonObject(schema)) return refuse("this JSON Schema")
    for (const keyword of Object.keys(schema))
      if (refusedKeywords.includes(keyword)) refuse(`${keyword} in a JSON Schema`)
    const type = member(schema, "type")
    const types = isJsonArray(type) ? type : type === undefined ? [] : [type]
    const [only, ...others] = types
    const single = others.length === 0 ? only : undefined
    const lines = [
      ...this.#types(types, subject),
      ...this.#fixed(schema, subject),
      ...this.#for("object", single, subject, this.#object(schema, subject)),
      ...this.#for("array", single, subject, this.#array(schema, subject)),
      ...this.#for(
        "number",
        single === "integer" ? "number" : single,
        subject,
        this.#number(schema, subject),
      ),
      ...this.#for("string", single, subject, this.#text(schema, subject)),
    ]
    return lines
  }

  /** Other values are valid whatever the keywords of a kind say. */
  #for(kind: string, type: JsonValue | undefined, subject: Draft, lines: readonly Line[]): readonly Line[] {
    if (lines.length === 0 || type === kind) return lines
    return [line(draft`if (${typeTest(kind, subject)}) {`), ...indent(lines), line(draft`}`)]
  }

  #types(types: readonly JsonValue[], subject: Draft): readonly Line[] {
    const [only, ...others] = types
    if (only === undefined) return []
    const known = types.map((type) => (typeof type === "string" ? type : refuse("this type")))
    if (others.length === 0)
      return [line(draft`ctx.expect(${subject}).toBeType(${typeCode(known[0] ?? "")})`)]
    const test = joinDrafts(
      known.map((type) => typeTest(type, subject)),
      draft` || `,
    )
    return [line(draft`ctx.expect(${test}).toEqual(true)`)]
  }

  #fixed(schema: JsonObject, subject: Draft): readonly Line[] {
    const values = member(schema, "enum")
    const fixed = member(schema, "const")
    return [
      ...(isJsonArray(values) ? [line(draft`ctx.expect(${subject}).toBeOneOf(${valueCode(values)})`)] : []),
      ...(fixed === undefined ? [] : [line(draft`ctx.expect(${subject}).toEqual(${valueCode(fixed)})`)]),
    ]
  }

  #object(schema: JsonObject, subject: Draft): readonly Line[] {
    const required = names(member(schema, "required"))
    const properties = member(schema, "properties") ?? {}
    if (!isJsonObject(properties)) return refuse("these properties")
    const more = member(schema, "additionalProperties")
    if (more !== undefined && typeof more !== "boolean") refuse("additionalProperties in a JSON Schema")
    const allowed = joinDrafts(Object.keys(properties).map(textDraft), draft`, `)
    return [
      ...required.map((name) => line(draft`ctx.expect(${textDraft(name)} in ${subject}).toEqual(true)`)),
      ...Object.entries(properties).flatMap(([name, inner]) => {
        const value = draft`${subject}${keyDraft(name)}`
        const lines = this.lines(inner, value)
        if (lines.length === 0 || required.includes(name)) return lines
        return [line(draft`if (${value} !== undefined) {`), ...indent(lines), line(draft`}`)]
      }),
      ...(more === false
        ? [
            line(
              draft`ctx.expect(Object.keys(${subject}).filter((key) => ![${allowed}].includes(key))).toEqual([])`,
            ),
          ]
        : []),
    ]
  }

  #array(schema: JsonObject, subject: Draft): readonly Line[] {
    const items = member(schema, "items")
    const [least, most] = [limit(schema, "minItems"), limit(schema, "maxItems")]
    const length = draft`${subject}.length`
    const lengths = [
      ...(least === undefined ? [] : [line(draft`ctx.expect(${length}).toBeAtLeast(${least})`)]),
      ...(most === undefined ? [] : [line(draft`ctx.expect(${length}).toBeAtMost(${most})`)]),
    ]
    if (items === undefined) return lengths
    if (isJsonArray(items))
      return [
        ...lengths,
        ...items.flatMap((inner, at) => {
          const value = draft`${subject}[${numberCode(at)}]`
          const lines = this.lines(inner, value)
          return lines.length === 0
            ? []
            : [line(draft`if (${value} !== undefined) {`), ...indent(lines), line(draft`}`)]
        }),
      ]
    const name = identifierCode<"js">(`schemaItem${++this.#items}`)
    const lines = this.lines(items, draft`${name}`)
    const loop = [line(draft`for (const ${name} of ${subject}) {`), ...indent(lines), line(draft`}`)]
    return lines.length === 0 ? lengths : [...lengths, ...loop]
  }

  #number(schema: JsonObject, subject: Draft): readonly Line[] {
    const checks = {
      minimum: (value: Js) => draft`ctx.expect(${subject}).toBeAtLeast(${value})`,
      maximum: (value: Js) => draft`ctx.expect(${subject}).toBeAtMost(${value})`,
      exclusiveMinimum: (value: Js) => draft`ctx.expect(${subject}).not.toBeAtMost(${value})`,
      exclusiveMaximum: (value: Js) => draft`ctx.expect(${subject}).not.toBeAtLeast(${value})`,
    }
    return Object.entries(checks).flatMap(([keyword, check]) => {
      const value = limit(schema, keyword)
      return value === undefined ? [] : [line(check(value))]
    })
  }

  #text(schema: JsonObject, subject: Draft): readonly Line[] {
    const [least, most] = [limit(schema, "minLength"), limit(schema, "maxLength")]
    const pattern = member(schema, "pattern")
    const format = member(schema, "format")
    const known = typeof format === "string" ? ownOf(formats, format) : undefined
    if (format !== undefined && known === undefined) return refuse("this format in a JSON Schema")
    return [
      ...(least === undefined ? [] : [line(draft`ctx.expect([...${subject}].length).toBeAtLeast(${least})`)]),
      ...(most === undefined ? [] : [line(draft`ctx.expect([...${subject}].length).toBeAtMost(${most})`)]),
      ...(pattern === undefined
        ? []
        : [line(draft`ctx.expect(${subject}).toMatch(${patternCode(pattern)})`)]),
      ...(known === undefined ? [] : [line(draft`ctx.expect(${subject}).toMatch(${jsRegExp(known)})`)]),
    ]
  }
}

const textDraft = (text: string): Draft => [{ is: "text", text }]

const names = (value: JsonValue | undefined): readonly string[] =>
  isJsonArray(value)
    ? value.map((one) => (typeof one === "string" ? one : refuse("required in a JSON Schema")))
    : value === undefined
      ? []
      : refuse("required in a JSON Schema")

function limit(schema: JsonObject, keyword: string): Js | undefined {
  const value = member(schema, keyword)
  if (value === undefined) return undefined
  return typeof value === "number" ? numberCode(value) : refuse(`${keyword} in a JSON Schema`)
}

function patternCode(pattern: JsonValue): Js {
  if (typeof pattern !== "string" || hasVariables(pattern)) return refuse("pattern in a JSON Schema")
  try {
    return jsRegExp(new RegExp(pattern))
  } catch {
    return refuse("pattern in a JSON Schema")
  }
}

const typeCodes: Readonly<Record<string, Js>> = {
  array: js`"array"`,
  boolean: js`"boolean"`,
  integer: js`"integer"`,
  null: js`"null"`,
  number: js`"number"`,
  object: js`"object"`,
  string: js`"string"`,
}

const typeCode = (type: string): Js => ownOf(typeCodes, type) ?? refuse("this type")

function typeTest(type: string, subject: Draft): Draft {
  switch (type) {
    case "array":
      return draft`Array.isArray(${subject})`
    case "null":
      return draft`${subject} === null`
    case "integer":
      return draft`Number.isInteger(${subject})`
    case "object":
      return draft`(typeof ${subject} === "object" && ${subject} !== null && !Array.isArray(${subject}))`
    default:
      return draft`typeof ${subject} === ${typeCode(type)}`
  }
}
