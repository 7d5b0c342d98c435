// Lists the operations of a raw document, with the data that their workflows need.

import { follow, isObject, listAt, objectAt, type Raw } from "./raw-document.ts"
import { fromSwagger } from "./raw-swagger.ts"

export interface RawOperation {
  readonly method: string
  readonly path: string
  /** Its name in a request block. */
  readonly name: string
  readonly tag: string | undefined
  readonly parameters: readonly Raw[]
  readonly requestBody: Raw | undefined
  readonly responses: readonly RawResponse[]
}

export interface RawResponse {
  /** `200`, `4XX`, `default`. */
  readonly status: string
  readonly headers: readonly string[]
  readonly json: { readonly schema: unknown } | undefined
  /** Media types whose body is a string. */
  readonly text: boolean
}

const methods = ["get", "put", "post", "delete", "patch", "head", "options"]

export function listRawOperations(root: Raw): readonly RawOperation[] {
  const operations = Object.entries(objectAt(root, "paths")).flatMap(([path, item]) => {
    const pathItem = follow(root, item)
    return methods.flatMap((method) =>
      isObject(pathItem) && isObject(pathItem[method]) && !path.includes("{{")
        ? [readOperation(root, { method, path, pathItem, operation: pathItem[method] })]
        : [],
    )
  })
  const count = new Map<string, number>()
  for (const { name } of operations) count.set(name, (count.get(name) ?? 0) + 1)
  return operations.map((operation) =>
    count.get(operation.name) === 1 ? operation : { ...operation, name: byPath(operation) },
  )
}

export const byPath = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method.toUpperCase()} ${path}`

interface Found {
  readonly method: string
  readonly path: string
  readonly pathItem: Raw
  readonly operation: Raw
}

function readOperation(root: Raw, found: Found): RawOperation {
  const { method, path, pathItem, operation } = found
  const { operationId } = operation
  const tag = listAt(operation, "tags").find((name) => typeof name === "string")
  const merged = mergeParameters(root, [
    ...listAt(pathItem, "parameters"),
    ...listAt(operation, "parameters"),
  ])
  const isSwagger = root["swagger"] === "2.0"
  const body = follow(root, operation["requestBody"])
  const parts = isSwagger
    ? fromSwagger(root, operation, merged)
    : {
        parameters: merged,
        requestBody: isObject(body) ? body : undefined,
        responses: objectAt(operation, "responses"),
      }
  return {
    method,
    path,
    name: typeof operationId === "string" && !operationId.includes("{{") ? operationId : byPath(found),
    tag: tag?.includes("{{") === true ? undefined : tag,
    parameters: parts.parameters,
    requestBody: parts.requestBody,
    responses: Object.entries(parts.responses).flatMap(([status, response]) =>
      readResponse(root, status, response),
    ),
  }
}

/** The operation's own parameters override those of its path. */
function mergeParameters(root: Raw, parameters: readonly unknown[]): readonly Raw[] {
  const merged = new Map<string, Raw>()
  for (const parameter of parameters) {
    const found = follow(root, parameter)
    if (isObject(found)) merged.set(`${String(found["in"])} ${String(found["name"])}`, found)
  }
  return [...merged.values()]
}

function readResponse(root: Raw, status: string, response: unknown): readonly RawResponse[] {
  const found = follow(root, response)
  if (!isObject(found) || status.startsWith("x-")) return []
  const content = Object.entries(objectAt(found, "content"))
  // Some documents give a 204 a body. HTTP doesn't.
  const json = ["204", "205", "304"].includes(status)
    ? undefined
    : content.find(([type]) => isJsonType(type))?.[1]
  return [
    {
      status,
      headers: Object.keys(objectAt(found, "headers")),
      json: isObject(json) && json["schema"] !== undefined ? { schema: json["schema"] } : undefined,
      text: content.length > 0 && content.every(([type]) => type.toLowerCase().startsWith("text/")),
    },
  ]
}

export const isJsonType = (type: string): boolean => /^application\/([\w.-]+\+)?json\b/i.test(type)

/** The first 2xx response, or else the default one. */
export const successOf = ({ responses }: RawOperation): RawResponse | undefined =>
  responses.find(({ status }) => status.startsWith("2")) ??
  responses.find(({ status }) => status === "default")

export const refusalOf = ({ responses }: RawOperation): RawResponse | undefined =>
  responses.find(({ status, json }) => /^4\d\d$/.test(status) && json !== undefined)
