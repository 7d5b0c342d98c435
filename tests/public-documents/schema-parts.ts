// A schema as the list of constraints that apply at once: `$ref` and `allOf` expanded, and branches of `oneOf` and
// `anyOf` on request.

import { follow, isObject, listAt, objectAt, type Raw } from "./raw-document.ts"

export interface Parts {
  readonly parts: readonly Raw[]
  /** Some `$ref` doesn't resolve or leads to itself, so nothing is claimed about the schema. */
  readonly broken: boolean
}

/** The parts of a schema. With `choose`, the chosen branch of each `oneOf` and `anyOf` is one of them. */
export function partsOf(root: Raw, schema: unknown, choose?: ChooseBranch): Parts {
  const parts: Raw[] = []
  const waiting: Waiting[] = [{ next: schema }]
  const seen = new Set<unknown>()
  let broken = false
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { next, named = referenceIn(next) } = one
    const found = follow(root, next)
    if (!isObject(found) || seen.has(found)) {
      if (typeof found !== "boolean" && !seen.has(found)) broken = true
      continue
    }
    seen.add(found)
    parts.push(found)
    // From 3.1 on a $ref has siblings.
    if (isObject(next) && "$ref" in next && Object.keys(next).length > 1) parts.push(next)
    const add = (schemas: readonly unknown[]) => waiting.push(...schemas.map((next) => ({ next, named })))
    add(listAt(found, "allOf"))
    if (choose === undefined) continue
    // These parts come before all others, so that they decide about the property.
    parts.unshift(...namedBase(found, named))
    for (const keyword of ["oneOf", "anyOf"]) {
      const branches = listAt(found, keyword)
      if (branches.length === 0) continue
      const branch = branches[choose(branches.length)]
      add([branch, ...namedBranch(found, branch)])
    }
  }
  return { parts, broken }
}

/** Index of the chosen branch, of that many. */
export type ChooseBranch = (count: number) => number

interface Waiting {
  readonly next: unknown
  /** The reference to the whole. */
  readonly named?: string | undefined
}

function referenceIn(schema: unknown): string | undefined {
  const reference = isObject(schema) ? schema["$ref"] : undefined
  return typeof reference === "string" ? reference : undefined
}

/** Returns the schema that the discriminator requires for a value of a branch. */
const namedBranch = (schema: Raw, branch: unknown): readonly Raw[] =>
  discriminatorSchemas(schema, referenceIn(branch))

/** The same for a base that others include by `allOf`: it names the schema that was referenced. */
const namedBase = (schema: Raw, reference: string | undefined): readonly Raw[] =>
  "oneOf" in schema || "anyOf" in schema ? [] : discriminatorSchemas(schema, reference)

function discriminatorSchemas(schema: Raw, reference: string | undefined): readonly Raw[] {
  const discriminator = objectAt(schema, "discriminator")
  const property = schema["discriminator"] === undefined ? undefined : propertyOf(schema["discriminator"])
  if (property === undefined || reference === undefined) return []
  const name = reference.slice(reference.lastIndexOf("/") + 1)
  const mapped = Object.entries(objectAt(discriminator, "mapping")).find(
    ([, target]) => target === reference || target === name,
  )
  return [{ required: [property], properties: { [property]: { const: mapped?.[0] ?? name } } }]
}

/** Swagger 2.0 has only the name. */
function propertyOf(discriminator: unknown): string | undefined {
  const name = isObject(discriminator) ? discriminator["propertyName"] : discriminator
  return typeof name === "string" ? name : undefined
}

export const branchesOf = (parts: readonly Raw[]): readonly unknown[] =>
  parts.flatMap((part) => [...listAt(part, "oneOf"), ...listAt(part, "anyOf")])

export const isBranched = (parts: readonly Raw[]): boolean =>
  parts.some((part) => ["oneOf", "anyOf", "if", "not", "dependentSchemas"].some((key) => key in part))

/** The types that all parts allow, or undefined if none states one. */
export function typesOf(parts: readonly Raw[]): ReadonlySet<string> | undefined {
  let types: ReadonlySet<string> | undefined
  for (const part of parts) {
    const own = typeof part["type"] === "string" ? [part["type"]] : listAt(part, "type").map(String)
    if (own.length === 0) continue
    types = new Set(types === undefined ? own : [...types].filter((type) => own.includes(type)))
  }
  if (types !== undefined && parts.some((part) => part["nullable"] === true))
    types = new Set([...types, "null"])
  return types
}

export const allows = (parts: readonly Raw[], type: string): boolean => typesOf(parts)?.has(type) ?? true

/** Every documented property with its schemas. One name may be in several parts. */
export function propertiesOf(parts: readonly Raw[]): ReadonlyMap<string, readonly unknown[]> {
  const properties = new Map<string, unknown[]>()
  for (const part of parts) {
    for (const [name, schema] of Object.entries(objectAt(part, "properties"))) {
      const schemas = properties.get(name)
      if (schemas === undefined) properties.set(name, [schema])
      else schemas.push(schema)
    }
  }
  return properties
}

export const requiredOf = (parts: readonly Raw[]): readonly string[] => [
  ...new Set(parts.flatMap((part) => listAt(part, "required")).filter((name) => typeof name === "string")),
]

/** A matching object has only documented properties. */
export const isClosed = (parts: readonly Raw[]): boolean =>
  parts.some((part) => part["additionalProperties"] === false || part["unevaluatedProperties"] === false)

/** Some part allows further properties explicitly. */
export const isOpen = (parts: readonly Raw[]): boolean =>
  parts.some(
    (part) =>
      part["additionalProperties"] === true ||
      isObject(part["additionalProperties"]) ||
      "patternProperties" in part ||
      "unevaluatedProperties" in part,
  )

export const itemsOf = (parts: readonly Raw[]): unknown => parts.find((part) => "items" in part)?.["items"]

/** The values that all parts allow, or those of the first part if they contradict each other. */
export function enumOf(parts: readonly Raw[]): readonly unknown[] {
  let values: readonly unknown[] = []
  for (const part of parts) {
    const own = "const" in part ? [part["const"]] : listAt(part, "enum")
    const common = values.filter((value) => own.includes(value))
    if (values.length === 0) values = own
    else if (common.length > 0) values = common
  }
  return values
}
