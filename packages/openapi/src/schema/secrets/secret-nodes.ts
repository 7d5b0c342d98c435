// The graph of schemas that mark a value as secret or lead to one that does.

import { getOrCreate, isJsonObject, type JsonObject, once } from "@callsheet/format"
import { type Part, WrittenPart } from "../../document/part.ts"
import {
  defaultSchema,
  type Discriminator,
  discriminatorOf,
  mappingOf,
  namedSchema,
} from "../discriminator.ts"
import { describingSchemas, itemKeywords } from "../schema-graph.ts"

export interface SecretNode {
  readonly id: number
  /** True if the whole value is secret. */
  readonly isMarked: boolean
  readonly links: () => NodeLinks
  /** The discriminator, if the schema is a base and its values name the schema that describes them. */
  readonly discriminator: Discriminator | undefined
  /** True if the schema leads to a mark. Until `survey` has visited it, undefined, which callers must treat as true. */
  leads: boolean | undefined
}

/** The nodes that a schema leads to. Undefined stands for the schema `true`. */
export interface NodeLinks {
  readonly same: readonly MaybeNode[]
  /** The schemas of all listed properties. `otherProperties` applies to all other names. */
  readonly properties: ReadonlyMap<string, MaybeNode>
  readonly patterns: readonly (readonly [pattern: string, schema: MaybeNode])[]
  readonly otherProperties: readonly MaybeNode[]
  readonly firstItems: readonly MaybeNode[]
  readonly otherItems: readonly MaybeNode[]
  readonly anyItems: readonly MaybeNode[]
}

type MaybeNode = SecretNode | undefined

const nodes = new WeakMap<JsonObject, SecretNode>()
let nodeCount = 0

/** Returns the node of a schema, one per object of a document. Undefined for a schema without constraints. */
export function secretNodeOf(schema: Part): MaybeNode {
  const { value } = schema
  if (!isJsonObject(value)) return undefined
  return getOrCreate(nodes, value, () => ({
    id: nodeCount++,
    isMarked: schema.member("format") === "password" || schema.member("writeOnly") === true,
    links: once(() => readLinks(schema)),
    discriminator: discriminatorOf(schema),
    leads: undefined,
  }))
}

/** The maximum length of a name. A deeper schema uses the name of its container. */
const MAX_NAME_LENGTH = 2_000

function readLinks(schema: Part): NodeLinks {
  const { document, pointer } = schema
  const inner = (part: Part): MaybeNode =>
    secretNodeOf(pointer.length > MAX_NAME_LENGTH ? new WrittenPart(document, part.value, pointer) : part)
  const all = (...keywords: readonly string[]) =>
    keywords.flatMap((keyword) => {
      const part = schema.inside(keyword)
      return part === undefined ? [] : [inner(part)]
    })
  const named = (keyword: string) =>
    schema.entries(keyword).map(([name, part]) => [name, inner(part)] as const)
  const { first, other } = itemKeywords(schema.value)
  const same = [...describingSchemas(schema), ...mapped(schema)]
  return {
    properties: new Map(named("properties")),
    patterns: named("patternProperties"),
    otherProperties: all("additionalProperties", "unevaluatedProperties"),
    firstItems: schema.items(first).map(inner),
    otherItems: all(other, "unevaluatedItems"),
    anyItems: all("contains"),
    same: same.map((part) => (part.pointer.startsWith(`${pointer}/`) ? inner(part) : secretNodeOf(part))),
  }
}

/** Returns the targets of a discriminator's `mapping`, which might not be in `oneOf` or `anyOf`. */
function mapped(holder: Part): readonly Part[] {
  const targets = Object.keys(mappingOf(holder)).map((name) => namedSchema(holder, name))
  return [...targets, defaultSchema(holder)].filter((target) => target !== undefined)
}

/** The maximum number of schemas to survey before a response. Others are read when a value reaches them. */
const MAX_SURVEYED = 256

/** Finds which schemas lead to a mark, starting at the roots. Visits each schema of a document once. */
export function survey(roots: readonly SecretNode[]): void {
  const surveyed: SecretNode[] = []
  const leading = new Set<SecretNode>()
  const comingFrom = new Map<SecretNode, SecretNode[]>()
  const seen = new Set(roots)
  // This loop also visits the members that it adds.
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
  const { properties, patterns, ...lists } = links
  const named = [...properties.values(), ...patterns.map(([, node]) => node)]
  for (const node of [named, ...Object.values(lists)].flat()) if (node !== undefined) yield node
}
