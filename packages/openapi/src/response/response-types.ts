// The types of an operation's responses as blocks read them: JSON by its schema, everything else as text.

import { memo, scalarType, unionType, unknownType, type ValueType } from "@callsheet/format"
import {
  listResponses,
  responseContent,
  bodyKindOf,
  type ListedResponse,
  type MediaType,
} from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import { hasNoContent } from "./response-contract.ts"
import { mediaSchemaType } from "../schema/types/schema-type.ts"

export interface DocumentedResponse {
  readonly status: string
  readonly description?: string | undefined
  /**
   * The type of the body. Undefined if the response has no body by the document or by HTTP. Unknown for an undocumented
   * content type.
   */
  readonly body: ValueType | undefined
  /** The documented header names in lower case. A response may have other headers too. */
  readonly headers: readonly string[]
}

export const responseTypes = memo((operation: Operation): readonly DocumentedResponse[] =>
  listResponses(operation).map((listed) => readResponse(operation, listed)),
)

function readResponse(operation: Operation, { status, response }: ListedResponse): DocumentedResponse {
  // The target of a broken reference could be anything.
  if (response === undefined) return { status, body: unknownType, headers: [] }
  const isBodiless = hasNoContent(operation.method, Number(status))
  const media = isBodiless ? [] : responseContent(operation, response)
  return {
    status,
    description: response.text("description"),
    body: media.length === 0 ? undefined : unionType(media.map(contentType)),
    headers: [...new Set(Object.keys(response.object("headers") ?? {}).map((name) => name.toLowerCase()))],
  }
}

const text: ValueType = {
  ...scalarType("string"),
  origin: "enforced",
  step: () => ({ leads: "nowhere", origin: "enforced" }),
}

function contentType(media: MediaType): ValueType {
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
