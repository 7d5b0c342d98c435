// The schemas in use. Each schema is normalized once and has an id for references.

import { getOrCreate, isJsonObject, memo } from "@callsheet/format"
import type { Part } from "../../document/part.ts"
import { type DynamicScope, emptyScope, enterScope, resolveDynamic } from "../dynamic-scope.ts"
import type { Direction } from "../types/answers.ts"
import { createChooser, isDiscriminated } from "./choose-schema.ts"
import { normalizeSchema, type SchemaSurroundings } from "./normalize-schema.ts"
import { CHOOSES, placeSchema, type PlainSchema } from "./plain-schema.ts"

export interface SchemaStore {
  /** Returns the id of a schema. A location in the document always has the same id. */
  readonly idOf: (schema: Part) => string
  /** Returns the normalized schema. Its references are not read until they are requested. */
  readonly get: (id: string) => PlainSchema
}

/** The use of a schema: a reference's target, which chooses by discriminator; a base, which doesn't; or any other. */
type SchemaUse = "named" | "base" | "whole"

interface Entry {
  readonly schema: Part
  readonly scope: DynamicScope
  readonly use: SchemaUse
}

export function createSchemaStore(direction: Direction = "response"): SchemaStore {
  const ids = new Map<string, string>()
  const entries = new Map<string, Entry>()
  const normal = new Map<string, PlainSchema>()
  // The id depends on the location, the use and, for `$dynamicRef`, the scope.
  const idOf = (schema: Part, use: SchemaUse, from: DynamicScope): string => {
    const scope = enterScope(from, schema)
    const key = `${use} ${schema.pointer}${[...scope].map(([name, { pointer }]) => ` ${name} ${pointer}`).join("")}`
    return getOrCreate(ids, key, () => {
      const id = `schema ${ids.size}`
      entries.set(id, { schema, scope, use })
      return id
    })
  }
  // Reads an object that YAML aliases share only once.
  const firsts = new WeakMap<object, Part>()
  const firstOf = (part: Part): Part => {
    if (!isJsonObject(part.value)) return part
    return getOrCreate(firsts, part.value, () => part)
  }
  const surroundings: SchemaSurroundings = {
    direction,
    idOfPart: (part, scope) => idOf(firstOf(part), "whole", scope),
    idOf: (reference, { from, scope, isDynamic, isBase }) => {
      const found = isDynamic ? resolveDynamic(from, reference, scope) : from.resolve(reference)
      // Treats references that lead only to each other as broken.
      if (found?.dereference() === undefined) return undefined
      return idOf(found, isBase && isDiscriminated(found) ? "base" : "named", scope)
    },
  }
  const ofMade = (schema: PlainSchema): string => {
    const id = `schema made ${normal.size}`
    normal.set(id, schema)
    return id
  }
  const make = ({ schema, scope, use }: Entry): PlainSchema => {
    const ids = { ofBase: (one: Part) => idOf(one, "base", scope), ofMade }
    const chooser = use === "named" ? createChooser(schema, ids) : undefined
    return chooser === undefined
      ? normalizeSchema(schema, { ...surroundings, scope, isBase: use === "base" })
      : placeSchema({ [CHOOSES]: chooser }, schema.pointer)
  }
  // Caches ids per schema, because every check needs one.
  return {
    idOf: memo((schema: Part) => idOf(schema, "whole", emptyScope)),
    get: (id) => getOrCreate(normal, id, () => make(entries.get(id)!)),
  }
}
