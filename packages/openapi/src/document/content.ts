// What describes the bodies and headers of an operation, whichever version its document is of.

import type { DocumentedOperation } from "@callsheet/format"
import { dereference, dereferenceObject, type LocatedObject, type OpenApiDocument } from "./document.ts"
import { entriesIn, inside, type Located, member } from "./located.ts"
import { listOperations, type Operation } from "./operations.ts"
import { hasSwaggerBody, swaggerHeaderSchema, swaggerRequestBody, swaggerResponseContent } from "./swagger.ts"

export interface MediaType {
  readonly name: string
  readonly schema?: Located | undefined
  /** All that the document says of it (3.x). */
  readonly value?: Located | undefined
}

export interface RequestBody {
  /** The document forbids requests without a body. */
  readonly required: boolean
  /** In the order of the document; ranges (`text/*`) as they stand. */
  readonly content: readonly MediaType[]
}

/** The request body of an operation; undefined where none is documented, or a reference leads nowhere. */
export function requestBodyOf(document: OpenApiDocument, operation: Operation): RequestBody | undefined {
  if (document.version === "2.0") return swaggerRequestBody(document, operation)
  const written = inside(operation, "requestBody")
  const body = written && dereferenceObject(document, written)
  return body && { required: member(body.value, "required") === true, content: contentOf(document, body) }
}

/** Whether a document speaks of a request body at all, be it by a reference that leads nowhere. */
export const hasRequestBody = (document: OpenApiDocument, operation: Operation): boolean =>
  document.version === "2.0"
    ? hasSwaggerBody(document, operation)
    : member(operation.value, "requestBody") !== undefined

export const responseContent = (
  document: OpenApiDocument,
  operation: Operation,
  response: Located,
): readonly MediaType[] =>
  document.version === "2.0"
    ? swaggerResponseContent(document, operation, response)
    : contentOf(document, response)

export const headerSchema = (document: OpenApiDocument, header: Located): Located | undefined =>
  document.version === "2.0" ? swaggerHeaderSchema(header) : inside(header, "schema")

/** The members of a `content`; from 3.2 on each may be a reference. */
export const contentOf = (document: OpenApiDocument, holder: Located): readonly MediaType[] =>
  entriesIn(holder, "content").map(([name, media]) => {
    const value = dereference(document, media) ?? media
    return { name, value, schema: inside(value, "schema") }
  })

export interface ListedResponse {
  /** The key under which it is documented: `200`, `4XX` (upper case) or `default`. */
  readonly status: string
  readonly response: LocatedObject | undefined
}

export const listResponses = (document: OpenApiDocument, operation: Operation): readonly ListedResponse[] =>
  entriesIn(operation, "responses")
    .filter(([key]) => !key.startsWith("x-"))
    .map(([key, listed]) => ({
      status: /^\dxx$/i.test(key) ? key.toUpperCase() : key,
      response: dereferenceObject(document, listed),
    }))

export const documentedOperations = (document: OpenApiDocument): readonly DocumentedOperation[] =>
  listOperations(document).map((operation) => ({
    name: operation.name,
    method: operation.method,
    path: operation.path,
    answers: listResponses(document, operation).map(({ status, response }) => {
      const content = response === undefined ? [] : responseContent(document, operation, response)
      return { status, mediaTypes: content.map(({ name }) => name) }
    }),
  }))
