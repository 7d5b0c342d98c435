// The schemas of a document that were needed so far: each normalised once, under an id by which others refer to it.

import type { JsonValue } from "@callsheet/format"
import { dereference, resolveReference, type Located, type OpenApiDocument } from "../document.ts"
import { normaliseSchema, type PlainSchema } from "./normalise-schema.ts"

/** A `$ref` that leads nowhere. The schema that holds it allows anything in its place. */
export interface BrokenReference {
  readonly reference: string
  /** JSON pointer of the schema that holds it. */
  readonly pointer: string
}

export interface StoredSchema {
  readonly id: string
  readonly schema: PlainSchema
  readonly pointer: string
  /** Ids of the schemas that it refers to. */
  readonly references: ReadonlySet<string>
  readonly broken: readonly BrokenReference[]
}

export interface SchemaStore {
  /** Takes in a schema and everything that it refers to; the schema itself comes first. */
  readonly closureOf: (schema: Located) => readonly StoredSchema[]
  readonly get: (id: string) => StoredSchema | undefined
}

export function createSchemaStore(document: OpenApiDocument): SchemaStore {
  const ids = new Map<string, string>()
  const waiting = new Map<string, Located>()
  const stored = new Map<string, StoredSchema>()
  const nameOf = (schema: Located): string => {
    let id = ids.get(schema.pointer)
    if (id === undefined) {
      id = `schema:${ids.size}`
      ids.set(schema.pointer, id)
      waiting.set(id, schema)
    }
    return id
  }
  const get = (id: string): StoredSchema | undefined => {
    const located = waiting.get(id)
    if (located !== undefined) {
      waiting.delete(id)
      stored.set(id, storeSchema(document, { id, located, nameOf }))
    }
    return stored.get(id)
  }
  const closures = new Map<string, readonly StoredSchema[]>()
  return {
    get,
    closureOf: (schema) => {
      const root = nameOf(schema)
      let closure = closures.get(root)
      if (closure === undefined) {
        const reached = new Set([root])
        // A set that grows while it is walked is walked to its end.
        for (const id of reached) for (const next of get(id)!.references) reached.add(next)
        closure = [...reached].map((id) => get(id)!)
        closures.set(root, closure)
      }
      return closure
    },
  }
}

interface Storing {
  readonly id: string
  readonly located: Located
  readonly nameOf: (schema: Located) => string
}

function storeSchema(document: OpenApiDocument, { id, located, nameOf }: Storing): StoredSchema {
  const references = new Set<string>()
  const broken: BrokenReference[] = []
  const schema = normaliseSchema(located.value, located.pointer, {
    version: document.version,
    follow: (value: JsonValue) => dereference(document, { value, pointer: "" })?.value,
    idOf: (reference, pointer) => {
      const found = resolveReference(document, reference)
      if (found === undefined || dereference(document, found) === undefined) {
        broken.push({ reference, pointer })
        return undefined
      }
      const target = nameOf(found)
      references.add(target)
      return target
    },
  })
  return { id, schema, pointer: located.pointer, references, broken }
}
