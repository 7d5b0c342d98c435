// What describes the bodies and headers of an operation, whichever version its document is of.

import type { DocumentedOperation } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { listOperations, type Operation } from "./operations.ts"
import type { Part } from "./part.ts"
import { hasSwaggerBody, swaggerHeaderSchema, swaggerRequestBody, swaggerResponseContent } from "./swagger.ts"

export interface MediaType {
  readonly name: string
  readonly schema?: Part | undefined
  /** All that the document says of it (3.x). */
  readonly value?: Part | undefined
}

export interface RequestBody {
  /** The document forbids requests without a body. */
  readonly required: boolean
  /** In the order of the document; ranges (`text/*`) as they stand. */
  readonly content: readonly MediaType[]
}

/** The request body of an operation; undefined where none is documented, or a reference leads nowhere. */
export function requestBodyOf(operation: Operation): RequestBody | undefined {
  if (operation.isSwagger) return swaggerRequestBody(operation)
  const body = operation.inside("requestBody")?.dereferenceObject()
  return body && { required: body.member("required") === true, content: contentOf(body) }
}

/** Whether a document speaks of a request body at all, be it by a reference that leads nowhere. */
export const hasRequestBody = (operation: Operation): boolean =>
  operation.isSwagger ? hasSwaggerBody(operation) : operation.member("requestBody") !== undefined

export const responseContent = (operation: Operation, response: Part): readonly MediaType[] =>
  operation.isSwagger ? swaggerResponseContent(operation, response) : contentOf(response)

export const headerSchema = (header: Part): Part | undefined =>
  header.isSwagger ? swaggerHeaderSchema(header) : header.inside("schema")

/** The members of a `content`; from 3.2 on each may be a reference. */
export const contentOf = (holder: Part): readonly MediaType[] =>
  holder.entries("content").map(([name, media]) => {
    const value = media.dereference() ?? media
    return { name, value, schema: value.inside("schema") }
  })

export interface ListedResponse {
  /** The key under which it is documented: `200`, `4XX` (upper case) or `default`. */
  readonly status: string
  readonly response: Part | undefined
}

export const listResponses = (operation: Operation): readonly ListedResponse[] =>
  operation
    .entries("responses")
    .filter(([key]) => !key.startsWith("x-"))
    .map(([key, listed]) => ({
      status: /^\dxx$/i.test(key) ? key.toUpperCase() : key,
      response: listed.dereferenceObject(),
    }))

export const documentedOperations = (document: OpenApiDocument): readonly DocumentedOperation[] =>
  listOperations(document).map((operation) => ({
    name: operation.name,
    method: operation.method,
    path: operation.path,
    answers: listResponses(operation).map(({ status, response }) => {
      const content = response === undefined ? [] : responseContent(operation, response)
      return { status, mediaTypes: content.map(({ name }) => name) }
    }),
  }))
