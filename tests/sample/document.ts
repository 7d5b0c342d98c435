// The sample's OpenAPI documents, and a check of responses: with ajv directly, to be independent of callsheet's own
// checker.

import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { load } from "js-yaml"

export const sampleRoot = fileURLToPath(new URL("../../examples/shop/", import.meta.url))

type Json = Readonly<Record<string, unknown>>

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly statuses: readonly number[]
  readonly requestTypes: readonly string[]
  readonly isOpen: boolean
}

export interface SampleDocument {
  readonly operations: readonly Operation[]
  /** Returns the problems of a response to an operation. Empty if it matches the document. */
  readonly findings: (operation: Operation, answer: Response, body: Buffer) => readonly string[]
}

/** Reads a document below `apis/`, e.g. `shop/openapi.json`. */
export async function readDocument(path: string): Promise<SampleDocument> {
  const text = await readFile(`${sampleRoot}apis/${path}`, "utf8")
  const document = withNullable(load(text)) as Json
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, "document")
  const resolve = (value: unknown): Json => {
    const reference = (value as Json)["$ref"]
    if (typeof reference !== "string") return value as Json
    return reference
      .slice(2)
      .split("/")
      .reduce((node, key) => node[key] as Json, document)
  }
  const validate = (schema: unknown, value: unknown): readonly string[] => {
    const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object)
    return check(value) ? [] : (check.errors ?? []).map(describe)
  }
  const found = readOperations(document, resolve)
  return {
    operations: found.map(({ operation }) => operation),
    findings: (operation, answer, body) => {
      const { raw } = found.find((candidate) => candidate.operation.id === operation.id)!
      const documented = (raw["responses"] as Json)[answer.status]
      if (documented === undefined) return [`status ${answer.status} is not documented`]
      const response = resolve(documented)
      return [...headerFindings(response, answer, resolve), ...bodyFindings(response, answer, body, validate)]
    },
  }
}

const describe = (error: ErrorObject): string => `${error.instancePath} ${error.message ?? error.keyword}`

const methods = ["get", "put", "post", "patch", "delete"]

function readOperations(document: Json, resolve: (value: unknown) => Json) {
  return Object.entries(document["paths"] as Record<string, Json>).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const raw = item[method] as Json
        const request = raw["requestBody"] === undefined ? {} : resolve(raw["requestBody"])
        const operation: Operation = {
          id: raw["operationId"] as string,
          method: method.toUpperCase(),
          path,
          statuses: Object.keys(raw["responses"] as Json).map(Number),
          requestTypes: Object.keys(request["content"] ?? {}),
          isOpen: Array.isArray(raw["security"]) && raw["security"].length === 0,
        }
        return { operation, raw }
      }),
  )
}

function headerFindings(
  response: Json,
  answer: Response,
  resolve: (value: unknown) => Json,
): readonly string[] {
  return Object.entries((response["headers"] ?? {}) as Json)
    .filter(([name, header]) => resolve(header)["required"] === true && !answer.headers.has(name))
    .map(([name]) => `the header ${name} is missing`)
}

function bodyFindings(
  response: Json,
  answer: Response,
  body: Buffer,
  validate: (schema: unknown, value: unknown) => readonly string[],
): readonly string[] {
  const content = response["content"] as Record<string, Json> | undefined
  if (content === undefined) return body.length === 0 ? [] : ["the response has an undocumented body"]
  const type = (answer.headers.get("content-type") ?? "").split(";")[0]!
  const media = content[type] ?? content[`${type.split("/")[0]}/*`]
  if (media === undefined) return [`the content type ${type} is not documented`]
  if (body.length === 0) return ["the body is missing"]
  const value: unknown = type.endsWith("json") ? JSON.parse(body.toString()) : body.toString()
  return validate(media["schema"], value)
}

/** Converts `nullable` of OpenAPI 3.0 to JSON Schema. */
function withNullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNullable)
  if (typeof value !== "object" || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNullable(item)]))
  return copy["nullable"] === true ? { ...copy, type: [copy["type"], "null"] } : copy
}
