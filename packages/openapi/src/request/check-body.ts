// Checks the body of a request against the body that its operation documents.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  memberType,
  parseJson,
  stringifyJson,
  type ValueType,
} from "@callsheet/format"
import { escapePointer } from "../document/located.ts"
import { hasRequestBody, bodyKindOf } from "../document/content.ts"
import type { Part } from "../document/part.ts"
import {
  type CheckedRequest,
  type Complaint,
  type Judge,
  missingBody,
  type SentBody,
  undocumentedBody,
} from "./checked-request.ts"
import type { OperationContract } from "./operation-contract.ts"
import { schemaType } from "../schema/types/schema-type.ts"
import { hideSecrets, hideValues, notJson, otherMediaType } from "../schema/validate/contract-problems.ts"
import { scalarReadings } from "../schema/validate/text-readings.ts"

export interface RequestCheck {
  readonly request: CheckedRequest
  readonly contract: OperationContract
  readonly judge: Judge
}

export function checkBody(check: RequestCheck): readonly Complaint[] {
  const { request, contract } = check
  const { operation, body } = request
  const { isSwagger } = operation
  const place = `${operation.pointer}/${isSwagger ? "parameters" : "requestBody"}`
  if (body === undefined)
    return contract.body?.required === true
      ? [{ path: "/body", message: missingBody(operation), schema: place }]
      : []
  if (contract.body === undefined)
    return hasRequestBody(operation)
      ? []
      : [{ path: "/body", message: undocumentedBody(operation), schema: operation.pointer }]
  const { content } = contract.body
  if (content.length === 0) return []
  const contentType = request.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1]
  const media = contentType === undefined ? undefined : contract.mediaOf(contentType)
  if (contentType === undefined || media === undefined) {
    const schema = isSwagger ? `${operation.pointer}/consumes` : `${place}/content`
    return [{ path: "/headers/content-type", message: otherMediaType(content, contentType), schema }]
  }
  return media.schema === undefined ? [] : checkContent(check, media.schema, { body, contentType })
}

