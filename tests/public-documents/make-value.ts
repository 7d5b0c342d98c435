// The smallest value that fits a schema: what a careful person would send.

import { isObject, type Raw } from "./raw-document.ts"
import { branchesOf, enumOf, itemsOf, partsOf, propertiesOf, requiredOf, typesOf } from "./schema-parts.ts"

const deepest = 12

/** A request's value: what is `readOnly` is left out. Undefined where the schema goes too deep, or nothing can be said. */
export function makeValue(root: Raw, schema: unknown, depth = 0): unknown {
  const { parts } = partsOf(root, schema, true)
  const allowed = enumOf(parts).find((value) => value !== null)
  if (allowed !== undefined) return literal(allowed)
  switch (typeToMake(parts)) {
    case "object":
      return depth > deepest ? {} : makeObject(root, parts, depth)
    case "array":
      return makeArray(root, parts, depth)
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

function typeToMake(parts: readonly Raw[]): string {
  const types = [...(typesOf(parts) ?? [])]
  const type = types.find((name) => name !== "null") ?? types[0]
  if (type !== undefined) return type
  if (parts.some((part) => "properties" in part || "additionalProperties" in part)) return "object"
  return parts.some((part) => "items" in part) ? "array" : "string"
}

function makeObject(root: Raw, parts: readonly Raw[], depth: number): Raw {
  const properties = propertiesOf(parts)
  // Some documents require what another branch than the first documents.
  const elsewhere = propertiesOf(branchesOf(parts).flatMap((branch) => partsOf(root, branch).parts))
  const made: Record<string, unknown> = {}
  for (const name of requiredOf(parts)) {
    const schemas = properties.get(name) ?? elsewhere.get(name)
    if (schemas === undefined) made[name] = "x"
    else if (!isReadOnly(root, schemas)) made[name] = makeValue(root, { allOf: schemas }, depth + 1)
  }
  return made
}

const isReadOnly = (root: Raw, schemas: readonly unknown[]): boolean =>
  schemas.some((schema) => partsOf(root, schema).parts.some((part) => part["readOnly"] === true))

function makeArray(root: Raw, parts: readonly Raw[], depth: number): readonly unknown[] {
  const items = itemsOf(parts)
  const wanted = highest(parts, "minItems") ?? 0
  if (wanted === 0 || depth > deepest) return []
  const item = makeValue(root, items ?? {}, depth + 1)
  return Array.from({ length: Math.min(wanted, 10) }, () => item)
}

function makeNumber(parts: readonly Raw[]): number {
  const least = highest(parts, "minimum")
  if (least !== undefined) return parts.some((part) => part["exclusiveMinimum"] === true) ? least + 1 : least
  const above = highest(parts, "exclusiveMinimum")
  if (above !== undefined) return above + 1
  const most = parts.map((part) => part["maximum"]).find((value) => typeof value === "number")
  return most === undefined || most >= 1 ? 1 : most
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  email: "ada@example.com",
  uuid: "6f1d1b9e-2f0b-4b57-9d6e-0d5c7c1f6a11",
  uri: "https://example.com/",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
}

function makeText(parts: readonly Raw[]): string {
  const format = parts.map((part) => part["format"]).find((name) => typeof name === "string")
  const text = (format === undefined ? undefined : formats[format]) ?? "x"
  return text.padEnd(Math.min(highest(parts, "minLength") ?? 0, 1000), "x")
}

const highest = (parts: readonly Raw[], keyword: string): number | undefined => {
  const numbers = parts.map((part) => part[keyword]).filter((value) => typeof value === "number")
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

/** A value as a workflow writes it: braces of its own are no token. */
export function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("{{", "\\{{")
  if (Array.isArray(value)) return value.map(literal)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, literal(member)]))
}
