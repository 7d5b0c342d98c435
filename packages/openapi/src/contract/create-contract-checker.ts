// The verdict on a response: status, content type, body and headers against what the document promises.

import {
  isJsonObject,
  type ContractProblem,
  type ContractView,
  type Headers,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { dereference, escapePointer, member, objectMember, type OpenApiDocument } from "../document.ts"
import type { Operation } from "../operations.ts"
import { findResponse, headerText, matchMediaType, mediaTypesOf, type Located } from "./find-response.ts"
import type { SchemaChecker } from "./schema-checker.ts"

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
}

/** Problems beyond this are only counted. */
const MAX_PROBLEMS = 20

/**
 * Starts checking responses against a document. Schemas are compiled when a response first needs them, and kept.
 *
 * @example
 * const checker = createContractChecker(document)
 * await checker.check({ operation, method: "GET", status: 200, headers, body, isWellFormed: true })
 */
export function createContractChecker(document: OpenApiDocument): ContractChecker {
  let loading: Promise<SchemaChecker> | undefined
  const schemas = () =>
    (loading ??= import("./schema-checker.ts").then(({ createSchemaChecker }) =>
      createSchemaChecker(document),
    ))
  return {
    check: async (response) => view(await checkResponse({ document, schemas, response })),
  }
}

function view(problems: readonly ContractProblem[]): ContractView {
  if (problems.length === 0) return { status: "passed", problems }
  if (problems.length <= MAX_PROBLEMS) return { status: "failed", problems }
  const more = { path: "", message: `and ${problems.length - MAX_PROBLEMS} more problems` }
  return { status: "failed", problems: [...problems.slice(0, MAX_PROBLEMS), more] }
}

interface Check {
  readonly document: OpenApiDocument
  readonly schemas: () => Promise<SchemaChecker>
  readonly response: CheckedResponse
}

async function checkResponse(check: Check): Promise<readonly ContractProblem[]> {
  const { document, response } = check
  const found = findResponse(document, response.operation, response.status)
  switch (found.status) {
    case "undocumented":
      return [
        {
          path: "/status",
          message: `the status ${response.status} is not documented; documented are ${found.documented.join(", ") || "none"}`,
        },
      ]
    case "broken":
      return [{ path: "/status", message: `the document's own reference at ${found.reference} is broken` }]
    case "found":
      return [...(await checkBody(check, found.response)), ...(await checkHeaders(check, found.response))]
  }
}

/** RFC 9110 sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5: these never carry content. */
const hasNoContent = ({ method, status }: CheckedResponse): boolean =>
  method === "HEAD" || status === 204 || status === 205 || status === 304

async function checkBody(check: Check, documented: Located): Promise<readonly ContractProblem[]> {
  const { response } = check
  const mediaTypes = mediaTypesOf(documented)
  if (mediaTypes.length === 0 || hasNoContent(response)) return []
  const names = mediaTypes.map(({ name }) => name).join(", ")
  if (response.body === undefined)
    return [{ path: "/body", message: `expected a body (${names}), came none` }]
  const contentType = headerText(response.headers, "content-type")
  if (contentType === undefined) {
    return [{ path: "/headers/content-type", message: `expected ${names}, came no content type` }]
  }
  const media = matchMediaType(mediaTypes, contentType)
  if (media === undefined) {
    return [{ path: "/headers/content-type", message: `expected ${names}, came ${contentType}` }]
  }
  if (!response.isWellFormed) return [{ path: "/body", message: "expected JSON, came text that is none" }]
  const schema = member(media.value, "schema")
  // The schema of bytes describes them as a string that a JSON schema has nothing more to say of.
  if (schema === undefined || !isStructured(contentType)) return []
  const checker = await check.schemas()
  return checker.check({ value: schema, pointer: `${media.pointer}/schema` }, response.body, "/body")
}

const isStructured = (contentType: string): boolean =>
  /^\s*(?:[\w.+-]+\/(?:[\w.+-]+\+)?json|text\/)/i.test(contentType)

async function checkHeaders(check: Check, documented: Located): Promise<readonly ContractProblem[]> {
  const problems: ContractProblem[] = []
  for (const [name, raw] of Object.entries(objectMember(documented.value, "headers") ?? {})) {
    // OpenAPI 3.1 section 4.8.17: an entry of this name is ignored; `content` says it.
    if (name.toLowerCase() === "content-type") continue
    const pointer = `${documented.pointer}/headers/${escapePointer(name)}`
    const header = dereference(check.document, raw, pointer)
    const path = `/headers/${escapePointer(name.toLowerCase())}`
    if (header === undefined || !isJsonObject(header.value)) {
      problems.push({ path, message: `the document's own reference at ${pointer} is broken` })
      continue
    }
    const text = headerText(check.response.headers, name)
    if (text !== undefined)
      problems.push(
        ...(await checkHeader(check, { value: header.value, pointer: header.pointer }, { text, path })),
      )
    else if (member(header.value, "required") === true)
      problems.push({ path, message: "the header is required and missing" })
  }
  return problems
}

async function checkHeader(
  { schemas }: Check,
  header: Located<JsonObject>,
  { text, path }: { readonly text: string; readonly path: string },
): Promise<readonly ContractProblem[]> {
  const schema = member(header.value, "schema")
  if (schema === undefined) return []
  const checker = await schemas()
  const located = { value: schema, pointer: `${header.pointer}/schema` }
  return checker.check(located, checker.readText(located, text), path)
}
