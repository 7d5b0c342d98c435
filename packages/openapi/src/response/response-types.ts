// What the responses of an operation may be, as blocks see them: JSON as the schema says, everything else as text.

import { arrayType, memo, scalarType, unionType, unknownType, type ValueType } from "@callsheet/format"
import { type ListedResponse, listResponses, type MediaType, responseContent } from "../document/content.ts"
import { bodyKindOf } from "../document/media-type.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { hasNoContent } from "./response-contract.ts"
import { mediaSchemaType } from "../schema/types/schema-type.ts"

export interface DocumentedResponse {
  readonly status: string
  readonly description?: string | undefined
  /** Undefined where no content is documented, or none can come: a body that comes all the same is not known. */
  readonly body: ValueType | undefined
  readonly hasContent: boolean
  /** By lower-case name. Other headers may come too. */
  readonly headers: ReadonlyMap<string, ValueType>
}

export const responseTypes = memo((operation: Operation): readonly DocumentedResponse[] =>
  listResponses(operation).map((listed) => readResponse(operation, listed)),
)

function readResponse(operation: Operation, { status, response }: ListedResponse): DocumentedResponse {
  // What a broken reference meant to say may be anything.
  if (response === undefined) return { status, body: unknownType, hasContent: true, headers: new Map() }
  const isBodiless = hasNoContent(operation.method, Number(status))
  const media = isBodiless ? [] : responseContent(operation, response)
  return {
    status,
    description: response.text("description"),
    body: media.length === 0 ? undefined : unionType(media.map(contentType)),
    hasContent: media.length > 0,
    headers: readHeaders(response),
  }
}

const text = scalarType("string")

function contentType(media: MediaType): ValueType {
  const kind = bodyKindOf(media.name)
  if (kind === "json") return mediaSchemaType(media, "response")
  // A range may be JSON or not. So may what is called text, or nothing certain, and described as an object.
  if (media.name.includes("*") && !/^\s*text\//i.test(media.name))
    return unionType([mediaSchemaType(media, "response"), text])
  if (kind === "form" || kind === "multipart" || /xml/i.test(media.name)) return text
  if (media.schema === undefined) return text
  const described = mediaSchemaType(media, "response")
  const hasParts = described.kinds?.has("object") === true || described.kinds?.has("array") === true
  return hasParts ? unionType([described, text]) : text
}

const listOfTexts = arrayType(text)

function readHeaders(response: Part): ReadonlyMap<string, ValueType> {
  const headers = new Map<string, ValueType>()
  for (const name of Object.keys(response.object("headers") ?? {})) {
    const lower = name.toLowerCase()
    headers.set(lower, lower === "set-cookie" ? listOfTexts : text)
  }
  return headers
}
