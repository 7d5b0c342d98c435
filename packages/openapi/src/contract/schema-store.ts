// The schemas of a document that were needed so far: each normalised once, under an id by which others refer to it.

import { dereference, resolveReference, type Located, type OpenApiDocument } from "../document.ts"
import type { Direction } from "../types/asking.ts"
import { normaliseSchema, type PlainSchema, type SchemaSurroundings } from "./normalise-schema.ts"

export interface SchemaStore {
  /** The id of a schema; the same one for the same place in the document. */
  readonly idOf: (schema: Located) => string
  /** The normalised schema. What it refers to is not looked at before it is asked for. */
  readonly get: (id: string) => PlainSchema
}

export function createSchemaStore(document: OpenApiDocument, direction: Direction = "response"): SchemaStore {
  const ids = new Map<string, string>()
  const located = new Map<string, Located>()
  const normal = new Map<string, PlainSchema>()
  const idOf = (schema: Located): string => {
    let id = ids.get(schema.pointer)
    if (id === undefined) {
      id = `schema ${ids.size}`
      ids.set(schema.pointer, id)
      located.set(id, schema)
    }
    return id
  }
  const surroundings: SchemaSurroundings = {
    version: document.version,
    direction,
    follow: (schema) => dereference(document, schema),
    idOf: (reference, from) => {
      const found = resolveReference(document, reference, from)
      // References that lead to each other alone lead nowhere either.
      return found === undefined || dereference(document, found) === undefined ? undefined : idOf(found)
    },
  }
  return {
    idOf,
    get: (id) => {
      let schema = normal.get(id)
      if (schema === undefined) {
        const { value, pointer } = located.get(id)!
        schema = normaliseSchema(value, pointer, surroundings)
        normal.set(id, schema)
      }
      return schema
    },
  }
}
