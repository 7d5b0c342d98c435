// The schemas of a document as a graph, asked one question: which of them mark a value as secret, or lead to one that does.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { type OpenApiDocument, resolveReference } from "../../document/document.ts"
import { inside, listMember, type Located, member, objectMember, textMember } from "../../document/located.ts"
import { getOrCreate, once } from "../../document/memo.ts"
import { defaultSchema, type Discriminator, discriminatorOf, namedSchema } from "../discriminator.ts"

export interface SecretNode {
  readonly id: number
  /** Whether a value that it describes is secret, with all that is in it. */
  readonly isMarked: boolean
  /** Read when first asked for. */
  readonly links: () => NodeLinks
  /** A base that leaves it to the value to name the schema that describes it. */
  readonly discriminator: Discriminator | undefined
  /** Whether a mark can be reached from it; undefined where nobody has looked, and so it may be. */
  leads: boolean | undefined
}

/** The schemas that a schema leads to; those that say nothing (`true`) are left out, where their place is of no account. */
export interface NodeLinks {
  /** They speak of the same value, or may do so. */
  readonly same: readonly SecretNode[]
  /** Every name that is listed: it is not among the others. */
  readonly properties: ReadonlyMap<string, SecretNode | undefined>
  readonly patterns: readonly (readonly [pattern: string, node: SecretNode | undefined])[]
  readonly otherProperties: readonly SecretNode[]
  /** The first items, one by one. */
  readonly firstItems: readonly (SecretNode | undefined)[]
  readonly otherItems: readonly SecretNode[]
  readonly anyItems: readonly SecretNode[]
}

export interface SecretNodes {
  /** The node of a schema: one for each object of the document. Undefined for schemas that say nothing. */
  readonly at: (schema: Located) => SecretNode | undefined
  /** The schema that a value of its discriminator's property names. */
  readonly named: (discriminator: Discriminator, name: string) => SecretNode | undefined
}

export function createSecretNodes(document: OpenApiDocument): SecretNodes {
  const nodes = new Map<JsonObject, SecretNode>()
  const at: SecretNodes["at"] = (schema) => {
    const { value } = schema
    if (!isJsonObject(value)) return undefined
    return getOrCreate(nodes, value, () => ({
      id: nodes.size,
      isMarked: member(value, "format") === "password" || member(value, "writeOnly") === true,
      links: once(() => readLinks(document, schema, at)),
      discriminator: discriminatorOf(schema),
      leads: undefined,
    }))
  }
  return { at, named: (discriminator, name) => optional(namedSchema(document, discriminator, name), at) }
}

const optional = (schema: Located | undefined, at: SecretNodes["at"]): SecretNode | undefined =>
  schema === undefined ? undefined : at(schema)

function readLinks(document: OpenApiDocument, schema: Located, at: SecretNodes["at"]): NodeLinks {
  const { value } = schema
  const one = (...keys: readonly (string | number)[]): SecretNode | undefined =>
    optional(partOf(schema, keys), at)
  const all = (...keywords: readonly string[]): readonly SecretNode[] =>
    known(keywords.map((keyword) => one(keyword)))
  const list = (keyword: string): readonly (SecretNode | undefined)[] =>
    listMember(value, keyword).map((_, index) => one(keyword, index))
  const named = (keyword: string): readonly (readonly [string, SecretNode | undefined])[] =>
    Object.keys(objectMember(value, keyword) ?? {}).map((name) => [name, one(keyword, name)])
  // Before 2020-12 a list of schemas stood in `items`.
  const isTuple = isJsonArray(member(value, "items"))
  return {
    same: known([
      ...references.map((keyword) => referenced(document, schema, { keyword, at })),
      ...["allOf", "anyOf", "oneOf"].flatMap(list),
      ...all("if", "then", "else"),
      ...named("dependentSchemas").map(([, node]) => node),
      ...mapped(document, schema).map((target) => optional(target, at)),
    ]),
    properties: new Map(named("properties")),
    patterns: named("patternProperties"),
    otherProperties: all("additionalProperties", "unevaluatedProperties"),
    firstItems: list(isTuple ? "items" : "prefixItems"),
    otherItems: all(isTuple ? "additionalItems" : "items", "unevaluatedItems"),
    anyItems: all("contains"),
  }
}

/**
 * Of a reference its place tells the file, and the schemas around it that have addresses of their own. What stands so deep
 * inside takes the place of what it stands in: each name would be as long as all steps to it.
 */
const MAX_NAME_LENGTH = 2_000

function partOf(schema: Located, keys: readonly (string | number)[]): Located | undefined {
  const part = inside(schema, ...keys)
  const isTooLong = part !== undefined && schema.pointer.length > MAX_NAME_LENGTH
  return isTooLong ? { value: part.value, pointer: schema.pointer } : part
}

const references = ["$ref", "$dynamicRef", "$recursiveRef"] as const

const known = (nodes: readonly (SecretNode | undefined)[]): readonly SecretNode[] =>
  nodes.filter((node) => node !== undefined)

function referenced(
  document: OpenApiDocument,
  { value, pointer }: Located,
  { keyword, at }: { readonly keyword: string; readonly at: SecretNodes["at"] },
): SecretNode | undefined {
  const reference = textMember(value, keyword)
  return reference === undefined ? undefined : optional(resolveReference(document, reference, pointer), at)
}

/** Where the `mapping` of a discriminator leads, which may be to no schema that is listed beside it. */
function mapped(document: OpenApiDocument, holder: Located): readonly (Located | undefined)[] {
  const discriminator: JsonValue | undefined = member(holder.value, "discriminator")
  if (discriminator === undefined) return []
  const property = textMember(discriminator, "propertyName") ?? ""
  const names = Object.keys(objectMember(discriminator, "mapping") ?? {})
  return [
    ...names.map((name) => namedSchema(document, { property, holder }, name)),
    defaultSchema(document, { holder }),
  ]
}

/** So many schemas are looked at before a response is; beyond them what the values lead to is read as they come. */
const MAX_SURVEYED = 256

/** Decides which of the schemas that the roots lead to lead to a mark. Each schema of a document is looked at once. */
export function survey(roots: readonly SecretNode[]): void {
  const surveyed: SecretNode[] = []
  const leading = new Set<SecretNode>()
  const comingFrom = new Map<SecretNode, SecretNode[]>()
  const seen = new Set(roots)
  // A set gives what is added to it while it is gone through.
  for (const node of seen) {
    if (node.leads === false) continue
    const isUnknown = node.leads === undefined && surveyed.length < MAX_SURVEYED
    if (isUnknown) surveyed.push(node)
    if (!isUnknown || node.isMarked || node.discriminator !== undefined) {
      leading.add(node)
      continue
    }
    for (const next of nextNodes(node.links())) {
      seen.add(next)
      getOrCreate(comingFrom, next, () => []).push(node)
    }
  }
  for (const node of leading) for (const from of comingFrom.get(node) ?? []) leading.add(from)
  for (const node of surveyed) node.leads = leading.has(node)
}

function* nextNodes(links: NodeLinks): Generator<SecretNode> {
  const { properties, patterns, same, otherProperties, firstItems, otherItems, anyItems } = links
  yield* same
  for (const node of properties.values()) if (node !== undefined) yield node
  for (const [, node] of patterns) if (node !== undefined) yield node
  for (const node of firstItems) if (node !== undefined) yield node
  yield* otherProperties
  yield* otherItems
  yield* anyItems
}
