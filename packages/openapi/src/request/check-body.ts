// Checks the body of a request against the body that its operation documents.

import { isJsonObject, parseJson } from "@callsheet/format"
import { type Content, type ContentVerdict, checkContent } from "../content/check-content.ts"
import { multipartFields } from "../content/fields.ts"
import { readMultipart } from "../content/multipart.ts"
import { hasRequestBody } from "../document/content.ts"
import { type CheckedRequest, missingBody, type SentBody, undocumentedBody } from "./checked-request.ts"
import type { OperationContract } from "./operation-contract.ts"
import { otherMediaType } from "../schema/validate/contract-problems.ts"
import type { CheckSchema } from "../schema/validate/schema-checker.ts"

export interface RequestCheck {
  readonly request: CheckedRequest
  readonly contract: OperationContract
  readonly checkSchema: CheckSchema
}

export async function checkBody(check: RequestCheck): Promise<ContentVerdict> {
  const { request, contract, checkSchema } = check
  const { operation, body, isSecret } = request
  const { isSwagger } = operation
  const place = `${operation.pointer}/${isSwagger ? "parameters" : "requestBody"}`
  const broken = (message: string, schema: string, path = "/body"): ContentVerdict => ({
    problems: [{ path, message, schema }],
  })
  if (body === undefined)
    return contract.body?.required === true ? broken(missingBody(operation), place) : nothing
  if (contract.body === undefined)
    return hasRequestBody(operation) ? nothing : broken(undocumentedBody(operation), operation.pointer)
  const { content } = contract.body
  if (content.length === 0) return nothing
  const contentType = request.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1]
  const media = contentType === undefined ? undefined : contract.mediaOf(contentType)
  if (contentType === undefined || media === undefined) {
    const schema = isSwagger ? `${operation.pointer}/consumes` : `${place}/content`
    return broken(otherMediaType(content, contentType), schema, "/headers/content-type")
  }
  const read = readerOf(body, contentType)
  return checkContent({ media, contentType, place, read }, { checkSchema, direction: "request", isSecret })
}

const nothing: ContentVerdict = { problems: [] }

const readerOf = ({ bytes, value, bodyType }: SentBody, contentType: string): Content["read"] => ({
  json: () => {
    if (bodyType === undefined || bodyType === "json") return { ok: true, value }
    const text = decodeText(bytes)
    const parsed = parseJson(text, { allowDuplicateKeys: true })
    return parsed.ok ? parsed : { ok: false, text }
  },
  text: () => decodeText(bytes),
  multipart: () =>
    (bodyType ?? "multipart") === "multipart" && isJsonObject(value)
      ? { ok: true, fields: multipartFields(value) }
      : readMultipart(new TextDecoder("latin1").decode(bytes), contentType),
})

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  return new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8").decode(bytes)
}
