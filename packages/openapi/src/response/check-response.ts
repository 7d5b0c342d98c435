// Checks the status, content type, body and headers of a response against its contract. Schemas must be loaded.

import { type ContractProblem, type Headers, type JsonValue, parseJson } from "@callsheet/format"
import { showPart } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"
import {
  type DocumentedResponse,
  hasNoContent,
  type HeaderContract,
  type ResponseContract,
} from "./response-contract.ts"
import { headerTexts, notJson, otherMediaType } from "../schema/validate/contract-problems.ts"
import type { SchemaChecker } from "../schema/validate/schema-checker.ts"

export interface CheckedResponse {
  readonly operation: Operation
  /** The method that was sent. A response to HEAD never has a body. */
  readonly method: string
  readonly status: number
  readonly headers: Headers
  readonly body?: JsonValue | undefined
  /** False if the content type is JSON but `body` is not valid JSON. */
  readonly isWellFormed: boolean
  readonly isSecret?: (text: string) => boolean
}

export const needsSchemas = (contract: ResponseContract, { body }: CheckedResponse): boolean =>
  contract.status === "found" && (contract.judgesHeaders || (contract.judgesBody && body !== undefined))

/** Checks a response. Without `schemas`, skips validation against schemas. */
export function checkResponse(
  contract: ResponseContract,
  response: CheckedResponse,
  schemas?: SchemaChecker,
): Problems {
  const path = "/status"
  switch (contract.status) {
    case "undocumented": {
      const documented = contract.documented.join(", ") || "no status at all"
      const message = `expected ${documented} as documented, received ${response.status}`
      return [{ path, message, schema: `${response.operation.pointer}/responses` }]
    }
    case "broken":
      return [{ path, message: leadsNowhere(contract.reference), schema: contract.reference }]
    case "found": {
      const body = checkBody(contract, response, schemas)
      const headers = checkHeaders(contract, response.headers, schemas)
      return headers.length === 0 ? body : [...body, ...headers]
    }
  }
}

const leadsNowhere = (pointer: string): string =>
  `the document's own reference at ${showPart(pointer)} does not resolve`

type Problems = readonly ContractProblem[]
const nothing: Problems = []

function checkBody(
  contract: DocumentedResponse,
  response: CheckedResponse,
  schemas?: SchemaChecker,
): Problems {
  const { content, match, pointer } = contract
  if (content.length === 0 || hasNoContent(response.method, response.status)) return nothing
  const { body } = response
  const path = "/body"
  // Swagger 2.0 has no `content`, so the problem points to the response.
  const place = `${pointer}/content`
  if (body === undefined) {
    const names = content.map(({ name }) => name).join(", ")
    return [{ path, message: `expected a body (${names}), received none`, schema: place }]
  }
  const contentType = headerTexts(response.headers, "content-type")[0]
  const matched = contentType === undefined ? undefined : match(contentType)
  if (matched === undefined) {
    const message = otherMediaType(content, contentType)
    return [{ path: "/headers/content-type", message, schema: place }]
  }
  const { schema } = matched.media
  if (matched.readAs === "json" && !response.isWellFormed)
    return [{ path, message: notJson(body), schema: schema?.pointer ?? place }]
  if (schema === undefined || schemas === undefined) return nothing
  if (matched.readAs === "json") return schemas.check(schema, [body], path)
  if (matched.readAs === undefined || typeof body !== "string") return nothing
  return schemas.checkText(schema, { text: body, isHeader: false }, path)
}

function checkHeaders(contract: DocumentedResponse, sent: Headers, schemas?: SchemaChecker): Problems {
  if (contract.headers.length === 0) return nothing
  const problems: ContractProblem[] = []
  for (const header of contract.headers) {
    const { name, path, pointer, found, isRequired } = header
    if (found === undefined) {
      problems.push({ path, message: leadsNowhere(pointer), schema: pointer })
      continue
    }
    const texts = headerTexts(sent, name)
    for (const text of texts) problems.push(...checkHeader(header, text, schemas))
    if (texts.length > 0 || !isRequired) continue
    const message = "missing required header"
    problems.push({ path, message, schema: found.pointer })
  }
  return problems
}

function checkHeader({ judged, path }: HeaderContract, text: string, schemas?: SchemaChecker): Problems {
  if (judged === undefined || schemas === undefined) return nothing
  const { schema, readAs } = judged
  if (readAs === "text") return schemas.checkText(schema, { text, isHeader: true }, path)
  const parsed = parseJson(text)
  return parsed.ok
    ? schemas.check(schema, [parsed.value], path)
    : [{ path, message: notJson(text), schema: schema.pointer }]
}
