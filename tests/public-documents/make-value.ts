// A value that matches a schema: by default the smallest one that a careful user would send.

import { isObject, objectAt, type Raw } from "./raw-document.ts"
import { makeText } from "./make-text.ts"
import {
  branchesOf,
  enumOf,
  isClosed,
  itemsOf,
  partsOf,
  propertiesOf,
  requiredOf,
  typesOf,
  type ChooseBranch,
} from "./schema-parts.ts"

export interface ValueOptions {
  /** A request omits `readOnly` properties, a response `writeOnly` ones. */
  readonly direction: "request" | "response"
  /** Generates optional parts up to this depth. */
  readonly isWanted: (depth: number) => boolean
  readonly choose: ChooseBranch
}

const careful: ValueOptions = { direction: "request", isWanted: () => false, choose: () => 0 }

const deepest = 12

interface Making {
  readonly root: Raw
  readonly options: ValueOptions
  readonly depth: number
}

/** If a schema contains more than types, bounds and branches, a validator must decide whether the value is valid. */
export const makeValue = (root: Raw, schema: unknown, options = careful): unknown =>
  make({ root, options, depth: 0 }, schema)

function make(making: Making, schema: unknown): unknown {
  const { root, options, depth } = making
  const { parts } = partsOf(root, schema, options.choose)
  const allowed = enumOf(parts).find((value) => value !== null)
  if (allowed !== undefined) return options.direction === "request" ? literal(allowed) : allowed
  switch (typeToMake(parts)) {
    case "object":
      return depth > deepest ? {} : makeObject(making, parts)
    case "array":
      return makeArray(making, parts)
    case "integer":
    case "number":
      return makeNumber(parts)
    case "boolean":
      return true
    case "null":
      return null
    default:
      return makeText(parts)
  }
}

const inside = (making: Making): Making => ({ ...making, depth: making.depth + 1 })

function typeToMake(parts: readonly Raw[]): string {
  const types = [...(typesOf(parts) ?? [])]
  const type = types.find((name) => name !== "null") ?? types[0]
  if (type !== undefined) return type
  if (parts.some((part) => "properties" in part || "additionalProperties" in part)) return "object"
  return parts.some((part) => "items" in part) ? "array" : "string"
}

function makeObject(making: Making, parts: readonly Raw[]): Raw {
  const { root, options, depth } = making
  const properties = propertiesOf(parts)
  // Some documents require properties that another branch than the first documents.
  const elsewhere = propertiesOf(branchesOf(parts).flatMap((branch) => partsOf(root, branch).parts))
  const required = requiredOf(parts)
  const isAllowed = (name: string) => parts.every((part) => !isClosed([part]) || nameable(part, name))
  const wanted = [...properties.keys()].filter(
    (name) => !required.includes(name) && isAllowed(name) && options.isWanted(depth),
  )
  const made: [string, unknown][] = []
  for (const name of [...required, ...wanted]) {
    const schemas = properties.get(name) ?? elsewhere.get(name)
    if (schemas === undefined) made.push([name, "x"])
    else if (!isLeftOut(making, schemas)) made.push([name, make(inside(making), { allOf: schemas })])
  }
  const missing = (highest(parts, "minProperties") ?? (options.isWanted(depth) ? 1 : 0)) - made.length
  return Object.fromEntries([...made, ...makeFurther(making, parts, missing)])
}

/** Parallel parts that allow only their own properties have few in common. */
const nameable = (part: Raw, name: string): boolean =>
  part["additionalProperties"] !== false || Object.hasOwn(objectAt(part, "properties"), name)

const isLeftOut = ({ root, options }: Making, schemas: readonly unknown[]): boolean => {
  const parts = schemas.flatMap((schema) => partsOf(root, schema).parts)
  const isReadOnly = parts.some((part) => part["readOnly"] === true)
  return options.direction === "request"
    ? isReadOnly
    : !isReadOnly && parts.some((part) => part["writeOnly"] === true)
}

/** Properties that no part lists. */
function makeFurther(making: Making, parts: readonly Raw[], count: number): [string, unknown][] {
  if (count <= 0 || isClosed(parts)) return []
  const schema = parts.map((part) => part["additionalProperties"]).find(isObject)
  if (schema === undefined && highest(parts, "minProperties") === undefined) return []
  return Array.from({ length: Math.min(count, 10) }, (_, index) => [
    `key${index}`,
    make(inside(making), schema ?? {}),
  ])
}

function makeArray(making: Making, parts: readonly Raw[]): readonly unknown[] {
  const { options, depth } = making
  const least = highest(parts, "minItems") ?? 0
  const count = Math.min(options.isWanted(depth) ? Math.max(least, 1) : least, 10)
  const most = parts.map((part) => part["maxItems"]).find((value) => typeof value === "number")
  if (count === 0 || most === 0 || depth > deepest) return []
  const item = make(inside(making), itemsOf(parts) ?? {})
  return Array.from({ length: count }, () => item)
}

function makeNumber(parts: readonly Raw[]): number {
  const unit = highest(parts, "multipleOf")
  const least = highest(parts, "minimum")
  const isExclusive = parts.some((part) => part["exclusiveMinimum"] === true)
  const above = highest(parts, "exclusiveMinimum") ?? (isExclusive ? least : undefined)
  const most = parts.map((part) => part["maximum"]).find((value) => typeof value === "number")
  const plain = above !== undefined ? above + 1 : (least ?? (most === undefined || most >= 1 ? 1 : most))
  return unit === undefined ? plain : Math.ceil(plain / unit) * unit
}

export const highest = (parts: readonly Raw[], keyword: string): number | undefined => {
  const numbers = parts.map((part) => part[keyword]).filter((value) => typeof value === "number")
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

/** A value in a workflow: its own braces are not tokens. */
export function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("{{", "\\{{")
  if (Array.isArray(value)) return value.map(literal)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literal(member)]))
}
