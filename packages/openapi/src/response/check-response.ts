// Checks the status, content type, body and headers of a response against its contract.

import {
  type ContractProblem,
  type Headers,
  isJsonArray,
  type JsonValue,
  once,
  parseJson,
  streamFormatOf,
  streamItems,
  streamText,
  stringifyJson,
  toText,
  type StreamFormat,
} from "@callsheet/format"
import type { StreamBody } from "../content/check-stream.ts"
import { checkContent, type Content, type ContentVerdict } from "../content/check-content.ts"
import { fromBase64, readMultipart } from "../content/multipart.ts"
import { showPart } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"
import {
  type DocumentedResponse,
  hasNoContent,
  type HeaderContract,
  responseContract,
} from "./response-contract.ts"
import { headerTexts, notJson, otherMediaType } from "../schema/validate/contract-problems.ts"
import type { CheckSchema } from "../schema/validate/schema-checker.ts"
import { headerReadings } from "../schema/validate/text-readings.ts"

export interface CheckedResponse {
  readonly operation: Operation
  /** The method that was sent. A response to HEAD never has a body. */
  readonly method: string
  readonly status: number
  readonly headers: Headers
  readonly body?: JsonValue | undefined
  /** False if the content type is JSON but `body` is not valid JSON. */
  readonly isWellFormed: boolean
  /** Returns the raw text of a stream. */
  readonly text?: (() => string) | undefined
  readonly isSecret?: (text: string) => boolean
  /** Problems that were found elsewhere, with their places in files. */
  readonly others?: readonly ContractProblem[]
}

export interface ResponseSchemas {
  readonly checkSchema: CheckSchema
  /** Checks an item of a stream. */
  readonly checkItem: CheckSchema
}

export async function checkResponse(
  response: CheckedResponse,
  schemas: ResponseSchemas,
): Promise<ContentVerdict> {
  const contract = responseContract(response.operation, response.status)
  const path = "/status"
  switch (contract.status) {
    case "undocumented": {
      const documented = contract.documented.join(", ") || "no status at all"
      const message = `expected ${documented} as documented, received ${response.status}`
      return { problems: [{ path, message, schema: `${response.operation.pointer}/responses` }] }
    }
    case "broken":
      return {
        problems: [{ path, message: leadsNowhere(contract.reference), schema: contract.reference }],
      }
    case "found": {
      const body = await checkBody(contract, response, schemas)
      const headers = checkHeaders(contract, response.headers, schemas.checkSchema)
      return headers.length === 0 ? body : { ...body, problems: [...body.problems, ...headers] }
    }
  }
}

const leadsNowhere = (pointer: string): string =>
  `the document's own reference at ${showPart(pointer)} does not resolve`

type Problems = readonly ContractProblem[]
const nothing: ContentVerdict = { problems: [] }

async function checkBody(
  contract: DocumentedResponse,
  response: CheckedResponse,
  schemas: ResponseSchemas,
): Promise<ContentVerdict> {
  const { content, match, pointer } = contract
  if (content.length === 0 || hasNoContent(response.method, response.status)) return nothing
  const { body, headers, isSecret = () => false } = response
  // Swagger 2.0 has no `content`, so the problem points to the response.
  const place = `${pointer}/content`
  if (body === undefined) {
    const names = content.map(({ name }) => name).join(", ")
    return {
      problems: [{ path: "/body", message: `expected a body (${names}), received none`, schema: place }],
    }
  }
  const contentType = headerTexts(headers, "content-type")[0]
  const media = contentType === undefined ? undefined : match(contentType)
  if (contentType === undefined || media === undefined) {
    const message = otherMediaType(content, contentType)
    return { problems: [{ path: "/headers/content-type", message, schema: place }] }
  }
  const read = readerOf(response, body, contentType)
  return checkContent({ media, contentType, place, read }, { ...schemas, direction: "response", isSecret })
}

const readerOf = (
  { isWellFormed, text }: CheckedResponse,
  body: JsonValue,
  contentType: string,
): Content["read"] => ({
  json: () => (isWellFormed ? { ok: true, value: body } : { ok: false, text: body }),
  text: () => (typeof body === "string" ? body : stringifyJson(body)),
  // Bodies that are neither JSON nor text are base64.
  multipart: () => {
    const binary = typeof body === "string" ? fromBase64(body) : undefined
    return binary === undefined
      ? { ok: false, fault: "its bytes are not known" }
      : readMultipart(binary, contentType)
  },
  stream: () => {
    const format = streamFormatOf(contentType)
    return format && streamBody(format, body, text)
  },
})

/** Reads a stream. Records of older versions have its text. */
function streamBody(format: StreamFormat, body: JsonValue, text: CheckedResponse["text"]): StreamBody {
  const raw = text ?? once(() => (isJsonArray(body) ? streamText(format, body) : toText(body)))
  const items = isJsonArray(body) ? body : streamItems(format, raw(), ({ value }) => value)
  return { format, items, text: raw }
}

function checkHeaders(contract: DocumentedResponse, sent: Headers, checkSchema: CheckSchema): Problems {
  if (contract.headers.length === 0) return []
  const problems: ContractProblem[] = []
  for (const header of contract.headers) {
    const { name, path, pointer, found, isRequired } = header
    if (found === undefined) {
      problems.push({ path, message: leadsNowhere(pointer), schema: pointer })
      continue
    }
    const texts = headerTexts(sent, name)
    for (const text of texts) problems.push(...checkHeader(header, text, checkSchema))
    if (texts.length > 0 || !isRequired) continue
    const message = "missing required header"
    problems.push({ path, message, schema: found.pointer })
  }
  return problems
}

function checkHeader({ judged, path }: HeaderContract, text: string, checkSchema: CheckSchema): Problems {
  if (judged === undefined) return []
  const { schema, readAs } = judged
  if (readAs === "text") return checkSchema(schema, headerReadings(schema, text), path)
  const parsed = parseJson(text)
  return parsed.ok
    ? checkSchema(schema, [parsed.value], path)
    : [{ path, message: notJson(text), schema: schema.pointer }]
}
