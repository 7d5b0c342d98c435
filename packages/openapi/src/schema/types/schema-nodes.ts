// The graph of schemas for types: the keywords of each schema, and the other schemas of the same value.

import { getOrCreate, isJsonObject, type JsonObject, once } from "@callsheet/format"
import { MAX_HOPS, type Part, WrittenPart } from "../../document/part.ts"
import { extendersOf, isNullable } from "../schema-graph.ts"

export interface SchemaNode {
  readonly id: number
  /** The schema's location. Undefined for a combination of schemas and for the unknown schema. */
  readonly part: Part | undefined
  /** The keywords that types depend on. Undefined for the unknown schema. An empty schema has an empty object. */
  readonly schema: JsonObject | boolean | undefined
  /** Returns the other schemas of the same value, found on first use. */
  readonly parts: () => readonly SchemaPart[]
}

interface SchemaPart {
  /**
   * When the schemas apply: all of them, at least one, one under conditions, or perhaps one that extends this schema.
   */
  readonly joins: "all" | "any" | "condition" | "extension"
  readonly nodes: readonly SchemaNode[]
}

export interface SchemaNodes {
  /** Returns the node of a schema. Every reference to a location returns the same node. */
  readonly at: (schema: Part) => SchemaNode
  /** Returns the combination of schemas that all apply, always the same node for the same schemas. */
  readonly meet: (nodes: readonly SchemaNode[]) => SchemaNode
  /** The schema that allows any value. */
  readonly anything: SchemaNode
  /** The schema about which nothing is known, such as the target of a broken reference. */
  readonly unknown: SchemaNode
}

/** The maximum number of schemas to combine. A larger combination is unknown. */
const MAX_MEMBERS = 50

export function createSchemaNodes(): SchemaNodes {
  const byPointer = new Map<string, SchemaNode>()
  const meetings = new Map<string, SchemaNode>()
  const membersOf = new Map<SchemaNode, readonly SchemaNode[]>()
  let count = 0
  const create = (
    schema: SchemaNode["schema"],
    parts: SchemaNode["parts"] = () => [],
    part?: Part,
  ): SchemaNode => ({ id: count++, part, schema, parts: once(parts) })
  const anything = create(true)
  const unknown = create(undefined)

  const createAt = (part: Part): SchemaNode => {
    const { document, value, pointer } = part
    if (typeof value !== "boolean" && !isJsonObject(value)) return unknown
    if (value === true || (value !== false && !Object.keys(value).some((key) => knownKeywords.has(key))))
      return anything
    const isReference = part.text("$ref") !== undefined && part.isOld
    const schema = isReference ? (isNullable(value) ? { nullable: true } : true) : value
    return create(schema, () => partsOf(nodes, part), new WrittenPart(document, schema, pointer))
  }

  const at = (schema: Part): SchemaNode => {
    const end = followBareReferences(schema)
    if (end === undefined) return unknown
    return getOrCreate(byPointer, end.pointer, () => createAt(end))
  }

  const meet = (met: readonly SchemaNode[]): SchemaNode => {
    const members = [...new Set(met.flatMap((node) => membersOf.get(node) ?? [node]))]
      .filter((node) => node !== anything)
      .sort((a, b) => a.id - b.id)
    if (members.length < 2) return members[0] ?? anything
    if (members.length > MAX_MEMBERS) return unknown
    const key = members.map(({ id }) => id).join(" ")
    return getOrCreate(meetings, key, () => {
      const node = create(true, () => [{ joins: "all", nodes: members }])
      membersOf.set(node, members)
      return node
    })
  }

  const nodes: SchemaNodes = { at, meet, anything, unknown }
  return nodes
}

const structural = [
  "properties patternProperties additionalProperties unevaluatedProperties propertyNames items prefixItems",
  "allOf anyOf oneOf if dependentSchemas discriminator $dynamicRef $recursiveRef",
].flatMap((keywords) => keywords.split(" "))

/** The keywords that types depend on. A schema without any of them allows any value. */
const knownKeywords: ReadonlySet<string> = new Set([
  ...structural,
  ..."$ref type enum const nullable x-nullable required".split(" "),
])

/** Follows references without siblings to the end, so that a recursive type has only one node. */
function followBareReferences(schema: Part): Part | undefined {
  const counts = (key: string) => knownKeywords.has(key) && !(schema.isOld && ignoredBesideReference.has(key))
  let here = schema
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (here.text("$ref") === undefined) return here
    if (Object.keys(here.value as JsonObject).some((key) => key !== "$ref" && counts(key))) return here
    const next = here.reference()
    if (next === undefined || next === "broken") return undefined
    here = next
  }
  return undefined
}

