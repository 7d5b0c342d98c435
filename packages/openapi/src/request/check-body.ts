// The body of a request that goes out, against the one that its operation documents.

import { isJsonObject, parseJson, type JsonValue } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import { escapePointer, type Located } from "../document/located.ts"
import type { BodyKind } from "../document/media-type.ts"
import { schemaType } from "../schema/types/schema-type.ts"
import { notJson, otherMediaType } from "../schema/validate/contract-problems.ts"
import { hideSecrets, hideValues } from "../schema/validate/hide-values.ts"
import type { CheckedRequest, Complaint, Judge, SentBody } from "./checked-request.ts"
import type { OperationContract } from "./operation-contract.ts"
import { scalarReadings } from "./parameter-readings.ts"
import { missingBody, undocumentedBody } from "./request-faults.ts"
import { type Fields, formFields, multipartFields, readFields } from "./sent-fields.ts"

export interface BodyCheck {
  readonly document: OpenApiDocument
  readonly request: CheckedRequest
  readonly contract: OperationContract
  readonly judge: Judge
}

/** Reports a body that is missing or that nothing takes, of an undocumented type, or not as its schema says. */
export function checkBody(check: BodyCheck): readonly Complaint[] {
  const { document, request, contract } = check
  const { operation, body } = request
  const isOld = document.version === "2.0"
  const place = `${operation.pointer}/${isOld ? "parameters" : "requestBody"}`
  if (body === undefined)
    return contract.body?.required === true
      ? [{ path: "/body", message: missingBody(operation), schema: place }]
      : []
  if (contract.body === undefined)
    return contract.takesBody
      ? []
      : [{ path: "/body", message: undocumentedBody(operation), schema: operation.pointer }]
  const { content } = contract.body
  if (content.length === 0) return []
  const contentType = request.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1]
  const media = contentType === undefined ? undefined : contract.mediaOf(contentType)
  if (contentType === undefined || media === undefined) {
    const schema = isOld ? `${operation.pointer}/consumes` : `${place}/content`
    return [{ path: "/headers/content-type", message: otherMediaType(content, contentType), schema }]
  }
  const { schema, kind } = media
  return schema === undefined ? [] : checkContent(check, schema, { body, contentType, kind })
}

interface Content {
  readonly body: SentBody
  readonly contentType: string
  readonly kind: BodyKind | undefined
}

function checkContent(check: BodyCheck, schema: Located, content: Content): readonly Complaint[] {
  const { body, contentType, kind } = content
  const { bodyType } = body
  switch (kind) {
    case "json":
      return checkJson(check, schema, body)
    case "form":
      return checkFields(check, schema, formFields(body.bytes))
    case "multipart": {
      const isWritten = bodyType === undefined || bodyType === "multipart"
      return isWritten && isJsonObject(body.value)
        ? checkFields(check, schema, multipartFields(body.value))
        : []
    }
    case "text":
      // A schema of XML describes what a reader would make of it: there is no such value here.
      return /^\s*text\/(?!xml)/i.test(contentType) ? checkText(check, schema, decodeText(body.bytes)) : []
    case undefined:
      return []
  }
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const path = "/body"

function checkJson(check: BodyCheck, schema: Located, body: SentBody): readonly Complaint[] {
  let { value } = body
  if (body.bodyType !== undefined && body.bodyType !== "json") {
    const text = decodeText(body.bytes)
    const parsed = parseJson(text, { allowDuplicateKeys: true })
    if (!parsed.ok) return [{ path, message: notJson(text), schema: schema.pointer }]
    value = parsed.value
  }
  return checkValue(check, schema, [value])
}

function checkText(check: BodyCheck, schema: Located, text: string): readonly Complaint[] {
  const type = schemaType(check.document, schema, "request")
  // How a list or an object is written as text is not known.
  if (type.kinds?.has("array") === true || type.kinds?.has("object") === true) return []
  return checkValue(check, schema, scalarReadings(text, type))
}

function checkValue(
  { judge, request }: BodyCheck,
  schema: Located,
  readings: readonly JsonValue[],
): readonly Complaint[] {
  const problems = judge(schema, readings, path)
  const [value] = readings
  return problems.length === 0 || value === undefined
    ? problems
    : hideSecrets(problems, { value, path }, request.isSecret)
}

const isOf = (problem: Complaint, name: string): boolean =>
  `${problem.path}/`.startsWith(`${path}/${escapePointer(name)}/`)

function checkFields(
  { document, judge, request }: BodyCheck,
  schema: Located,
  fields: Fields,
): readonly Complaint[] {
  const { readings, unread } = readFields(fields, schemaType(document, schema, "request"))
  let first: readonly Complaint[] | undefined
  for (const reading of readings) {
    const problems = judge(schema, [reading], path).filter(
      (problem) => ![...unread].some((name) => isOf(problem, name)),
    )
    if (problems.length === 0) return problems
    first ??= hideSecrets(problems, { value: reading, path }, request.isSecret)
  }
  const secret = [...fields].filter(([, values]) =>
    values.some((value) => value.is === "text" && request.isSecret(value.text)),
  )
  return (first ?? []).flatMap((problem) => {
    const own = secret.find(([name]) => isOf(problem, name))
    return own === undefined ? [problem] : hideValues([problem], `${path}/${escapePointer(own[0])}`)
  })
}
