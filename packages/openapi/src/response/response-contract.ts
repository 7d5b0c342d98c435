// What a document says of the responses of an operation with one status: read when the first of them comes, and kept.

import { getOrCreate, memo, memoTexts, statusKeys } from "@callsheet/format"
import { contentOf, headerSchema, type MediaType, responseContent } from "../document/content.ts"
import { dereference, dereferenceObject, type OpenApiDocument } from "../document/document.ts"
import { entriesIn, escapePointer, inside, type Located, member, objectMember } from "../document/located.ts"
import { bodyKindOf, matchMediaType } from "../document/media-type.ts"
import type { Operation } from "../document/operations.ts"

export type ResponseContract = Exclude<FoundResponse, { readonly status: "found" }> | DocumentedResponse

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
  readonly found: Located | undefined
  readonly isRequired: boolean
  readonly judged: { readonly schema: Located; readonly readAs: "json" | "text" } | undefined
}

/** Gives the contract of an operation's responses with a status; the same object each time. */
export function createResponseContracts(document: OpenApiDocument) {
  const contractsOf = memo((_: Operation) => new Map<number, ResponseContract>())
  return (operation: Operation, status: number): ResponseContract =>
    getOrCreate(contractsOf(operation), status, () => readResponseContract(document, operation, status))
}

function readResponseContract(
  document: OpenApiDocument,
  operation: Operation,
  status: number,
): ResponseContract {
  const found = findResponse(document, operation, status)
  if (found.status !== "found") return found
  const { response } = found
  const content = responseContent(document, operation, response)
  const headers = readHeaders(document, response)
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

function readHeaders(document: OpenApiDocument, response: Located): readonly HeaderContract[] {
  // OpenAPI 3.1.1 section 4.8.17: an entry of this name is ignored; `content` says it.
  const headers = entriesIn(response, "headers").filter(([name]) => name.toLowerCase() !== "content-type")
  return headers.map(([name, listed]) => {
    const found = dereference(document, listed)
    return {
      name,
      path: `/headers/${escapePointer(name.toLowerCase())}`,
      pointer: listed.pointer,
      found,
      isRequired: member(found?.value, "required") === true,
      judged: found && judgedHeader(document, found),
    }
  })
}

function judgedHeader(document: OpenApiDocument, header: Located): HeaderContract["judged"] {
  const schema = headerSchema(document, header)
  if (schema !== undefined) return { schema, readAs: "text" }
  const [media] = contentOf(document, header)
  return media?.schema === undefined || bodyKindOf(media.name) !== "json"
    ? undefined
    : { schema: media.schema, readAs: "json" }
}

type FoundResponse =
  | { readonly status: "found"; readonly response: Located }
  | { readonly status: "undocumented"; readonly documented: readonly string[] }
  | { readonly status: "broken"; readonly reference: string }

/** Ranges count in lower case too (`4xx`), as many documents write them. */
function findResponse(document: OpenApiDocument, operation: Operation, status: number): FoundResponse {
  for (const key of statusKeys(status).flatMap((one) => [one, one.toLowerCase()])) {
    const listed = inside(operation, "responses", key)
    if (listed === undefined) continue
    const response = dereferenceObject(document, listed)
    return response ? { status: "found", response } : { status: "broken", reference: listed.pointer }
  }
  const documented = Object.keys(objectMember(operation.value, "responses") ?? {})
  return { status: "undocumented", documented: documented.filter((key) => !key.startsWith("x-")) }
}