/** Keywords beside a `$ref` that are ignored (OpenAPI 3.0.4 section 4.7.23.2) and don't describe parts. */
const ignoredBesideReference: ReadonlySet<string> = new Set(["type", "enum", "const", "required"])

function partsOf(nodes: SchemaNodes, schema: Part): readonly SchemaPart[] {
  const parts: SchemaPart[] = []
  const add = (joins: SchemaPart["joins"], joined: readonly SchemaNode[]): void => {
    if (joined.length > 0) parts.push({ joins, nodes: joined })
  }
  const target = schema.reference()
  if (target !== undefined) add("all", [target === "broken" ? nodes.unknown : nodes.at(target)])
  if (target !== undefined && schema.isOld) {
    // 3.0 ignores the keywords beside a `$ref`, but authors expect an effect, so other parts may exist too.
    if (structural.some((key) => schema.member(key) !== undefined)) add("all", [nodes.unknown])
    return parts
  }
  // The target of a dynamic reference depends on the path to it.
  if (schema.member("$dynamicRef") !== undefined || schema.member("$recursiveRef") !== undefined)
    add("all", [nodes.unknown])
  add("all", schema.items("allOf").map(nodes.at))
  for (const keyword of ["anyOf", "oneOf"]) add("any", schema.items(keyword).map(nodes.at))
  add("condition", conditional(nodes, schema))
  for (const [, part] of schema.entries("dependentSchemas"))
    add("condition", [nodes.at(part), nodes.anything])
  if (isExtended(schema)) parts.push({ joins: "extension", nodes: extendersOf(schema).map(nodes.at) })
  return parts
}

/** Returns whether a schema's discriminator selects from the schemas that include it by `allOf`. */
const isExtended = (schema: Part): boolean =>
  schema.member("discriminator") !== undefined &&
  schema.list("oneOf").length === 0 &&
  schema.list("anyOf").length === 0

function conditional(nodes: SchemaNodes, schema: Part): readonly SchemaNode[] {
  if (schema.member("if") === undefined) return []
  const at = (keyword: string): SchemaNode => {
    const part = schema.inside(keyword)
    return part === undefined ? nodes.anything : nodes.at(part)
  }
  return [nodes.meet([at("if"), at("then")]), at("else")]
}

export interface Branch<R> {
  readonly node: SchemaNode
  readonly result: R
}

/** A question about schemas: how the keywords of one schema answer it, and how to combine answers. */
interface Question<R> extends Record<Exclude<SchemaPart["joins"], "all">, Join<R>> {
  readonly own: (node: SchemaNode) => R
  readonly all: (results: readonly R[]) => R
  /** The answer for a schema that is unknown, cyclic or too deep. */
  readonly unknown: R
}

type Join<R> = (branches: readonly Branch<R>[]) => R

/** The maximum depth of nested schemas (`allOf` in `allOf`) and chains of references. */
const MAX_DEPTH = 100
const MAX_VISITS = 5_000

interface Walk {
  visits: number
  readonly depths: Map<SchemaNode, number>
  /** The depth of the outermost unfinished schema that was skipped because of a cycle. */
  leftOut: number
}

export function createFold<R>(question: Question<R>): (node: SchemaNode) => R {
  const answers = new Map<SchemaNode, R>()
  const visit = (node: SchemaNode, walk: Walk): R => {
    const known = answers.get(node)
    if (known !== undefined) return known
    const depth = walk.depths.get(node)
    if (depth !== undefined) {
      walk.leftOut = Math.min(walk.leftOut, depth)
      return question.unknown
    }
    if (walk.depths.size >= MAX_DEPTH || ++walk.visits > MAX_VISITS) return question.unknown
    return answer(node, walk)
  }
  const answer = (node: SchemaNode, walk: Walk): R => {
    const depth = walk.depths.size
    const outer = walk.leftOut
    walk.depths.set(node, depth)
    walk.leftOut = Infinity
    const result = ask(question, node, (part) => visit(part, walk))
    walk.depths.delete(node)
    // An answer that skipped an enclosing schema is valid only here, so it isn't cached.
    if (walk.leftOut >= depth) {
      answers.set(node, result)
      walk.leftOut = outer
    } else walk.leftOut = Math.min(walk.leftOut, outer)
    return result
  }
  return (node) => visit(node, { visits: 0, depths: new Map(), leftOut: Infinity })
}

function ask<R>(question: Question<R>, node: SchemaNode, visit: (node: SchemaNode) => R): R {
  if (node.schema === undefined) return question.unknown
  const own = question.own(node)
  const results: R[] = []
  for (const { joins, nodes } of node.parts()) {
    if (joins === "all") for (const part of nodes) results.push(visit(part))
    else results.push(question[joins](nodes.map((part) => ({ node: part, result: visit(part) }))))
  }
  return results.length === 0 ? own : question.all([own, ...results])
}
