// The lists of fields in docs/reference, generated from the shapes that check files.

import {
  baselineShape,
  blockDefinitions,
  blocksShape,
  projectFileShape,
  userFileShape,
  workflowShape,
  type BlockKind,
  type Shape,
} from "@callsheet/format"
import { anyValueFileShape, environmentSchemaShape } from "../../packages/format/src/environment/shapes.ts"
import { savedRequestShape } from "../../packages/format/src/request/check-saved-request.ts"
import type { Field, Rule } from "../../packages/format/src/shape/shape.ts"

type ObjectShape = Extract<Shape, { is: "object" }>
type NumberShape = Extract<Shape, { is: "number" }>

/** The shapes with a list on a page, by the name in its marker. */
const tables: Readonly<Record<string, () => string>> = {
  workflow: () => fieldList(workflowShape),
  input: () => fieldList(valuesOf(fieldOf(workflowShape, "inputs"))),
  block: () => fieldList(only(block("group"), ["id", "description"])),
  request: () => fieldList(asObject(fieldOf(block("request"), "request"))),
  overrides: () => fieldList(asObject(fieldOf(asObject(fieldOf(block("request"), "request")), "overrides"))),
  params: () => fieldList(asObject(fieldOf(savedRequestShape, "params"))),
  assert: () => fieldList(ownFields("assert")),
  assertion: () => fieldList(asObject(fieldOf(block("condition"), "if"))),
  operators: () => valueList(fieldOf(asObject(fieldOf(block("condition"), "if")), "operator")),
  transform: () => fieldList(ownFields("transform")),
  condition: () => fieldList(ownFields("condition")),
  loop: () => fieldList(ownFields("loop")),
  modes: () => valueList(fieldOf(block("loop"), "mode")),
  group: () => fieldList(ownFields("group")),
  script: () => fieldList(ownFields("script")),
  "script-target": () => fieldList(asObject(fieldOf(block("script"), "script"))),
  "saved-request": () => fieldList(savedRequestShape),
  "body-types": () => valueList(fieldOf(savedRequestShape, "bodyType")),
  "environment-schema": () => fieldList(environmentSchemaShape),
  variable: () => fieldList(valuesOf(fieldOf(environmentSchemaShape, "variables"))),
  "environment-values": () => fieldList(anyValueFileShape),
  tls: () => fieldList(asObject(fieldOf(anyValueFileShape, "tls"))),
  project: () => fieldList(projectFileShape),
  defaults: () => fieldList(asObject(fieldOf(projectFileShape, "defaults"))),
  streams: () => fieldList(asObject(fieldOf(projectFileShape, "streams"))),
  suite: () => fieldList(suite()),
  entry: () => fieldList(entry()),
  "user-file": () => fieldList(userFileShape),
  certificate: () => fieldList(itemsOf(fieldOf(userFileShape, "certificates"))),
  resolver: () => fieldList(valuesOf(fieldOf(userFileShape, "resolvers"))),
  "known-finding": () => fieldList(itemsOf(fieldOf(baselineShape, "findings"))),
  "known-violation": () => fieldList(itemsOf(fieldOf(baselineShape, "violations"))),
  levels: () => valueList(fieldOf(anyValueFileShape, "level")),
}

/** Returns the page with every part between `<!--fields:name-->` and `<!--end-->` replaced. */
export function renewTables(page: string): string {
  return page.replaceAll(/<!--fields:([\w-]+)-->[^]*?<!--end-->/g, (_, name: string) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`the table ${name} does not exist`)
    return `<!--fields:${name}-->\n\n${table()}\n\n<!--end-->`
  })
}

/** The names of the tables on a page, and of all existing ones. */
export const tablesIn = (page: string): readonly string[] =>
  [...page.matchAll(/<!--fields:([\w-]+)-->/g)].map(([, name = ""]) => name)
export const tableNames = Object.keys(tables)

function block(kind: BlockKind): ObjectShape {
  return blockDefinitions[kind].shape(blocksShape)
}

const suite = (): ObjectShape => valuesOf(fieldOf(projectFileShape, "suites"))

function entry(): ObjectShape {
  const workflows = fieldOf(suite(), "workflows")
  const forms = workflows.is === "array" ? workflows.items() : workflows
  const object = forms.is === "either" ? forms.of.find(({ is }) => is === "object") : undefined
  return asObject(object ?? forms)
}

const commonFields = ["id", "type", "description"]

const ownFields = (kind: BlockKind): ObjectShape =>
  only(
    block(kind),
    Object.keys(block(kind).fields).filter((name) => !commonFields.includes(name)),
  )