function checkContent(
  check: RequestCheck,
  schema: Part,
  { body, contentType }: { readonly body: SentBody; readonly contentType: string },
): readonly Complaint[] {
  const { bodyType } = body
  switch (bodyKindOf(contentType)) {
    case "json":
      return checkJson(check, schema, body)
    case "form":
      return checkFields(check, schema, formFields(body.bytes))
    case "multipart":
      return (bodyType ?? "multipart") === "multipart" && isJsonObject(body.value)
        ? checkFields(check, schema, multipartFields(body.value))
        : []
    case "text":
      // An XML schema describes the parsed document, which is not available here.
      return /^\s*text\/(?!xml)/i.test(contentType) ? checkText(check, schema, decodeText(body.bytes)) : []
    case undefined:
      return []
  }
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const path = "/body"

function checkJson(check: RequestCheck, schema: Part, body: SentBody): readonly Complaint[] {
  let { value } = body
  if (body.bodyType !== undefined && body.bodyType !== "json") {
    const text = decodeText(body.bytes)
    const parsed = parseJson(text, { allowDuplicateKeys: true })
    if (!parsed.ok) return [{ path, message: notJson(text), schema: schema.pointer }]
    value = parsed.value
  }
  return checkValue(check, schema, [value])
}

function checkText(check: RequestCheck, schema: Part, text: string): readonly Complaint[] {
  const type = schemaType(schema, "request")
  // Lists and objects have no standard notation as text.
  if (type.kinds?.has("array") === true || type.kinds?.has("object") === true) return []
  return checkValue(check, schema, scalarReadings(text, type))
}

function checkValue({ judge, request }: RequestCheck, schema: Part, readings: readonly JsonValue[]) {
  const problems = judge(schema, readings, path)
  const [value] = readings
  return problems.length === 0 || value === undefined
    ? problems
    : hideSecrets(problems, { value, path }, request.isSecret)
}

const isOf = (problem: Complaint, name: string): boolean =>
  `${problem.path}/`.startsWith(`${path}/${escapePointer(name)}/`)

function checkFields({ judge, request }: RequestCheck, schema: Part, fields: Fields): readonly Complaint[] {
  const { readings, unread } = readFields(fields, schemaType(schema, "request"))
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

type FieldValue =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "json"; readonly value: JsonValue }
  | { readonly is: "file" }

type Fields = ReadonlyMap<string, readonly FieldValue[]>

function formFields(bytes: Uint8Array): Fields {
  const fields = new Map<string, FieldValue[]>()
  for (const [name, text] of new URLSearchParams(new TextDecoder().decode(bytes)))
    getOrCreate(fields, name, () => []).push({ is: "text", text })
  return fields
}

/** Reads a multipart body as fields. An array becomes a repeated field. An object is a file or JSON. */
function multipartFields(body: JsonObject): Fields {
  const fields = new Map<string, FieldValue[]>()
  for (const [name, field] of Object.entries(body))
    for (const value of isJsonArray(field) ? field : [field])
      getOrCreate(fields, name, () => []).push(partOf(value))
  return fields
}

function partOf(value: JsonValue): FieldValue {
  if (typeof value === "string") return { is: "text", text: value }
  if (typeof value !== "object" || value === null) return { is: "text", text: stringifyJson(value) }
  return isJsonObject(value) && typeof value["file"] === "string" ? { is: "file" } : { is: "json", value }
}

const placeholder = ""

function readFields(fields: Fields, type: ValueType) {
  /** The fields that were sent but can't be read. */
  const unread = new Set<string>()
  const names = new Set(type.names())
  const read = (isPacked: boolean): JsonObject =>
    Object.fromEntries(
      [...fields].map(([name, values]) => {
        // `address[street]` and `tags[]` are common notations for a member of an object or a list.
        const base = name.slice(0, Math.max(0, name.indexOf("[")))
        const known = names.has(base) && !names.has(name) ? base : name
        const value = known === name ? readField(values, memberType(type, name), isPacked) : undefined
        if (value === undefined) unread.add(known)
        return [known, value ?? placeholder]
      }),
    )
  return { readings: [read(false), read(true)], unread }
}

/** Reads a field. If `isPacked`, one string contains all items of a list, as JSON or with delimiters. */
function readField(values: readonly FieldValue[], type: ValueType | undefined, isPacked: boolean) {
  if (values.some(({ is }) => is === "file")) return undefined
  const isList = type?.kinds?.has("array") === true
  const only = values.length === 1 ? values[0] : undefined
  if (!isList && only !== undefined) return readOne(only, type, isPacked)
  const texts = isList && isPacked && only?.is === "text" ? unpack(only.text) : undefined
  const items = (texts ?? values).map((value, index) =>
    readOne(value, type && memberType(type, String(index)), isPacked),
  )
  return items.includes(undefined) ? undefined : (items as JsonValue[])
}

/** The delimiters of the styles in 3.x and of `collectionFormat` in 2.0. */
const delimiters = [",", "|", "\t", " "]

function unpack(text: string): readonly FieldValue[] {
  const parsed = text.startsWith("[") ? parseJson(text) : undefined
  if (parsed?.ok === true && isJsonArray(parsed.value))
    return parsed.value.map((value) => ({ is: "json", value }))
  const delimiter = delimiters.find((one) => text.includes(one)) ?? ","
  return text.split(delimiter).map((item) => ({ is: "text", text: item }))
}

function readOne(value: FieldValue, type: ValueType | undefined, isLast: boolean): JsonValue | undefined {
  if (value.is === "file") return undefined
  const kinds = type?.kinds
  if (value.is === "json") {
    const isWanted = kinds === undefined || kinds.has(kindOf(value.value))
    return isWanted || !kinds.has("string") ? value.value : stringifyJson(value.value)
  }
  if (kinds?.has("object") === true || kinds?.has("array") === true) {
    const parsed = parseJson(value.text)
    if (parsed.ok && typeof parsed.value === "object") return parsed.value
    // Only the server knows how this value is encoded.
    if (kinds.size === 1) return undefined
  }
  return scalarReadings(value.text, { kinds }).at(isLast ? -1 : 0)
}
