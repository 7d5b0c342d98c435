// The verdict on a response: status, content type, body and headers against what the document promises.

import {
  parseJson,
  type ContractProblem,
  type ContractView,
  type Headers,
  type JsonValue,
} from "@callsheet/format"
import type { CheckedRequest } from "../request-contract/checked-request.ts"
import type { RequestChecker } from "../request-contract/create-request-checker.ts"
import type { RequestVerdict } from "../request-contract/request-verdict.ts"
import { contentOf, headerSchema, responseContent, type MediaType } from "../content.ts"
import { dereference, member, objectMember, type Located, type OpenApiDocument } from "../document.ts"
import { escapePointer } from "../json-pointer.ts"
import type { Operation } from "../operations.ts"
import { showPart } from "../part-names.ts"
import { bodyKindOf } from "../media-type.ts"
import { notJson, otherMediaType } from "./describe-content.ts"
import { findResponse, headerTexts, matchMediaType } from "./find-response.ts"
import { listProblems } from "./list-problems.ts"
import type { PlaceFinder } from "./place-finder.ts"
import type { SchemaChecker } from "./schema-checker.ts"
import type { PatternEngine } from "./validator.ts"

export interface CheckedResponse {
  readonly operation: Operation
  /** As sent: a HEAD request has no body whatever the document says. */
  readonly method: string
  readonly status: number
  readonly headers: Headers
  /** Absent where the response has no body. */
  readonly body?: JsonValue
  /** False where the content type promises JSON and `body` is text that is none. */
  readonly isWellFormed: boolean
}

export interface ContractChecker {
  readonly check: (response: CheckedResponse) => Promise<ContractView>
  /** What a request breaks; undefined where that is nothing. A promise only where something has to be loaded or told. */
  readonly checkRequest: (
    request: CheckedRequest,
  ) => RequestVerdict | undefined | Promise<RequestVerdict | undefined>
}

export interface ContractOptions {
  /** Instead of the language's own regular expressions, whose time some patterns blow up. */
  readonly patterns?: PatternEngine
}

/**
 * Starts checking responses against a document. Schemas are compiled when a response first needs them, and kept.
 *
 * @example
 * const checker = createContractChecker(document)
 * await checker.check({ operation, method: "GET", status: 200, headers, body, isWellFormed: true })
 */
export function createContractChecker(
  document: OpenApiDocument,
  { patterns }: ContractOptions = {},
): ContractChecker {
  let loading: Promise<SchemaChecker> | undefined
  let finding: Promise<PlaceFinder> | undefined
  let requests: RequestChecker | undefined
  const contents = new Map<string, readonly MediaType[]>()
  const schemas = () =>
    (loading ??= import("./schema-checker.ts").then(({ createSchemaChecker }) =>
      createSchemaChecker(document, patterns),
    ))
  const places = () => (finding ??= loadPlaces(document))
  return {
    check: async (response) => {
      const problems = await checkResponse({ document, schemas, contents, response })
      if (problems.length === 0) return passed
      return { status: "failed", problems: await listProblems(problems, await places()) }
    },
    checkRequest: (request) =>
      requests === undefined
        ? loadRequests(document, patterns, places).then((loaded) => (requests ??= loaded).check(request))
        : requests.check(request),
  }
}

const passed: ContractView = { status: "passed", problems: [] }

const loadRequests = async (
  document: OpenApiDocument,
  patterns: PatternEngine | undefined,
  places: () => Promise<PlaceFinder>,
): Promise<RequestChecker> =>
  (await import("../request-contract/create-request-checker.ts")).createRequestChecker(document, {
    patterns,
    places,
  })

const loadPlaces = async (document: OpenApiDocument): Promise<PlaceFinder> =>
  (await import("./place-finder.ts")).createPlaceFinder(document)

interface Check {
  readonly document: OpenApiDocument
  readonly schemas: () => Promise<SchemaChecker>
  /** What is documented of responses that came before. */
  readonly contents: Map<string, readonly MediaType[]>
  readonly response: CheckedResponse
}

