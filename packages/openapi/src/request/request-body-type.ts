// The type of an operation's request body.

import {
  type JsonValue,
  memo,
  scalarType,
  unknownType,
  type ValueType,
  matchMediaType,
} from "@callsheet/format"
import { requestBodyOf, bodyKindOf, requestMediaType, type MediaType } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import { mediaSchemaType } from "../schema/types/schema-type.ts"

/**
 * Returns the body's type for a media type. By default, uses the media type that a request sends. Undefined if no body
 * is documented.
 */
export const requestBodyType = (operation: Operation, mediaType?: string) =>
  mediaType === undefined ? usualBodyType(operation) : readBodyType(operation, mediaType)

const usualBodyType = memo((operation: Operation) =>
  readBodyType(operation, requestMediaType(operation)?.mediaType),
)

function readBodyType(operation: Operation, mediaType: string | undefined) {
  const body = requestBodyOf(operation)
  if (body === undefined) return undefined
  const media = mediaType === undefined ? body.content[0] : matchMediaType(body.content, mediaType)
  if (media === undefined) return undefined
  const name = mediaType ?? media.name
  return {
    required: body.required,
    mediaType: name,
    type: typeOf(media, name),
    example: bodyExample(media),
  }
}

function typeOf(media: MediaType, name: string): ValueType {
  const kind = bodyKindOf(name)
  if (kind === undefined) return unknownType
  if (kind === "text") return scalarType("string")
  const type = mediaSchemaType(media, "request")
  return kind === "json" ? type : fieldsOf(type)
}

/**
 * Returns the fields of a form with unknown types, because form values are text or files, regardless of the schema.
 */
const fieldsOf = ({ kinds, step, names, required }: ValueType): ValueType => ({
  kinds,
  step: (name) => (step(name).leads === "to" ? { leads: "to", type: unknownType } : step(name)),
  names,
  required,
})

function bodyExample({ value, schema }: MediaType): JsonValue | undefined {
  const [first] = value?.entries("examples") ?? []
  const described = schema?.dereference()
  const given = [
    value?.member("example"),
    first?.[1].dereference()?.member("value"),
    described?.member("example"),
    described?.list("examples")[0],
  ]
  return given.find((example) => example !== undefined)
}
