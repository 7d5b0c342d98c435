// What describes the bodies and headers of an operation, whichever version its document is of.

import { isJsonObject } from "@callsheet/format"
import { dereference, type Located, member, objectMember, type OpenApiDocument } from "./document.ts"
import { escapePointer } from "./json-pointer.ts"
import type { Operation } from "./operations.ts"
import { hasSwaggerBody, swaggerRequestBody } from "./swagger-request-body.ts"
import { swaggerHeaderSchema, swaggerResponseContent } from "./swagger-response.ts"

export interface MediaType {
  /** As the document writes it. */
  readonly name: string
  readonly schema?: Located
  /** All that the document says of it (3.x). */
  readonly value?: Located
  /** How the fields of a form are written (3.x). */
  readonly encoding?: Located
}

export interface RequestBody {
  /** Whether a request without a body is one that the document forbids. */
  readonly required: boolean
  /** In the order of the document; ranges (`text/*`) as they stand. */
  readonly content: readonly MediaType[]
}

/** The request body of an operation; undefined where none is documented, or a reference leads nowhere. */
export function requestBodyOf(document: OpenApiDocument, operation: Operation): RequestBody | undefined {
  if (document.version === "2.0") return swaggerRequestBody(document, operation)
  const value = member(operation.value, "requestBody")
  if (value === undefined) return undefined
  const body = dereference(document, { value, pointer: `${operation.pointer}/requestBody` })
  if (!isJsonObject(body?.value)) return undefined
  return { required: member(body.value, "required") === true, content: contentOf(document, body) }
}

/** Whether a document speaks of a request body at all, be it by a reference that leads nowhere. */
export const hasRequestBody = (document: OpenApiDocument, operation: Operation): boolean =>
  document.version === "2.0"
    ? hasSwaggerBody(document, operation)
    : member(operation.value, "requestBody") !== undefined

/** The documented media types of a response of the operation; none where no content is documented. */
export const responseContent = (
  document: OpenApiDocument,
  operation: Operation,
  response: Located,
): readonly MediaType[] =>
  document.version === "2.0"
    ? swaggerResponseContent(document, operation, response)
    : contentOf(document, response)

/** What describes the value of a response's header. */
export const headerSchema = (document: OpenApiDocument, header: Located): Located | undefined =>
  document.version === "2.0" ? swaggerHeaderSchema(header) : schemaOf(header)

/** The members of a `content`; from 3.2 on each may be a reference. */
export const contentOf = (document: OpenApiDocument, { value, pointer }: Located): readonly MediaType[] =>
  Object.entries(objectMember(value, "content") ?? {}).map(([name, media]) => {
    const raw = { value: media, pointer: `${pointer}/content/${escapePointer(name)}` }
    const found = dereference(document, raw) ?? raw
    const schema = schemaOf(found)
    const encoding = member(found.value, "encoding")
    return {
      name,
      value: found,
      ...(schema === undefined ? {} : { schema }),
      ...(encoding === undefined
        ? {}
        : { encoding: { value: encoding, pointer: `${found.pointer}/encoding` } }),
    }
  })

function schemaOf({ value, pointer }: Located): Located | undefined {
  const schema = member(value, "schema")
  return schema === undefined ? undefined : { value: schema, pointer: `${pointer}/schema` }
}
