// Media types of bodies: what they are made of, which documented one is meant, and which one a request is sent as.

import { type MediaType, requestBodyOf } from "./content.ts"
import type { Operation } from "./operations.ts"

export type BodyKind = "json" | "form" | "multipart" | "text"

/** What a body of a media type is made of, or undefined for bytes. */
export function bodyKindOf(mediaType: string): BodyKind | undefined {
  const type = withoutParameters(mediaType).trim().toLowerCase()
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return "json"
  if (type === "application/x-www-form-urlencoded") return "form"
  if (type === "multipart/form-data") return "multipart"
  return textType.test(type) ? "text" : undefined
}

const textType =
  /^text\/|\+(?:xml|yaml)$|^application\/(?:xml|(?:x-)?yaml|(?:java|ecma)script|graphql|jsonl|x-jsonlines|(?:x-)?ndjson)$/

export const requestMediaTypes = (operation: Operation): readonly string[] =>
  requestBodyOf(operation)?.content.map(({ name }) => name) ?? []

/** The media type that a body is sent as: the first JSON type, else form, multipart, text. */
export function requestMediaType(
  operation: Operation,
): { readonly mediaType: string; readonly kind: BodyKind } | undefined {
  // No body can be sent as a range: a usual type that is in it is taken.
  const types = requestMediaTypes(operation).map((type) =>
    type.includes("*") ? (usualMembers.get(withoutParameters(type).trim().toLowerCase()) ?? "") : type,
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

const withoutParameters = (mediaType: string): string => mediaType.replace(/;.*/s, "")

/** The most specific documented type that a content type falls under. Parameters count only between types that differ in them. */
export function matchMediaType(documented: readonly MediaType[], contentType: string): MediaType | undefined {
  const type = essence(contentType)
  const [main] = type.split("/", 1)
  const suffix = type.slice(type.lastIndexOf("+"))
  const same = documented.filter(({ name }) => essence(name) === type)
  const exact = same.find(({ name }) => bare(name) === bare(contentType))
  if (exact !== undefined || same.length > 0) return exact ?? same[0]
  for (const range of [`${main}/*${suffix}`, `${main}/*`, `*/*${suffix}`, "*/*", "*"]) {
    const match = documented.find(({ name }) => essence(name) === range)
    if (match !== undefined) return match
  }
  return undefined
}

const bare = (contentType: string): string => contentType.replaceAll(/[\s"]/g, "").toLowerCase()

const essence = (contentType: string): string => bare(withoutParameters(contentType))
