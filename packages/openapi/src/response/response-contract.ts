// What a document says of the responses of an operation with one status: read when the first of them comes, and kept.

import { getOrCreate, memo, memoTexts, statusKeys, matchMediaType } from "@callsheet/format"
import { contentOf, headerSchema, type MediaType, responseContent } from "../document/content.ts"
import { escapePointer } from "../document/located.ts"
import { bodyKindOf } from "../document/media-type.ts"
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
  /** What is documented of a content type; the same object each time. */
  readonly match: (contentType: string) => MatchedContent | undefined
  readonly headers: readonly HeaderContract[]
  readonly judgesBody: boolean
  readonly judgesHeaders: boolean
}

interface MatchedContent {
  readonly media: MediaType
  /** As what the body is held against its schema; undefined where a schema says nothing of what came. */
  readonly readAs: "json" | "text" | undefined
}

export interface HeaderContract {
  readonly name: string
  readonly path: string
  readonly pointer: string
  /** Undefined where the document's own reference leads nowhere. */
  readonly found: Part | undefined
  readonly isRequired: boolean
  readonly judged: { readonly schema: Part; readonly readAs: "json" | "text" } | undefined
}

/** Gives the contract of an operation's responses with a status; the same object each time. */
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
  const headers = readHeaders(response)
  return {
    status: "found",
    pointer: response.pointer,
    content,
    match: createMatcher(content),
    headers,
    judgesBody: content.some(({ name, schema }) => schema !== undefined && mayBeRead(name)),
    judgesHeaders: headers.some(({ judged }) => judged !== undefined),
  }
}

/** RFC 9110 sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5: these never carry content. */
export const hasNoContent = (method: string, status: number): boolean =>
  method === "HEAD" || status === 204 || status === 205 || status === 304

/** Servers that write a boundary or a date into each content type are not remembered for ever. */
const MAX_REMEMBERED = 100

const createMatcher = (content: readonly MediaType[]): DocumentedResponse["match"] =>
  memoTexts((contentType) => {
    const media = matchMediaType(content, contentType)
    return media && { media, readAs: readingOf(contentType) }
  }, MAX_REMEMBERED)

/** A schema of a form, of XML or of bytes describes what a reader would make of them: there is no such value here. */
function readingOf(contentType: string): MatchedContent["readAs"] {
  if (bodyKindOf(contentType) === "json") return "json"
  return /^\s*text\/(?!xml|event-stream)/i.test(contentType) ? "text" : undefined
}

const mayBeRead = (mediaType: string): boolean =>
  mediaType.includes("*") || readingOf(mediaType) !== undefined

function readHeaders(response: Part): readonly HeaderContract[] {
  // OpenAPI 3.1.1 section 4.8.17: an entry of this name is ignored; `content` says it.
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

/** Ranges count in lower case too (`4xx`), as many documents write them. */
const findListed = (operation: Operation, status: number): Part | undefined =>
  statusKeys(status)
    .flatMap((key) => [key, key.toLowerCase()])
    .map((key) => operation.inside("responses", key))
    .find((listed) => listed !== undefined)
