// The bodies and headers of an operation, for every OpenAPI version.

import type { DocumentedOperation } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { listOperations, type Operation } from "./operations.ts"
import type { Part } from "./part.ts"
import { hasSwaggerBody, swaggerHeaderSchema, swaggerRequestBody, swaggerResponseContent } from "./swagger.ts"

export interface MediaType {
  readonly name: string
  readonly schema?: Part | undefined
  /** The request body object (3.x). */
  readonly value?: Part | undefined
}

export interface RequestBody {
  readonly required: boolean
  /** The media types in document order, including ranges such as `text/*`. */
  readonly content: readonly MediaType[]
}

/** Returns an operation's request body, or undefined if none is documented or its reference is broken. */
export function requestBodyOf(operation: Operation): RequestBody | undefined {
  if (operation.isSwagger) return swaggerRequestBody(operation)
  const body = operation.inside("requestBody")?.dereferenceObject()
  return body && { required: body.member("required") === true, content: contentOf(body) }
}

/** Returns true if the operation documents a request body, even through a broken reference. */
export const hasRequestBody = (operation: Operation): boolean =>
  operation.isSwagger ? hasSwaggerBody(operation) : operation.member("requestBody") !== undefined

export const responseContent = (operation: Operation, response: Part): readonly MediaType[] =>
  operation.isSwagger ? swaggerResponseContent(operation, response) : contentOf(response)

export const headerSchema = (header: Part): Part | undefined =>
  header.isSwagger ? swaggerHeaderSchema(header) : header.inside("schema")

/** Returns the media types in `content`. From 3.2 on, each may be a reference. */
export const contentOf = (holder: Part): readonly MediaType[] =>
  holder.entries("content").map(([name, media]) => {
    const value = media.dereference() ?? media
    return { name, value, schema: value.inside("schema") }
  })

export interface ListedResponse {
  /** The documented key: `200`, `4XX` (upper case) or `default`. */
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
