// What a schema's own keywords answer when asked for a property of an object, or an item of an array.

import { ANY_NAME, isArrayIndex, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { listMember, member, objectMember } from "../../document/located.ts"
import { matchesPattern } from "../patterns/matches-pattern.ts"
import { itemKeywords } from "../schema-graph.ts"
import type { Answer } from "./answers.ts"
import type { Asking } from "./asking.ts"
import { describesProperties } from "./facts.ts"
import type { SchemaNode } from "./schema-nodes.ts"

export type Container = "object" | "array"

export interface Asked {
  readonly container: Container
  readonly segment: string
}

const silent: Answer = { says: "silent" }
const closed: Answer = { says: "closed" }

export function ownAnswer(asking: Asking, node: SchemaNode, { container, segment }: Asked): Answer {
  const { schema } = node
  if (schema === true || schema === undefined) return silent
  if (schema === false || !(asking.ownKinds(node)?.has(container) ?? true)) return { says: "none" }
  return container === "object"
    ? propertyAnswer(asking, { ...node, schema }, segment)
    : itemAnswer(asking, { ...node, schema }, segment)
}

type ObjectNode = SchemaNode & { readonly schema: JsonObject }

function propertyAnswer(asking: Asking, node: ObjectNode, name: string): Answer {
  const { schema } = node
  const declared = declaredAnswer(asking, node, name)
  if (declared !== undefined) return declared
  if (!(namesAllowed(asking, node)?.includes(name) ?? true)) return closed
  const declares = describesProperties(schema)
  for (const keyword of ["additionalProperties", "unevaluatedProperties"] as const) {
    const further = member(schema, keyword)
    if (isOpen(further)) return { says: declares ? "perhaps" : "open" }
    if (isJsonObject(further)) return { says: "rest", nodes: [asking.within(node, keyword)] }
    // Beside `unevaluatedProperties: false` others may describe properties; without any, nothing is described.
    if (further === false && keyword === "additionalProperties") return closed
  }
  return declares || member(schema, "unevaluatedProperties") === false ? closed : silent
}

/** `true` and `{}`, as written: anything may be there. */
const isOpen = (schema: JsonValue | undefined): boolean =>
  schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0)

/** What `properties` and `patternProperties` say of a name, where they speak of it. */
function declaredAnswer(asking: Asking, node: ObjectNode, name: string): Answer | undefined {
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
    if (matches === undefined) return property === undefined ? { says: "perhaps" } : undefinedPart(asking)
    found.push(asking.within(node, "patternProperties", pattern))
  }
  return found.length === 0 ? undefined : { says: "to", nodes: [asking.meet(found)] }
}

const undefinedPart = ({ unknown }: Asking): Answer => ({ says: "to", nodes: [unknown] })

/** The only names that `propertyNames` allows, where it lists them. */
export function namesAllowed(asking: Asking, node: ObjectNode): readonly JsonValue[] | undefined {
  return member(node.schema, "propertyNames") === undefined
    ? undefined
    : asking.values(asking.within(node, "propertyNames"))
}

function itemAnswer(asking: Asking, node: ObjectNode, segment: string): Answer {
  if (!isArrayIndex(segment)) return { says: "none" }
  const { schema } = node
  const index = Number(segment)
  const { first } = itemKeywords(schema)
  const positions = listMember(schema, first)
  if (positions[index] === false) return closed
  if (positions[index] !== undefined) return { says: "to", nodes: [asking.within(node, first, index)] }
  const items = member(schema, "items")
  if (items === false) return closed
  if (isJsonObject(items)) return { says: "to", nodes: [asking.within(node, "items")] }
  return positions.length === 0 ? silent : { says: "perhaps" }
}
