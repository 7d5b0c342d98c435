// The discriminator of a base schema. Its property selects one of the schemas that include the base by `allOf`.

import { isJsonObject, type JsonObject } from "@callsheet/format"
import { escapePointer, lastKey, member, textMember } from "../document/located.ts"
import { type Part, partAt } from "../document/part.ts"
import { directBases, extendersOf, schemasFolder } from "./schema-graph.ts"

export interface Discriminator {
  readonly property: string
  readonly holder: Part
}

const MAX_BASES = 100

/** Returns a schema's discriminator. Undefined if it selects only among the schema's own `oneOf` or `anyOf`. */
export function discriminatorOf(schema: Part): Discriminator | undefined {
  const { value } = schema
  if (!isJsonObject(value) || member(value, "oneOf") !== undefined || member(value, "anyOf") !== undefined)
    return undefined
  // In Swagger 2.0, `discriminator` is only the property's name.
  const property =
    textMember(value, "discriminator") ?? textMember(member(value, "discriminator"), "propertyName")
  return property === undefined ? undefined : { property, holder: schema }
}

export function inheritedDiscriminator(schema: Part): Discriminator | undefined {
  for (const base of basesOf(schema)) {
    const found = discriminatorOf(base)
    if (found !== undefined) return found
  }
  return undefined
}

export const includes = (schema: Part, base: Part): boolean =>
  [...basesOf(schema)].some(({ pointer }) => pointer === base.pointer)

function* basesOf(schema: Part): Generator<Part> {
  const work = [schema]
  const seen = new Set<string>()
  // This loop also visits the items that it adds.
  for (const here of work) {
    for (const base of directBases(here)) {
      if (seen.has(base.pointer) || seen.size === MAX_BASES) continue
      seen.add(base.pointer)
      work.push(base)
      yield base
    }
  }
}

export function namedSchema(holder: Part, name: string): Part | undefined {
  const mapped = textMember(mappingOf(holder), name)
  return (
    (mapped === undefined ? undefined : mappedSchema(holder, mapped)) ??
    schemaOfName(holder, name) ??
    extendersOf(holder).find((schema) => schema.text("x-ms-discriminator-value") === name) ??
    defaultSchema(holder)
  )
}

export const mappingOf = (holder: Part): JsonObject => holder.inside("discriminator")?.object("mapping") ?? {}

/** Returns the schema for a value without a name (3.2 and later). */
export function defaultSchema(holder: Part): Part | undefined {
  const target = holder.inside("discriminator")?.text("defaultMapping")
  return target === undefined ? undefined : mappedSchema(holder, target)
}

/** Returns the schema of a `mapping` target, which is a name or a reference. */
const mappedSchema = (holder: Part, target: string): Part | undefined =>
  schemaOfName(holder, target) ?? holder.resolve(target)

function schemaOfName({ document, pointer }: Part, name: string): Part | undefined {
  if (name === "" || /[#/]/.test(name)) return undefined
  const beside = pointer.slice(0, pointer.lastIndexOf("/"))
  for (const folder of [beside, schemasFolder(document)]) {
    const found = partAt(document, `${folder}/${escapePointer(name)}`)
    if (isJsonObject(found?.value)) return found
  }
  return undefined
}

/** Returns the names that a value may have. Empty if no schema extends the base. */
export function namesOf(holder: Part): readonly string[] {
  const extenders = extendersOf(holder).map(
    (schema) => schema.text("x-ms-discriminator-value") ?? lastKey(schema.pointer),
  )
  return [...new Set([...Object.keys(mappingOf(holder)), ...extenders])]
}
