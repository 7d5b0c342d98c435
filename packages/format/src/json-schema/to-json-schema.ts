// Converts a shape to a JSON Schema (draft 2020-12) for editors and other tools. Rules between fields become
// conditions. Adds VS Code keywords (`markdownDescription`, `errorMessage`, ...), which other tools ignore.

import { ownOf, type JsonObject, type JsonValue } from "../json/value.ts"
import type { Field, ObjectShape, OtherKeys, Rule, Shape, TextPattern, VariantShape } from "../shape/shape.ts"

type Definitions = Map<string, JsonObject>

export function toJsonSchema(
  shape: Shape,
  head: { readonly $id: string; readonly title: string; readonly description: string },
): JsonObject {
  const definitions: Definitions = new Map()
  const root = schemaOf(shape, definitions)
  const $defs = definitions.size === 0 ? undefined : Object.fromEntries(definitions)
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...head, ...root, ...given({ $defs }) }
}

const given = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonValue] => member[1] !== undefined),
  )

function schemaOf(shape: Shape, definitions: Definitions): JsonObject {
  switch (shape.is) {
    case "any":
      return {}
    case "boolean":
      return { type: "boolean" }
    case "null":
      return { type: "null" }
    case "either":
      return { anyOf: shape.of.map((one) => schemaOf(one, definitions)) }
    case "version":
      return { const: 1 }
    case "string":
      return { type: "string", ...patternOf(shape.check ?? shape.editorPattern) }
    case "scalar":
      return { type: [...shape.types, "null"] }
    case "number": {
      const { integer, minimum, exclusiveMinimum, maximum } = shape
      const type = integer === true ? "integer" : "number"
      return { type, ...given({ minimum, exclusiveMinimum, maximum }) }
    }
    case "enum":
      // Omits `type`, because editors would report a value of another type twice.
      return { enum: shape.values, ...summariesOf(shape.summaries) }
    case "array":
      return { type: "array", items: schemaOf(shape.items(), definitions) }
    case "map":
      return {
        type: "object",
        additionalProperties: schemaOf(shape.values, definitions),
        ...given({ propertyNames: shape.checkKey && { type: "string", ...patternOf(shape.checkKey) } }),
      }
    case "object":
      return shape.name === undefined
        ? objectSchema(shape, definitions)
        : defined(shape.name, definitions, () => objectSchema(shape, definitions))
    case "variant":
      return variantReference(shape, definitions)
  }
}

/** References a definition, which is built once. Reserves its name first, because a shape may contain itself. */
function defined(name: string, definitions: Definitions, build: () => JsonObject): JsonObject {
  if (!definitions.has(name)) {
    definitions.set(name, {})
    definitions.set(name, build())
  }
  return { $ref: `#/$defs/${name}` }
}

const patternOf = ({ pattern, expected }: TextPattern = {}): JsonObject =>
  given({ pattern, patternErrorMessage: expected && `expected ${expected}` })

const summariesOf = (summaries: readonly string[] | undefined): JsonObject =>
  given({
    enumDescriptions: summaries?.map(withoutMarkup),
    markdownEnumDescriptions: summaries?.some(hasMarkup) ? summaries : undefined,
  })

function objectSchema(shape: ObjectShape, definitions: Definitions): JsonObject {
  const fields = Object.entries(shape.fields)
  const required = fields.filter(([, field]) => field.required).map(([name]) => name)
  const conditions = shape.rules.flatMap((rule) => conditionsOf[rule.rule](rule as never))
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field, definitions)])),
    ...given({ required: required.length === 0 ? undefined : required }),
    ...otherKeys(shape.others, definitions),
    ...given({ allOf: conditions.length === 0 ? undefined : conditions }),
  }
}

function fieldSchema(field: Field, definitions: Definitions): JsonObject {
  const { shape, summary, deprecated } = field
  return {
    ...(summary === "" ? {} : describe(summary)),
    ...schemaOf(shape, definitions),
    ...given({ default: field.default }),
    ...(deprecated && { deprecated: true, deprecationMessage: deprecated, doNotSuggest: true }),
  }
}

const hasMarkup = (text: string): boolean => text.includes("`")
const withoutMarkup = (text: string): string => text.replaceAll("`", "")

const describe = (summary: string): JsonObject =>
  given({
    description: withoutMarkup(summary),
    markdownDescription: hasMarkup(summary) ? summary : undefined,
  })

function otherKeys(others: OtherKeys | undefined, definitions: Definitions): JsonObject {
  if (others === undefined || others.are === "refused") return { additionalProperties: false }
  if (others.are === "ignored") return { additionalProperties: true }
  const values = {
    ...(others.summary === "" ? {} : describe(others.summary)),
    ...schemaOf(others.shape, definitions),
  }
  return others.checkKey?.pattern === undefined
    ? { additionalProperties: values }
    : { patternProperties: { [others.checkKey.pattern]: values }, additionalProperties: false }
}

/** References a variant shape. The tag selects a single definition, so that editors report a wrong field once. */
function variantReference(shape: VariantShape, definitions: Definitions): JsonObject {
  const { name, tag, variants, summaries } = shape
  return defined(name, definitions, () => {
    for (const [kind, variant] of Object.entries(variants)) {
      const { properties, ...own } = objectSchema(variant, definitions)
      definitions.set(definitionName(name, kind), {
        ...describe(ownOf(summaries, kind) ?? ""),
        ...own,
        // Omits the tag's description, because editors show the one in the choice schema.
        properties: { ...(properties as JsonObject), [tag]: { const: kind } },
      })
    }
    return choiceSchema(shape, definitions)
  })
}

