// The discriminator of a base: the schemas that include the base by `allOf` are told apart by a property of the value.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { escapePointer, lastKey, member, textMember } from "../document/located.ts"
import { type Part, partAt } from "../document/part.ts"
import { directBases, extendersOf, schemasFolder } from "./schema-graph.ts"

export interface Discriminator {
  readonly property: string
  readonly holder: Part
}

const MAX_BASES = 100

/** The discriminator of a schema that leaves the choice to schemas outside of it; with `oneOf` or `anyOf` it has its own. */
export function discriminatorOf(schema: Part): Discriminator | undefined {
  const { value } = schema
  if (!isJsonObject(value) || member(value, "oneOf") !== undefined || member(value, "anyOf") !== undefined)
    return undefined
  const property = discriminatingProperty(value)
  return property === undefined ? undefined : { property, holder: schema }
}

/** Swagger 2.0 writes the name alone. */
const discriminatingProperty = (schema: JsonValue): string | undefined =>
  textMember(schema, "discriminator") ?? textMember(member(schema, "discriminator"), "propertyName")

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
  // An array gives what is added to it while it is gone through.
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

/** From 3.2 on: the schema of a value that names none. */
export function defaultSchema(holder: Part): Part | undefined {
  const target = holder.inside("discriminator")?.text("defaultMapping")
  return target === undefined ? undefined : mappedSchema(holder, target)
}

/** What a `mapping` leads to: a name or a reference. */
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

/** The names that a value may have; none where nothing extends the base, and so nothing is told apart. */
export function namesOf(holder: Part): readonly string[] {
  const extenders = extendersOf(holder).map(
    (schema) => schema.text("x-ms-discriminator-value") ?? lastKey(schema.pointer),
  )
  return [...new Set([...Object.keys(mappingOf(holder)), ...extenders])]
}
