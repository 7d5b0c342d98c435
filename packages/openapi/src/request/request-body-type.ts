// What the request body of an operation must be.

import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  memoBySecond,
  scalarType,
  unknownType,
  type ValueType,
} from "@callsheet/format"
import { type MediaType, requestBodyOf } from "../document/content.ts"
import { dereference, type OpenApiDocument } from "../document/document.ts"
import { entriesIn, member } from "../document/located.ts"
import { bodyKindOf, matchMediaType, requestMediaType } from "../document/media-type.ts"
import type { Operation } from "../document/operations.ts"
import { mediaSchemaType } from "../schema/types/schema-type.ts"

interface RequestBodyType {
  readonly required: boolean
  readonly mediaType: string
  readonly type: ValueType
  readonly example: JsonValue | undefined
}

/** The body of the media type that a request is sent as, or of the one that it names. Undefined if none is documented. */
export function requestBodyType(
  document: OpenApiDocument,
  operation: Operation,
  mediaType?: string,
): RequestBodyType | undefined {
  if (mediaType !== undefined) return readBodyType(document, operation, mediaType)
  return usualBodyType(document, operation)
}

const usualBodyType = memoBySecond((document: OpenApiDocument, operation: Operation) =>
  readBodyType(document, operation, requestMediaType(document, operation)?.mediaType),
)

function readBodyType(
  document: OpenApiDocument,
  operation: Operation,
  mediaType: string | undefined,
): RequestBodyType | undefined {
  const body = requestBodyOf(document, operation)
  if (body === undefined) return undefined
  const media = mediaType === undefined ? body.content[0] : matchMediaType(body.content, mediaType)
  if (media === undefined) return undefined
  const name = mediaType ?? media.name
  return {
    required: body.required,
    mediaType: name,
    type: typeOf(document, media, name),
    example: bodyExample(document, media),
  }
}

function typeOf(document: OpenApiDocument, media: MediaType, name: string): ValueType {
  switch (bodyKindOf(name)) {
    case "json":
      return mediaSchemaType(document, media, "request")
    case "form":
    case "multipart":
      return fieldsOf(mediaSchemaType(document, media, "request"))
    case "text":
      return scalarType("string")
    case undefined:
      return unknownType
  }
}

/** The fields of a form: each is written as text, or given as a file, whatever the schema says of its value. */
const fieldsOf = ({ kinds, step, names, required }: ValueType): ValueType => ({
  kinds,
  step: (name) => (step(name).leads === "to" ? { leads: "to", type: unknownType } : step(name)),
  names,
  required,
})

function bodyExample(document: OpenApiDocument, { value, schema }: MediaType): JsonValue | undefined {
  if (value !== undefined) {
    const own = member(value.value, "example")
    if (own !== undefined) return own
    const [first] = entriesIn(value, "examples")
    const given = first && member(dereference(document, first[1])?.value, "value")
    if (given !== undefined) return given
  }
  const described = schema === undefined ? undefined : dereference(document, schema)?.value
  if (!isJsonObject(described)) return undefined
  const examples = described["examples"]
  return described["example"] ?? (examples !== undefined && isJsonArray(examples) ? examples[0] : undefined)
}
