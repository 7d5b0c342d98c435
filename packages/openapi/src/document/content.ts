// Reads the bodies and headers of an operation and their media types, for every OpenAPI version.

import { essence, isJsonType, isTextType, matchMediaType, type DocumentedOperation } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"
import { listOperations, type Operation } from "./operations.ts"
import type { Part } from "./part.ts"
import { hasSwaggerBody, swaggerHeaderSchema, swaggerRequestBody, swaggerResponseContent } from "./swagger.ts"

export interface MediaType {
  readonly name: string
  readonly schema?: Part | undefined
  /** The schema of each item of a stream (3.2). */
  readonly itemSchema?: Part | undefined
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
    return { name, value, schema: value.inside("schema"), itemSchema: value.inside("itemSchema") }
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

export type BodyKind = "json" | "form" | "multipart" | "text"

/** Returns the kind of body for a media type, or undefined for bytes. */
export function bodyKindOf(mediaType: string): BodyKind | undefined {
  const type = essence(mediaType)
  if (isJsonType(type)) return "json"
  if (type === "application/x-www-form-urlencoded") return "form"
  if (type === "multipart/form-data") return "multipart"
  return isTextType(type) ? "text" : undefined
}

export const requestMediaTypes = (operation: Operation): readonly string[] =>
  requestBodyOf(operation)?.content.map(({ name }) => name) ?? []

/** Returns the media type of a request's body: the first JSON type, else form, multipart or text. */
export function requestMediaType(
  operation: Operation,
): { readonly mediaType: string; readonly kind: BodyKind } | undefined {
  // Replaces a range, which can't be sent, with a common type in it.
  const types = requestMediaTypes(operation).map((type) => usualMember(type) ?? "")
  for (const kind of ["json", "form", "multipart", "text"] as const) {
    const mediaType = types.find((type) => bodyKindOf(type) === kind)
    if (mediaType !== undefined) return { mediaType, kind }
  }
  return undefined
}

/** Returns a common type in a range such as `text/*`, or the type itself. Undefined if no type of the range is common. */
export const usualMember = (type: string): string | undefined =>
  type.includes("*") ? usualMembers.get(essence(type)) : type

/** Returns the media type of a request's body with its schema. `kind` is undefined for bytes. */
export function requestMedia(
  operation: Operation,
): (MediaType & { readonly mediaType: string; readonly kind: BodyKind | undefined }) | undefined {
  const content = requestBodyOf(operation)?.content ?? []
  const chosen = requestMediaType(operation)
  const media = chosen === undefined ? content[0] : matchMediaType(content, chosen.mediaType)
  return media && { ...media, mediaType: chosen?.mediaType ?? media.name, kind: chosen?.kind }
}

const usualMembers: ReadonlyMap<string, string> = new Map([
  ...["*", "*/*", "*/*+json", "application/*", "application/*+json"].map(
    (range) => [range, "application/json"] as const,
  ),
  ["text/*", "text/plain"],
  ["multipart/*", "multipart/form-data"],
])
