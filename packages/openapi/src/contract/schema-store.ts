// The schemas of a document that were needed so far: each normalised once, under an id by which others refer to it.

import { dereference, resolveReference, type Located, type OpenApiDocument } from "../document.ts"
import type { Direction } from "../types/asking.ts"
import { emptyScope, enterScope, resolveDynamic, type DynamicScope } from "./dynamic-scope.ts"
import { normaliseSchema, type PlainSchema, type SchemaSurroundings } from "./normalise-schema.ts"

export interface SchemaStore {
  /** The id of a schema; the same one for the same place in the document. */
  readonly idOf: (schema: Located) => string
  /** The normalised schema. What it refers to is not looked at before it is asked for. */
  readonly get: (id: string) => PlainSchema
}

interface Entry {
  readonly schema: Located
  readonly scope: DynamicScope
}

export function createSchemaStore(document: OpenApiDocument, direction: Direction = "response"): SchemaStore {
  const ids = new Map<string, string>()
  const entries = new Map<string, Entry>()
  const normal = new Map<string, PlainSchema>()
  // A schema means the same whatever led to it, but for what `$dynamicRef` inside it means.
  const idOf = (schema: Located, from = emptyScope): string => {
    const scope = enterScope(document, from, schema)
    const key = scope.size === 0 ? schema.pointer : `${schema.pointer} ${keyOf(scope)}`
    let id = ids.get(key)
    if (id === undefined) {
      id = `schema ${ids.size}`
      ids.set(key, id)
      entries.set(id, { schema, scope })
    }
    return id
  }
  const surroundings: SchemaSurroundings = {
    version: document.version,
    direction,
    follow: (schema) => dereference(document, schema),
    enter: (scope, schema) => enterScope(document, scope, schema),
    idOf: (reference, { from, scope, isDynamic }) => {
      const found = isDynamic
        ? resolveDynamic(document, reference, { from, scope })
        : resolveReference(document, reference, from)
      // References that lead to each other alone lead nowhere either.
      return found === undefined || dereference(document, found) === undefined
        ? undefined
        : idOf(found, scope)
    },
  }
  return {
    idOf: (schema) => idOf(schema),
    get: (id) => {
      let schema = normal.get(id)
      if (schema === undefined) {
        const { schema: located, scope } = entries.get(id)!
        schema = normaliseSchema(located, scope, surroundings)
        normal.set(id, schema)
      }
      return schema
    },
  }
}

const keyOf = (scope: DynamicScope): string =>
  [...scope].map(([name, { pointer }]) => `${name} ${pointer}`).join(" ")