/** Builds the schema that applies until a tag is given: the shared fields, and every tag with its description. */
function choiceSchema(
  { name, tag, variants, summaries }: VariantShape,
  definitions: Definitions,
): JsonObject {
  const kinds = Object.keys(variants)
  const [first, ...others] = Object.values(variants)
  const common = Object.entries(first?.fields ?? {}).filter(([field]) =>
    others.every(({ fields }) => Object.hasOwn(fields, field)),
  )
  const properties = common.map(
    ([field, definition]) => [field, fieldSchema(definition, definitions)] as const,
  )
  const tags = { enum: kinds, ...summariesOf(kinds.map((kind) => ownOf(summaries, kind) ?? "")) }
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(properties),
      [tag]: { ...describe(ownOf(first?.fields, tag)?.summary ?? ""), ...tags },
    },
    required: [tag],
    allOf: kinds.map((kind) => ({
      if: { properties: { [tag]: { const: kind } }, required: [tag] },
      then: { $ref: `#/$defs/${definitionName(name, kind)}` },
    })),
    defaultSnippets: Object.entries(variants).map(([kind, variant]) => ({
      label: `${kind} ${name}`,
      description: withoutMarkup(ownOf(summaries, kind) ?? ""),
      body: snippetOf(variant),
    })),
  }
}

const definitionName = (name: string, kind: string): string =>
  `${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`

type RuleOf<R extends Rule["rule"]> = Extract<Rule, { rule: R }>

const conditionsOf: { readonly [R in Rule["rule"]]: (rule: RuleOf<R>) => readonly JsonObject[] } = {
  exactlyOne: ({ of }) => [exactlyOne(of)],
  exactlyOneWith: ({ of: [first, second], companion, because }) => [
    {
      if: has([second]),
      then: shut([first], `give either "${first}" or "${second}"`, [companion]),
      else: shut([companion], `"${companion}" belongs to "${second}"; ${because}`, [first]),
    },
  ],
  anyOf: ({ of }) => [{ anyOf: of.map((field) => has([field])) }],
  byValue: ({ field, cases }) => {
    const owned = new Set(Object.values(cases).flatMap(({ requires, allows }) => [...requires, ...allows]))
    return Object.entries(cases).map(([value, { requires, allows, exactlyOne: of }]) => {
      const foreign = [...owned].filter((other) => !requires.includes(other) && !allows.includes(other))
      return {
        if: hasValue(field, [value]),
        then: {
          ...shut(foreign, `this field does not belong to "${field}": "${value}"`, requires),
          ...(of === undefined ? {} : { allOf: [exactlyOne(of)] }),
        },
      }
    })
  },
  typedBy: ({ field, by, types }) =>
    types.map((type) => ({
      if: hasValue(by, [type]),
      then: { properties: { [field]: { type: [type, "null"] } } },
    })),
  requiredWhen: ({ field, when, isOneOf }) => [{ if: hasValue(when, isOneOf), then: has([field]) }],
}

// Avoids `oneOf`: if both fields are given, its message says only that several schemas match.
const exactlyOne = ([first, second]: readonly [string, string]): JsonObject => ({
  if: has([second]),
  then: shut([first], `give either "${first}" or "${second}"`),
  else: has([first]),
})

// Lists the fields under `properties` too, because a strict validator rejects a `required` name that isn't defined
// there.
const has = (fields: readonly string[]): JsonObject => ({
  properties: Object.fromEntries(fields.map((field) => [field, true])),
  required: fields,
})

const shut = (
  fields: readonly string[],
  errorMessage: string,
  required: readonly string[] = [],
): JsonObject => ({
  properties: Object.fromEntries([
    ...fields.map((field) => [field, false] as const),
    ...required.map((field) => [field, true] as const),
  ]),
  ...(required.length === 0 ? {} : { required }),
  errorMessage,
})

const hasValue = (field: string, values: readonly string[]): JsonObject => ({
  properties: { [field]: anyOfThese(values) },
  required: [field],
})

function anyOfThese(values: readonly string[]): JsonObject {
  const [only, ...others] = values
  return only === undefined || others.length > 0 ? { enum: values } : { const: only }
}

/** Returns a sample value of the shape. Its strings are the tab stops `$1`, `$2` and so on, in field order. */
export function snippetOf(shape: ObjectShape): JsonObject {
  let stops = 0
  const valueOf = (inner: Shape): JsonValue => {
    switch (inner.is) {
      case "object":
        return objectOf(inner)
      case "enum":
        return inner.values[0] ?? ""
      case "array": {
        const item = inner.items()
        return item.is === "object" ? [objectOf(item)] : []
      }
      case "variant":
        return []
      case "map":
        return {}
      case "number":
        return inner.minimum ?? 0
      case "boolean":
        return true
      case "version":
        return 1
      case "null":
        return null
      case "either":
      case "any":
      case "scalar":
      case "string":
        return `$${++stops}`
    }
  }
  const objectOf = ({ fields, rules }: ObjectShape): JsonObject => {
    const wanted = new Set(rules.flatMap((rule) => wantedBy(rule, fields)))
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([name, field]) => field.required || wanted.has(name))
        .map(([name, field]) => [name, valueOf(field.shape)]),
    )
  }
  return objectOf(shape)
}

function wantedBy(rule: Rule, fields: ObjectShape["fields"]): readonly string[] {
  switch (rule.rule) {
    case "exactlyOne":
    case "exactlyOneWith":
    case "anyOf":
      return rule.of.slice(0, 1)
    case "byValue": {
      const shape = ownOf(fields, rule.field)?.shape
      const value = shape?.is === "enum" ? (shape.values[0] ?? "") : ""
      const { requires = [], exactlyOne = [] } = ownOf(rule.cases, value) ?? {}
      return [...requires, ...exactlyOne.slice(0, 1)]
    }
    case "requiredWhen":
      return [rule.field]
    case "typedBy":
      return []
  }
}
