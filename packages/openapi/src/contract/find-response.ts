// Which response object and which media type of an operation a response is held against.

import { isJsonObject, type Headers, type JsonObject, type JsonValue } from "@callsheet/format"
import { dereference, escapePointer, member, objectMember, type OpenApiDocument } from "../document.ts"
import type { Operation } from "../operations.ts"

/** A part of the document with its JSON pointer. */
export interface Located<T extends JsonValue = JsonValue> {
  readonly value: T
  readonly pointer: string
}

export type FoundResponse =
  | { readonly status: "found"; readonly response: Located<JsonObject> }
  | { readonly status: "undocumented"; readonly documented: readonly string[] }
  /** The document's own reference leads nowhere. */
  | { readonly status: "broken"; readonly reference: string }

/** The exact status, then its range (`4XX`), then `default`. */
export function findResponse(document: OpenApiDocument, operation: Operation, status: number): FoundResponse {
  const responses = objectMember(operation.value, "responses") ?? {}
  const range = `${Math.floor(status / 100)}XX`
  for (const key of [String(status), range, range.toLowerCase(), "default"]) {
    const raw = member(responses, key)
    if (raw === undefined) continue
    const found = dereference(document, raw, `${operation.pointer}/responses/${key}`)
    if (found === undefined || !isJsonObject(found.value)) {
      return { status: "broken", reference: `${operation.pointer}/responses/${key}` }
    }
    return { status: "found", response: { value: found.value, pointer: found.pointer } }
  }
  return { status: "undocumented", documented: Object.keys(responses).filter((key) => !key.startsWith("x-")) }
}

export interface MediaTypeObject extends Located {
  /** As the document writes it. */
  readonly name: string
}

/** The documented media types of a response; none where no content is documented. */
export const mediaTypesOf = ({ value, pointer }: Located): readonly MediaTypeObject[] =>
  Object.entries(objectMember(value, "content") ?? {}).map(([name, media]) => ({
    name,
    value: media,
    pointer: `${pointer}/content/${escapePointer(name)}`,
  }))

/** The most specific documented type that a content type falls under; parameters and case are ignored. */
export function matchMediaType(
  documented: readonly MediaTypeObject[],
  contentType: string,
): MediaTypeObject | undefined {
  const type = essence(contentType)
  const [main] = type.split("/", 1)
  for (const wanted of [type, `${main}/*`, "*/*"]) {
    const match = documented.find(({ name }) => essence(name) === wanted)
    if (match !== undefined) return match
  }
  return undefined
}

const essence = (contentType: string): string => contentType.split(";", 1)[0]!.trim().toLowerCase()

/** The text of a response header; of several the first one. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = Object.hasOwn(headers, name.toLowerCase()) ? headers[name.toLowerCase()] : undefined
  return typeof value === "string" ? value : value?.join(", ")
}