async function checkResponse(check: Check): Promise<readonly ContractProblem[]> {
  const { document, response } = check
  const found = findResponse(document, response.operation, response.status)
  const path = "/status"
  switch (found.status) {
    case "undocumented":
      return [
        {
          path,
          message: `expected ${found.documented.join(", ") || "no status at all"} as documented, came ${response.status}`,
          schema: `${response.operation.pointer}/responses`,
        },
      ]
    case "broken": {
      const schema = found.reference
      return [{ path, message: `the document's own reference at ${showPart(schema)} leads nowhere`, schema }]
    }
    case "found":
      return [...(await checkBody(check, found.response)), ...(await checkHeaders(check, found.response))]
  }
}

/** RFC 9110 sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5: these never carry content. */
const hasNoContent = ({ method, status }: CheckedResponse): boolean =>
  method === "HEAD" || status === 204 || status === 205 || status === 304

async function checkBody(check: Check, documented: Located): Promise<readonly ContractProblem[]> {
  const { response } = check
  const mediaTypes = documentedContent(check, documented)
  if (mediaTypes.length === 0 || hasNoContent(response)) return []
  const names = (): string => mediaTypes.map(({ name }) => name).join(", ")
  // Swagger 2.0 has none: then the response itself is the place.
  const content = `${documented.pointer}/content`
  if (response.body === undefined)
    return [{ path: "/body", message: `expected a body (${names()}), came none`, schema: content }]
  const contentType = headerTexts(response.headers, "content-type")[0]
  const media = contentType === undefined ? undefined : matchMediaType(mediaTypes, contentType)
  if (contentType === undefined || media === undefined) {
    const message = otherMediaType(mediaTypes, contentType)
    return [{ path: "/headers/content-type", message, schema: content }]
  }
  const kind = bodyKindOf(contentType)
  if (kind === "json" && !response.isWellFormed) {
    return [{ path: "/body", message: notJson(response.body), schema: media.schema?.pointer ?? content }]
  }
  const { schema } = media
  if (schema === undefined) return []
  if (kind === "json") return (await check.schemas()).check(schema, response.body, "/body")
  // A schema of a form, of XML or of bytes describes what a reader would make of them: there is no such value here.
  if (!isPlainText(contentType) || typeof response.body !== "string") return []
  return (await check.schemas()).checkText(schema, { text: response.body, isHeader: false }, "/body")
}

function documentedContent(
  { document, contents, response: { operation } }: Check,
  documented: Located,
): readonly MediaType[] {
  const key = `${operation.pointer} ${documented.pointer}`
  let content = contents.get(key)
  if (content === undefined) {
    content = responseContent(document, operation, documented)
    contents.set(key, content)
  }
  return content
}

const isPlainText = (contentType: string): boolean => /^\s*text\/(?!xml|event-stream)/i.test(contentType)

async function checkHeaders(check: Check, documented: Located): Promise<readonly ContractProblem[]> {
  const problems: ContractProblem[] = []
  for (const [name, raw] of Object.entries(objectMember(documented.value, "headers") ?? {})) {
    // OpenAPI 3.1.1 section 4.8.17: an entry of this name is ignored; `content` says it.
    if (name.toLowerCase() === "content-type") continue
    const pointer = `${documented.pointer}/headers/${escapePointer(name)}`
    const header = dereference(check.document, { value: raw, pointer })
    const path = `/headers/${escapePointer(name.toLowerCase())}`
    if (header === undefined) {
      const message = `the document's own reference at ${showPart(pointer)} leads nowhere`
      problems.push({ path, message, schema: pointer })
      continue
    }
    const texts = headerTexts(check.response.headers, name)
    for (const text of texts) problems.push(...(await checkHeader(check, header, { text, path })))
    if (texts.length > 0 || member(header.value, "required") !== true) continue
    const message = "expected a value (the header is required), came nothing"
    problems.push({ path, message, schema: header.pointer })
  }
  return problems
}

async function checkHeader(
  { document, schemas }: Check,
  header: Located,
  { text, path }: { readonly text: string; readonly path: string },
): Promise<readonly ContractProblem[]> {
  const schema = headerSchema(document, header)
  if (schema !== undefined) return (await schemas()).checkText(schema, { text, isHeader: true }, path)
  const [media] = contentOf(document, header)
  if (media?.schema === undefined || bodyKindOf(media.name) !== "json") return []
  const parsed = parseJson(text)
  if (!parsed.ok) return [{ path, message: notJson(text), schema: media.schema.pointer }]
  return (await schemas()).check(media.schema, parsed.value, path)
}
