// The types of an operation's responses as blocks read them: JSON by its schema, everything else as text.

import {
  arrayType,
  essence,
  memberType,
  memo,
  objectType,
  scalarType,
  streamFormatOf,
  unionType,
  unknownType,
  type ValueType,
} from "@callsheet/format"
import { itemSchemasOf } from "../content/stream-schemas.ts"
import {
  listResponses,
  responseContent,
  bodyKindOf,
  type ListedResponse,
  type MediaType,
} from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import { hasNoContent } from "./response-contract.ts"
import { mediaSchemaType, schemaType } from "../schema/types/schema-type.ts"

export interface DocumentedResponse {
  readonly status: string
  readonly description?: string | undefined
  /**
   * The type of the body. Undefined if the response has no body by the document or by HTTP. Unknown for an undocumented
   * content type.
   */
  readonly body: ValueType | undefined
  /** True if the body may be a stream, which has a raw text, too. */
  readonly isStream: boolean
  /** The documented header names in lower case. A response may have other headers too. */
  readonly headers: readonly string[]
}

export const responseTypes = memo((operation: Operation): readonly DocumentedResponse[] =>
  listResponses(operation).map((listed) => readResponse(operation, listed)),
)

function readResponse(operation: Operation, { status, response }: ListedResponse): DocumentedResponse {
  // The target of a broken reference could be anything.
  if (response === undefined) return { status, body: unknownType, isStream: true, headers: [] }
  const isBodiless = hasNoContent(operation.method, Number(status))
  const media = isBodiless ? [] : responseContent(operation, response)
  return {
    status,
    description: response.text("description"),
    body: media.length === 0 ? undefined : unionType(media.map(contentType)),
    isStream: media.some(({ name }) => name.includes("*") || streamFormatOf(name) !== undefined),
    headers: [...new Set(Object.keys(response.object("headers") ?? {}).map((name) => name.toLowerCase()))],
  }
}

const text: ValueType = {
  ...scalarType("string"),
  origin: "enforced",
  step: () => ({ leads: "nowhere", origin: "enforced" }),
}

/** The type of a stream as an array. Undefined for any other content type. */
function streamType(media: MediaType): ValueType | undefined {
  const items = itemSchemasOf(media, media.name)
  if (items === undefined) return undefined
  const isEvents = essence(media.name) === "text/event-stream"
  const typeOf = (length: number): ValueType | undefined => {
    const types = items
      .filter(({ of }) => of.length === length)
      .map(({ schema }) => schemaType(schema, "response"))
    return types.length === 0 ? undefined : unionType(types)
  }
  const list = typeOf(0)
  const item = typeOf(1) ?? (list && memberType(list, "0"))
  return isEvents ? arrayType(eventType(item, typeOf(2))) : (list ?? arrayType(item ?? unknownType))
}

/** The type of an event. Its data is decoded, so a schema for its text says nothing about it. */
function eventType(event: ValueType | undefined, data: ValueType = unknownType): ValueType {
  const own = objectType({ event: scalarType("string"), id: scalarType("string"), data })
  return {
    ...own,
    required: () => ["data"],
    step: (name) => {
      if (name === "data") return { leads: "to", type: dataType(event, data) }
      const described = event?.step(name)
      return described?.leads === "to" && own.names().includes(name) ? described : own.step(name)
    },
  }
}

function dataType(event: ValueType | undefined, data: ValueType): ValueType {
  if (data !== unknownType) return data
  const described = event && memberType(event, "data")
  return described?.kinds === undefined || described.kinds.has("string") ? unknownType : described
}

function contentType(media: MediaType): ValueType {
  const stream = streamType(media)
  if (stream !== undefined) return stream
  const kind = bodyKindOf(media.name)
  if (kind === "json") return mediaSchemaType(media, "response")
  // The body may be JSON if its type is a range, or if an object schema describes text or an unclear type.
  if (media.name.includes("*") && !/^\s*text\//i.test(media.name))
    return unionType([mediaSchemaType(media, "response"), text])
  if (kind === "form" || kind === "multipart" || /xml/i.test(media.name)) return text
  if (media.schema === undefined) return text
  const described = mediaSchemaType(media, "response")
  const hasParts = described.kinds?.has("object") === true || described.kinds?.has("array") === true
  return hasParts ? unionType([described, text]) : text
}
