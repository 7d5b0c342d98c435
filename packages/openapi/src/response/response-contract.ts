// The responses that a document describes for one status of an operation. Read on first use and cached.

import { getOrCreate, memo, memoTexts, statusKeys, matchMediaType } from "@callsheet/format"
import { contentOf, headerSchema, responseContent, bodyKindOf, type MediaType } from "../document/content.ts"
import { escapePointer } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"

export type ResponseContract =
  | DocumentedResponse
  | { readonly status: "undocumented"; readonly documented: readonly string[] }
  | { readonly status: "broken"; readonly reference: string }

export interface DocumentedResponse {
  readonly status: "found"
  readonly pointer: string
  readonly content: readonly MediaType[]
  /** Returns the documented content for a content type, cached. */
  readonly match: (contentType: string) => MediaType | undefined
  readonly headers: readonly HeaderContract[]
}

export interface HeaderContract {
  readonly name: string
  readonly path: string
  readonly pointer: string
  /** The header object. Undefined if its reference is broken. */
  readonly found: Part | undefined
  readonly isRequired: boolean
  readonly judged: { readonly schema: Part; readonly readAs: "json" | "text" } | undefined
}

/** Returns the contract of an operation's responses with a status, cached. */
export const responseContract = (operation: Operation, status: number): ResponseContract =>
  getOrCreate(contractsOf(operation), status, () => readResponseContract(operation, status))

const contractsOf = memo((_: Operation) => new Map<number, ResponseContract>())

function readResponseContract(operation: Operation, status: number): ResponseContract {
  const listed = findListed(operation, status)
  if (listed === undefined) {
    const keys = Object.keys(operation.object("responses") ?? {})
    return { status: "undocumented", documented: keys.filter((key) => !key.startsWith("x-")) }
  }
  const response = listed.dereferenceObject()
  if (response === undefined) return { status: "broken", reference: listed.pointer }
  const content = responseContent(operation, response)
  return {
    status: "found",
    pointer: response.pointer,
    content,
    match: memoTexts((contentType) => matchMediaType(content, contentType), MAX_REMEMBERED),
    headers: readHeaders(response),
  }
}

/** Returns whether a response never has content (RFC 9110 sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5). */
export const hasNoContent = (method: string, status: number): boolean =>
  method === "HEAD" || status === 204 || status === 205 || status === 304

/**
 * The maximum size of the cache. It is needed because some servers write a boundary or a date into each content type.
 */
const MAX_REMEMBERED = 100

function readHeaders(response: Part): readonly HeaderContract[] {
  // Ignores `content-type`, which `content` declares (OpenAPI 3.1.1 section 4.8.17).
  const headers = response.entries("headers").filter(([name]) => name.toLowerCase() !== "content-type")
  return headers.map(([name, listed]) => {
    const found = listed.dereference()
    return {
      name,
      path: `/headers/${escapePointer(name.toLowerCase())}`,
      pointer: listed.pointer,
      found,
      isRequired: found?.member("required") === true,
      judged: found && judgedHeader(found),
    }
  })
}

function judgedHeader(header: Part): HeaderContract["judged"] {
  const schema = headerSchema(header)
  if (schema !== undefined) return { schema, readAs: "text" }
  const [media] = contentOf(header)
  return media?.schema === undefined || bodyKindOf(media.name) !== "json"
    ? undefined
    : { schema: media.schema, readAs: "json" }
}

/** Finds the response for a status. Accepts lower-case ranges (`4xx`), because many documents use them. */
const findListed = (operation: Operation, status: number): Part | undefined =>
  statusKeys(status)
    .flatMap((key) => [key, key.toLowerCase()])
    .map((key) => operation.inside("responses", key))
    .find((listed) => listed !== undefined)
