// Decides which part of a stream each schema of its media type describes.

import {
  getOrCreate,
  memo,
  streamFormatOf,
  type StreamFormat,
  type ValuePath,
  type ValueType,
} from "@callsheet/format"
import type { MediaType } from "../document/content.ts"
import type { Part } from "../document/part.ts"
import { schemasAlong } from "../schema/schemas-along.ts"
import { schemaType } from "../schema/types/schema-type.ts"

export interface StreamSchema {
  readonly schema: Part
  /**
   * The raw text, the array of all items, each item, or the data of each item. The data of an item that isn't an event
   * is the item.
   */
  readonly describes: "text" | "items" | "item" | "data"
  /** How the schema reads the data of events: as text, decoded, or either. Only decoded if it describes no events. */
  readonly data: readonly DataReading[]
}

export type DataReading = "decoded" | "text"

/** Returns the schemas of a stream. Empty for any other content type. */
export function streamSchemasOf(media: MediaType, contentType: string): readonly StreamSchema[] {
  const format = streamFormatOf(contentType)
  return format === undefined ? [] : getOrCreate(known(media), format, () => readSchemas(media, format))
}

const known = memo((_: MediaType) => new Map<StreamFormat, readonly StreamSchema[]>())

function readSchemas({ schema, itemSchema }: MediaType, format: StreamFormat): readonly StreamSchema[] {
  const readings = (part: Part, path: ValuePath): readonly DataReading[] =>
    format === "events" ? dataReadings(part, path) : ["decoded"]
  const found: StreamSchema[] = []
  if (schema !== undefined)
    found.push({ schema, describes: subjectOf(schema), data: readings(schema, [0, "data"]) })
  if (itemSchema !== undefined)
    found.push({ schema: itemSchema, describes: "item", data: readings(itemSchema, ["data"]) })
  return found
}

/** Returns the subject of `schema`. Documents before 3.2 have no other place for a description of the items. */
function subjectOf(schema: Part): Exclude<StreamSchema["describes"], "item"> {
  const { kinds } = schemaType(schema, "response")
  if (kinds === undefined) return isList(schema) ? "items" : "data"
  if (kinds.has("array")) return "items"
  return isText(kinds) ? "text" : "data"
}

/** Returns whether a schema without a type describes the items of an array. */
const isList = (schema: Part): boolean =>
  [...schemasAlong(schema, [])].flat().some((part) => part.inside("items") !== undefined)

const isText = (kinds: NonNullable<ValueType["kinds"]>): boolean =>
  kinds.has("string") && [...kinds].every((kind) => kind === "string" || kind === "null")

function dataReadings(schema: Part, path: ValuePath): readonly DataReading[] {
  const schemas = schemasAt(schema, path)
  const types = schemas.flatMap((one) => [one.member("type") ?? []].flat())
  const mayBeText = types.includes("string") || contentSchemas(schemas).length > 0
  const mayBeOther = types.some((type) => type !== "string" && type !== "null")
  if (!mayBeText) return ["decoded"]
  return mayBeOther ? ["decoded", "text"] : ["text"]
}

const schemasAt = (schema: Part, path: ValuePath): readonly Part[] =>
  [...schemasAlong(schema, path)].at(-1) ?? []

const contentSchemas = (schemas: readonly Part[]): readonly Part[] =>
  schemas.flatMap((one) => one.inside("contentSchema") ?? [])

/** Returns the schemas of an event's decoded data that the schema of the event names for the text. */
const contentSchemasOf = memo(({ schema }: StreamSchema): readonly Part[] =>
  contentSchemas(schemasAt(schema, ["data"])),
)

/** A schema of every value at a path in the array of items. */
export interface ItemSchema {
  readonly schema: Part
  /** Empty for the array, `["*"]` for an item, and `["*", "data"]` for the data of an event. */
  readonly of: readonly [] | readonly ["*"] | readonly ["*", "data"]
}

/** Returns the schemas of the array of items and its parts. Undefined for any other content type. */
export function itemSchemasOf(media: MediaType, contentType: string): readonly ItemSchema[] | undefined {
  const format = streamFormatOf(contentType)
  if (format === undefined) return undefined
  return streamSchemasOf(media, contentType).flatMap((stream): readonly ItemSchema[] => {
    const { schema, describes } = stream
    if (describes === "text") return []
    if (describes === "items") return [{ schema, of: [] }]
    if (describes === "item")
      return [
        { schema, of: ["*"] },
        ...contentSchemasOf(stream).map((inner) => ({ schema: inner, of: ["*", "data"] }) as const),
      ]
    return [{ schema, of: format === "events" ? ["*", "data"] : ["*"] }]
  })
}
