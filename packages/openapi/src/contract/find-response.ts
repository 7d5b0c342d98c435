// Which response object and which media type of an operation a response is held against.

import { isJsonObject, statusKeys, type Headers } from "@callsheet/format"
import type { MediaType } from "../content.ts"
import { dereference, member, objectMember, type Located, type OpenApiDocument } from "../document.ts"
import type { Operation } from "../operations.ts"

export type FoundResponse =
  | { readonly status: "found"; readonly response: Located }
  | { readonly status: "undocumented"; readonly documented: readonly string[] }
  /** The document's own reference leads nowhere. */
  | { readonly status: "broken"; readonly reference: string }

/** Ranges count in lower case too (`4xx`), as many documents write them. */
export function findResponse(document: OpenApiDocument, operation: Operation, status: number): FoundResponse {
  const responses = objectMember(operation.value, "responses") ?? {}
  for (const key of statusKeys(status).flatMap((one) => [one, one.toLowerCase()])) {
    const raw = member(responses, key)
    if (raw === undefined) continue
    const found = dereference(document, { value: raw, pointer: `${operation.pointer}/responses/${key}` })
    if (found === undefined || !isJsonObject(found.value)) {
      return { status: "broken", reference: `${operation.pointer}/responses/${key}` }
    }
    return { status: "found", response: { value: found.value, pointer: found.pointer } }
  }
  return { status: "undocumented", documented: Object.keys(responses).filter((key) => !key.startsWith("x-")) }
}

/**
 * The most specific documented type that a content type falls under, whatever their case. Parameters are ignored, but
 * for telling apart types that differ in them alone.
 */
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

const essence = (contentType: string): string => bare(contentType.split(";", 1)[0]!)

/** The texts of a response header: several of `set-cookie`, else one at most. */
export function headerTexts(headers: Headers, name: string): readonly string[] {
  const key = name.toLowerCase()
  const value = Object.hasOwn(headers, key) ? headers[key] : undefined
  return value === undefined ? [] : typeof value === "string" ? [value] : value
}
