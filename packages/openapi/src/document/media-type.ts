// The media types of bodies: the kind of each type, and the type that a request uses.

import { essence, isJsonType } from "@callsheet/format"
import { requestBodyOf } from "./content.ts"
import type { Operation } from "./operations.ts"

export type BodyKind = "json" | "form" | "multipart" | "text"

/** Returns the kind of body for a media type, or undefined for bytes. */
export function bodyKindOf(mediaType: string): BodyKind | undefined {
  const type = essence(mediaType)
  if (isJsonType(type)) return "json"
  if (type === "application/x-www-form-urlencoded") return "form"
  if (type === "multipart/form-data") return "multipart"
  return textType.test(type) ? "text" : undefined
}

const textType =
  /^text\/|\+(?:xml|yaml)$|^application\/(?:xml|(?:x-)?yaml|(?:java|ecma)script|graphql|jsonl|x-jsonlines|(?:x-)?ndjson)$/

export const requestMediaTypes = (operation: Operation): readonly string[] =>
  requestBodyOf(operation)?.content.map(({ name }) => name) ?? []

/** Returns the media type of a request's body: the first JSON type, else form, multipart or text. */
export function requestMediaType(
  operation: Operation,
): { readonly mediaType: string; readonly kind: BodyKind } | undefined {
  // Replaces a range, which can't be sent, with a common type in it.
  const types = requestMediaTypes(operation).map((type) =>
    type.includes("*") ? (usualMembers.get(essence(type)) ?? "") : type,
  )
  for (const kind of ["json", "form", "multipart", "text"] as const) {
    const mediaType = types.find((type) => bodyKindOf(type) === kind)
    if (mediaType !== undefined) return { mediaType, kind }
  }
  return undefined
}

const usualMembers: ReadonlyMap<string, string> = new Map([
  ...["*", "*/*", "*/*+json", "application/*", "application/*+json"].map(
    (range) => [range, "application/json"] as const,
  ),
  ["text/*", "text/plain"],
  ["multipart/*", "multipart/form-data"],
])
