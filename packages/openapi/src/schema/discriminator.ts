// The discriminator of a base: the schemas that include the base by `allOf` are told apart by a property of the value.

import { isJsonObject, type JsonValue } from "@callsheet/format"
import { type OpenApiDocument, partAt, resolveReference } from "../document/document.ts"
import {
  escapePointer,
  lastKey,
  type Located,
  member,
  objectMember,
  textMember,
} from "../document/located.ts"
import { directBases, extendersOf, schemasFolder } from "./schema-graph.ts"

export interface Discriminator {
  readonly property: string
  readonly holder: Located
}

const MAX_BASES = 100

/** The discriminator of a schema that leaves the choice to schemas outside of it; with `oneOf` or `anyOf` it has its own. */
export function discriminatorOf(schema: Located): Discriminator | undefined {
  const { value } = schema
  if (!isJsonObject(value) || member(value, "oneOf") !== undefined || member(value, "anyOf") !== undefined)
    return undefined
  const property = discriminatingProperty(value)
  return property === undefined ? undefined : { property, holder: schema }
}

/** Swagger 2.0 writes the name alone. */
const discriminatingProperty = (schema: JsonValue): string | undefined =>
  textMember(schema, "discriminator") ?? textMember(member(schema, "discriminator"), "propertyName")

export function inheritedDiscriminator(
  document: OpenApiDocument,
  schema: Located,
): Discriminator | undefined {
  for (const base of basesOf(document, schema)) {
    const found = discriminatorOf(base)
    if (found !== undefined) return found
  }
  return undefined
}

export const includes = (document: OpenApiDocument, schema: Located, base: Located): boolean =>
  [...basesOf(document, schema)].some(({ pointer }) => pointer === base.pointer)

function* basesOf(document: OpenApiDocument, schema: Located): Generator<Located> {
  const work = [schema]
  const seen = new Set<string>()
  // An array gives what is added to it while it is gone through.
  for (const here of work) {
    for (const base of directBases(document, here)) {
      if (seen.has(base.pointer) || seen.size === MAX_BASES) continue
      seen.add(base.pointer)
      work.push(base)
      yield base
    }
  }
}

export function namedSchema(document: OpenApiDocument, holder: Located, name: string): Located | undefined {
  const discriminator = member(holder.value, "discriminator")
  const mapped = textMember(objectMember(discriminator, "mapping"), name)
  return (
    (mapped === undefined ? undefined : mappedSchema(document, holder, mapped)) ??
    schemaOfName(document, holder, name) ??
    extendersOf(document, holder).find(
      ({ value }) => textMember(value, "x-ms-discriminator-value") === name,
    ) ??
    defaultSchema(document, holder)
  )
}

/** From 3.2 on: the schema of a value that names none. */
export function defaultSchema(document: OpenApiDocument, holder: Located): Located | undefined {
  const target = textMember(member(holder.value, "discriminator"), "defaultMapping")
  return target === undefined ? undefined : mappedSchema(document, holder, target)
}

/** What a `mapping` leads to: a name or a reference. */
const mappedSchema = (document: OpenApiDocument, holder: Located, target: string): Located | undefined =>
  schemaOfName(document, holder, target) ?? resolveReference(document, target, holder.pointer)

function schemaOfName(document: OpenApiDocument, holder: Located, name: string): Located | undefined {
  if (name === "" || /[#/]/.test(name)) return undefined
  const beside = holder.pointer.slice(0, holder.pointer.lastIndexOf("/"))
  for (const folder of [beside, schemasFolder(document)]) {
    const found = partAt(document, `${folder}/${escapePointer(name)}`)
    if (isJsonObject(found?.value)) return found
  }
  return undefined
}

/** The names that a value may have; none where nothing extends the base, and so nothing is told apart. */
export function namesOf(document: OpenApiDocument, holder: Located): readonly string[] {
  const mapping = objectMember(member(holder.value, "discriminator"), "mapping") ?? {}
  const extenders = extendersOf(document, holder).map(
    ({ value, pointer }) => textMember(value, "x-ms-discriminator-value") ?? lastKey(pointer),
  )
  return [...new Set([...Object.keys(mapping), ...extenders])]
}
