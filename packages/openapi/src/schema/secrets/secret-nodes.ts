// The schemas of a document as a graph, asked one question: which of them mark a value as secret, or lead to one that does.

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
  /** Whether a value that it describes is secret, with all that is in it. */
  readonly isMarked: boolean
  readonly links: () => NodeLinks
  /** A base that leaves it to the value to name the schema that describes it. */
  readonly discriminator: Discriminator | undefined
  /** Whether a mark can be reached from it; undefined where nobody has looked, and so it may be. */
  leads: boolean | undefined
}

/** The schemas that a schema leads to, as nodes; undefined stands for one that says nothing (`true`). */
export interface NodeLinks {
  readonly same: readonly MaybeNode[]
  /** Every name that is listed: the others don't describe it. */
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

/** The node of a schema: one for each object of a document. Undefined for schemas that say nothing. */
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

/** A schema so deep inside goes by the place of the one around it: each name would be as long as all steps to it. */
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

/** Where the `mapping` of a discriminator leads, which may be to no schema that is listed beside it. */
function mapped(holder: Part): readonly Part[] {
  const targets = Object.keys(mappingOf(holder)).map((name) => namedSchema(holder, name))
  return [...targets, defaultSchema(holder)].filter((target) => target !== undefined)
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
  const named = [...properties.values(), ...patterns.map(([, node]) => node)]
  for (const node of [...same, ...named, ...otherProperties, ...firstItems, ...otherItems, ...anyItems])
    if (node !== undefined) yield node
}
