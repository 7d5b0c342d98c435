// The answers of schemas about one part of a value, and the rules to combine several answers.

import { ANY_NAME, isArrayIndex, isJsonObject, type JsonValue } from "@callsheet/format"
import { listMember, member, objectMember } from "../../document/located.ts"
import { matchesPattern } from "../patterns/create-pattern.ts"
import { isMarked, itemKeywords, type Mark } from "../schema-graph.ts"
import { createFacts, describesProperties, type Facts, ownFacts, valuesOf } from "./facts.ts"
import { createSchemaNodes, type SchemaNode, type SchemaNodes } from "./schema-nodes.ts"

export type Answer =
  | {
      readonly says: "to"
      readonly nodes: readonly SchemaNode[]
      /** True if only some branches describe the part. For the other branches, the schemas beside them decide. */
      readonly isPartial?: boolean
    }
  /** The part isn't listed. These schemas describe it (`additionalProperties`). */
  | { readonly says: "rest"; readonly nodes: readonly SchemaNode[] }
  /** The schema describes other parts, but this one may exist. */
  | { readonly says: "perhaps" }
  /** The schema describes no parts and explicitly allows all. */
  | { readonly says: "open" }
  | { readonly says: "silent" }
  /** The schema doesn't describe the part. If `isAllowed`, the part may still exist. */
  | { readonly says: "closed"; readonly isAllowed?: boolean }
  /** A value of this schema can't have a part with this kind of name. */
  | { readonly says: "none" }

/** The maximum number of alternatives to combine. With more, the part is unknown. */
const MAX_ALTERNATIVES = 300

/** Combines the answers of schemas that all apply. The part may exist if any of them describes it. */
export function meetAnswers(answers: readonly Answer[], nodes: SchemaNodes): Answer {
  const saying = new Set(answers.map(({ says }) => says))
  if (saying.has("none")) return { says: "none" }
  if (saying.has("to")) return meetDescriptions(answers, nodes)
  // `perhaps` and `open` allow any part, so a schema for other parts says nothing certain.
  if (saying.has("rest") && !saying.has("perhaps") && !saying.has("open"))
    return { says: "rest", nodes: product(nodesOf(answers, "rest"), nodes) }
  if (saying.has("perhaps") || saying.has("rest") || (saying.has("open") && saying.has("closed")))
    return { says: "perhaps" }
  if (saying.has("open")) return { says: "open" }
  return saying.has("closed") ? closedBy(answers.some(isExclusion)) : { says: "silent" }
}

const closedBy = (isExcluded: boolean): Answer => (isExcluded ? closed : undescribed)

const isExclusion = (answer: Answer): boolean => answer.says === "closed" && answer.isAllowed !== true

function meetDescriptions(answers: readonly Answer[], all: SchemaNodes): Answer {
  const descriptions = answers.filter((answer) => answer.says === "to")
  const isPartial = descriptions.every((description) => description.isPartial === true)
  const others = answers.filter(({ says }) => says !== "to")
  const lists = descriptions.map(({ nodes, isPartial: isOfSome }) =>
    isOfSome === true && descriptions.length > 1 ? [...nodes, all.anything] : nodes,
  )
  // A branch that doesn't describe the part follows the rules for undescribed parts.
  const otherwise = isPartial ? nodesOtherwise(others, all) : []
  return { says: "to", nodes: [...new Set([...product(lists, all), ...otherwise])], isPartial }
}

function nodesOtherwise(others: readonly Answer[], all: SchemaNodes): readonly SchemaNode[] {
  if (others.some(({ says }) => says === "open" || says === "perhaps")) return [all.anything]
  return product(nodesOf(others, "rest"), all)
}

const nodesOf = (answers: readonly Answer[], wanted: "to" | "rest"): readonly (readonly SchemaNode[])[] =>
  answers.flatMap((answer) => (answer.says === wanted ? [answer.nodes] : []))

/**
 * Combines each schema of one list with each of the other. Returns the unknown schema if there are too many
 * combinations.
 */
function product(
  [first = [], ...others]: readonly (readonly SchemaNode[])[],
  { meet, unknown }: SchemaNodes,
): readonly SchemaNode[] {
  let all = first
  for (const other of others) {
    if (all.length * other.length > MAX_ALTERNATIVES) return [unknown]
    all = [...new Set(all.flatMap((left) => other.map((right) => meet([left, right]))))]
  }
  return all
}

interface Uniting {
  readonly anything: SchemaNode
  /** The answer if no branch describes the part. */
  readonly whenClosed: "closed" | "perhaps"
}

/** Combines the answers of schemas if at least one of them applies. */
export function uniteAnswers(answers: readonly Answer[], { anything, whenClosed }: Uniting): Answer {
  const possible = answers.filter(({ says }) => says !== "none")
  if (possible.length === 0) return { says: "none" }
  const saying = new Set(possible.map(({ says }) => says))
  if (saying.has("to") || saying.has("rest")) {
    const nodes = new Set([...nodesOf(possible, "to"), ...nodesOf(possible, "rest")].flat())
    // The type is unknown if one branch doesn't say whether the part exists.
    if (saying.has("silent") || saying.has("open") || saying.has("perhaps")) nodes.add(anything)
    const isPartial =
      saying.has("closed") || possible.some((answer) => answer.says === "to" && answer.isPartial === true)
    return { says: "to", nodes: nodes.size > MAX_ALTERNATIVES ? [anything] : [...nodes], isPartial }
  }
  if (saying.size === 1 && saying.has("silent")) return { says: "silent" }
  if (!saying.has("perhaps") && !saying.has("closed")) return { says: "open" }
  if (saying.size > 1 || saying.has("perhaps") || whenClosed === "perhaps") return { says: "perhaps" }
  return closedBy(possible.every(isExclusion))
}

