// The schema graph for one question: which schemas mark a value as secret, or lead to one that does.

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
  /** True if the whole value it describes is secret. */
  readonly isMarked: boolean
  readonly links: () => NodeLinks
  /** Present on a base whose value names the schema that describes it. */
  readonly discriminator: Discriminator | undefined
  /** True if a mark can be reached from it. Undefined if not yet surveyed, so it has to be assumed. */
  leads: boolean | undefined
}

/** The schemas that a schema leads to, as nodes; undefined stands for one without constraints (`true`). */
export interface NodeLinks {
  readonly same: readonly MaybeNode[]
  /** Every listed name, so that `otherProperties` can exclude them. */
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

/** A deeper schema is named by its container: a name would otherwise grow with every step. */
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

/** Returns the targets of a discriminator's `mapping`, which may not be listed beside it. */
function mapped(holder: Part): readonly Part[] {
  const targets = Object.keys(mappingOf(holder)).map((name) => namedSchema(holder, name))
  return [...targets, defaultSchema(holder)].filter((target) => target !== undefined)
}

/** Limits the schemas surveyed before a response. The rest are read when values reach them. */
const MAX_SURVEYED = 256

/** Decides which schemas reachable from the roots lead to a mark. Each schema of a document is visited once. */
export function survey(roots: readonly SecretNode[]): void {
  const surveyed: SecretNode[] = []
  const leading = new Set<SecretNode>()
  const comingFrom = new Map<SecretNode, SecretNode[]>()
  const seen = new Set(roots)
  // A set's iterator also visits items that are added during the loop.
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