const only = (shape: ObjectShape, names: readonly string[]): ObjectShape => ({
  ...shape,
  fields: Object.fromEntries(Object.entries(shape.fields).filter(([name]) => names.includes(name))),
})

function fieldOf(shape: Shape, name: string): Shape {
  const field = asObject(shape).fields[name]
  if (field === undefined) throw new Error(`the field ${name} does not exist`)
  return field.shape
}

function asObject(shape: Shape): ObjectShape {
  if (shape.is !== "object") throw new Error("no object has fields")
  return shape
}

function valuesOf(shape: Shape): ObjectShape {
  if (shape.is !== "map") throw new Error("no map has values")
  return asObject(shape.values)
}

function itemsOf(shape: Shape): ObjectShape {
  if (shape.is !== "array") throw new Error("no array has items")
  return asObject(shape.items())
}

function fieldList({ fields, rules }: ObjectShape): string {
  return Object.entries(fields)
    .map(([name, field]) => {
      const facts = [typeOf(field.shape), neededBy(name, field, rules)]
        .filter((fact) => fact !== "")
        .join("; ")
      const preset = field.default === undefined ? "" : ` Default \`${JSON.stringify(field.default)}\`.`
      return `- \`${name}\` (${facts}): ${field.summary}${preset}`
    })
    .join("\n")
}

function valueList(shape: Shape): string {
  if (shape.is !== "enum") throw new Error("no enum has values")
  return shape.values.map((value, index) => `- \`${value}\`: ${shape.summaries?.[index] ?? ""}`).join("\n")
}

function typeOf(shape: Shape): string {
  switch (shape.is) {
    case "any":
      return "any"
    case "version":
      return "1"
    case "string":
    case "boolean":
    case "null":
      return shape.is
    case "either":
      return shape.of.map(typeOf).join(", ")
    case "object":
      return "object"
    case "variant":
      return shape.name
    case "scalar":
      return [...shape.types, "null"].join(", ")
    case "enum":
      return shape.values.map((value) => `\`${value}\``).join(", ")
    case "array": {
      const item = shape.items()
      const items = item.is === "either" ? item.of : [item]
      return `array of ${items.map((one) => `${typeOf(one)}s`).join(" and ")}`
    }
    case "map":
      return shape.values.is === "string" ? "string by name" : `${typeOf(shape.values)}, by name`
    case "number":
      return numberType(shape)
  }
}

function numberType({ integer, minimum, exclusiveMinimum }: NumberShape): string {
  const kind = integer === true ? "whole number" : "number"
  if (minimum !== undefined) return `${kind} from ${minimum}`
  return exclusiveMinimum === undefined ? kind : `${kind} above ${exclusiveMinimum}`
}

/** When the field is required: always, with others, instead of others, or never. */
function neededBy(name: string, { required }: Field, rules: readonly Rule[]): string {
  if (required) return "required"
  const reasons = rules.flatMap((rule) => reasonsOf(rule, name))
  return reasons.length === 0 ? "" : reasons.join("; ")
}

function reasonsOf(rule: Rule, name: string): readonly string[] {
  switch (rule.rule) {
    case "exactlyOne":
      return rule.of
        .filter((other) => rule.of.includes(name) && other !== name)
        .map((other) => `this or \`${other}\``)
    case "exactlyOneWith":
      if (name === rule.companion) return [`with \`${rule.of[1]}\``]
      return rule.of
        .filter((other) => rule.of.includes(name) && other !== name)
        .map((other) => `this or \`${other}\``)
    case "anyOf":
      return rule.of
        .filter((other) => rule.of.includes(name) && other !== name)
        .map((other) => `this, \`${other}\` or both`)
    case "byValue": {
      const cases = Object.entries(rule.cases)
      const belonging = cases.filter(([, { requires, allows }]) => [...requires, ...allows].includes(name))
      if (belonging.length === 0) return []
      const needing = cases.filter(([, { requires }]) => requires.includes(name))
      const either = cases.flatMap(([, { exactlyOne = [] }]) =>
        (exactlyOne as readonly string[]).includes(name) ? exactlyOne.filter((other) => other !== name) : [],
      )
      const values = belonging.map(([value]) => `\`${value}\``).join(", ")
      const or = either.map((other) => `, this or \`${other}\``).join("")
      return [needing.length > 0 ? `required in ${values}` : `only in ${values}${or}`]
    }
    case "requiredWhen":
      return rule.field === name ? [`with ${rule.isOneOf.map((value) => `\`${value}\``).join(", ")}`] : []
    case "typedBy":
      return []
  }
}
