// What questions about schemas need to know of the document around them, and of the way that the value goes.

import { isJsonObject, type JsonValue } from "@callsheet/format"
import type { OpenApiDocument } from "../../document/document.ts"
import { inside, type Located } from "../../document/located.ts"
import { isMarked, type Mark } from "../excused-names.ts"
import { type Facts, ownFacts, valuesOf } from "./facts.ts"
import type { SchemaNode, SchemaNodes } from "./schema-nodes.ts"

export type Direction = "response" | "request"

export interface Asking extends SchemaNodes {
  /** The kinds that a schema's own keywords name. */
  readonly ownKinds: (node: SchemaNode) => Facts["named"]
  /** What a schema and those beside it say of a value as a whole. */
  readonly facts: (node: SchemaNode) => Facts
  /** The only values that a node allows. */
  readonly values: (node: SchemaNode) => readonly JsonValue[] | undefined
  /** The schema inside a node, by the keys that lead there. */
  readonly within: (node: SchemaNode, ...keys: readonly (string | number)[]) => SchemaNode
  /** A property that requests alone carry, in a response: it may be there all the same. */
  readonly isHidden: (node: SchemaNode, name: string) => boolean
  /** A property that responses alone carry, in a request. */
  readonly isExcused: (node: SchemaNode, name: string) => boolean
}

interface Ground {
  readonly document: OpenApiDocument
  readonly nodes: SchemaNodes
  readonly facts: (node: SchemaNode) => Facts
  readonly direction: Direction
}

export function createAsking({ document, nodes, facts, direction }: Ground): Asking {
  const find = (node: SchemaNode, keys: readonly (string | number)[]): Located | undefined =>
    isJsonObject(node.schema) ? inside({ value: node.schema, pointer: node.pointer }, ...keys) : undefined
  const marked = (mark: Mark, wanted: Direction) => (node: SchemaNode, name: string) => {
    if (direction !== wanted) return false
    const property = find(node, ["properties", name])
    return property !== undefined && isMarked(document, property, mark)
  }
  return {
    ...nodes,
    facts,
    ownKinds: ({ schema }) => (isJsonObject(schema) ? ownFacts(schema).named : undefined),
    values: (node) => valuesOf(facts(node)),
    within: (node, ...keys) => {
      const schema = find(node, keys)
      return schema === undefined ? nodes.unknown : nodes.at(schema)
    },
    isHidden: marked("writeOnly", "response"),
    isExcused: marked("readOnly", "request"),
  }
}