export type Container = "object" | "array"

export interface Asked {
  readonly container: Container
  readonly segment: string
}

const silent: Answer = { says: "silent" }
const closed: Answer = { says: "closed" }
export const undescribed: Answer = { says: "closed", isAllowed: true }

export function ownAnswer(asking: Asking, node: SchemaNode, { container, segment }: Asked): Answer {
  const { schema } = node
  if (schema === true || schema === undefined) return silent
  if (schema === false || ownFacts(schema).named?.has(container) === false) return { says: "none" }
  return container === "object" ? propertyAnswer(asking, node, segment) : itemAnswer(asking, node, segment)
}

function propertyAnswer(asking: Asking, node: SchemaNode, name: string): Answer {
  const { schema } = node
  const declared = declaredAnswer(asking, node, name)
  if (declared !== undefined) return declared
  // OpenAPI 3.0 and 2.0 don't have these keywords, but authors who write them expect an effect.
  const closedSince31 = closedBy(node.part?.isOld !== true)
  if (!(namesAllowed(asking, node)?.includes(name) ?? true)) return closedSince31
  const declares = describesProperties(schema)
  for (const keyword of ["additionalProperties", "unevaluatedProperties"] as const) {
    const further = member(schema, keyword)
    if (isOpen(further)) return { says: declares ? "perhaps" : "open" }
    if (isJsonObject(further)) return { says: "rest", nodes: [asking.within(node, keyword)] }
    // With `unevaluatedProperties: false`, other schemas may describe properties. Here, none does.
    if (further === false && keyword === "additionalProperties") return closed
  }
  if (member(schema, "unevaluatedProperties") === false) return closedSince31
  return declares ? undescribed : silent
}

/** Returns whether a schema is `true` or `{}`, which explicitly allows everything. */
const isOpen = (schema: JsonValue | undefined): boolean =>
  schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0)

function declaredAnswer(asking: Asking, node: SchemaNode, name: string): Answer | undefined {
  const found: SchemaNode[] = []
  const property = member(objectMember(node.schema, "properties"), name)
  if (property === false) return closed
  if (property !== undefined) {
    if (asking.isHidden(node, name)) return { says: "perhaps" }
    found.push(asking.within(node, "properties", name))
  }
  for (const [pattern, schema] of Object.entries(objectMember(node.schema, "patternProperties") ?? {})) {
    const matches = name === ANY_NAME ? undefined : matchesPattern(pattern, name)
    if (matches === false) continue
    if (schema === false && matches === true) return closed
    if (matches === undefined)
      return property === undefined ? { says: "perhaps" } : { says: "to", nodes: [asking.unknown] }
    found.push(asking.within(node, "patternProperties", pattern))
  }
  return found.length === 0 ? undefined : { says: "to", nodes: [asking.meet(found)] }
}

export const namesAllowed = (asking: Asking, node: SchemaNode): readonly JsonValue[] | undefined =>
  member(node.schema, "propertyNames") === undefined
    ? undefined
    : valuesOf(asking.facts(asking.within(node, "propertyNames")))

function itemAnswer(asking: Asking, node: SchemaNode, segment: string): Answer {
  if (!isArrayIndex(segment)) return { says: "none" }
  const index = Number(segment)
  const { first } = itemKeywords(node.schema)
  const positions = listMember(node.schema, first)
  if (positions[index] === false) return closed
  if (positions[index] !== undefined) return { says: "to", nodes: [asking.within(node, first, index)] }
  const items = member(node.schema, "items")
  if (items === false) return closed
  if (isJsonObject(items)) return { says: "to", nodes: [asking.within(node, "items")] }
  return positions.length === 0 ? silent : { says: "perhaps" }
}

export type Direction = "response" | "request"

export interface Asking extends SchemaNodes {
  readonly facts: (node: SchemaNode) => Facts
  readonly within: (node: SchemaNode, ...keys: readonly (string | number)[]) => SchemaNode
  /** Returns true for a property of a response that is documented only for requests. It may still exist. */
  readonly isHidden: (node: SchemaNode, name: string) => boolean
  /** Returns true for a property of a request that is documented only for responses. */
  readonly isExcused: (node: SchemaNode, name: string) => boolean
}

export function createAsking(direction: Direction): Asking {
  const nodes = createSchemaNodes()
  const marked = (mark: Mark, wanted: Direction) => (node: SchemaNode, name: string) => {
    const property = direction === wanted ? node.part?.inside("properties", name) : undefined
    return property !== undefined && isMarked(property, mark)
  }
  return {
    ...nodes,
    facts: createFacts(),
    within: (node, ...keys) => {
      const schema = node.part?.inside(...keys)
      return schema === undefined ? nodes.unknown : nodes.at(schema)
    },
    isHidden: marked("writeOnly", "response"),
    isExcused: marked("readOnly", "request"),
  }
}
