// A request block, or a saved request and its block, with everything that an operation requires and nothing else.

import { isObject, objectAt, type Raw } from "./raw-document.ts"
import { isJsonType, type RawOperation } from "./list-operations.ts"
import { literal, makeValue } from "./make-value.ts"

export interface MadeRequest {
  readonly block: Raw
  /** Set if the block sends a saved request. */
  readonly instance?: { readonly resource: string; readonly name: string; readonly content: Raw }
}

export interface RequestOptions {
  readonly root: Raw
  readonly operation: RawOperation
  readonly id: string
  readonly byPath: boolean
  readonly withTag: boolean
  readonly saved: boolean
}

export function makeRequest(options: RequestOptions): MadeRequest {
  const { root, operation, id } = options
  const name = options.byPath ? `${operation.method.toUpperCase()} ${operation.path}` : operation.name
  const body = makeBody(root, operation)
  const params = makeParams(root, operation, body?.header)
  // Overrides can't express a body that is empty, a file, or not an object.
  if (options.saved || (body !== undefined && !body.overridable)) {
    const content = { version: 1, operation: name, params, ...(body === undefined ? {} : body.saved) }
    const instance = { resource: "made", name: id, content }
    return { block: { id, type: "request", request: { api: "api", instance: id } }, instance }
  }
  const overrides = { params, ...(body === undefined ? {} : { body: overridesOf(body.value) }) }
  const resource = options.withTag && operation.tag !== undefined ? { resource: operation.tag } : {}
  return { block: { id, type: "request", request: { api: "api", ...resource, operation: name, overrides } } }
}

/** Headers that OpenAPI excludes from parameters. */
const ignored = new Set(["accept", "content-type", "authorization"])

function makeParams(root: Raw, operation: RawOperation, header?: Readonly<Record<string, string>>): Raw {
  const params: Record<string, Record<string, string>> = header === undefined ? {} : { header: { ...header } }
  const add = (place: string, name: string, value: string) => ((params[place] ??= {})[name] = value)
  for (const [, name = ""] of operation.path.matchAll(/\{([^{}]+)\}/g))
    add("path", name, valueOf(root, operation, name))
  for (const parameter of operation.parameters) {
    const { name, in: place } = parameter
    if (parameter["required"] !== true || typeof name !== "string" || typeof place !== "string") continue
    if (place === "path" || (place === "header" && ignored.has(name.toLowerCase()))) continue
    if (["query", "header", "cookie"].includes(place)) add(place, name, makeParameterText(root, parameter))
  }
  return params
}

const valueOf = (root: Raw, operation: RawOperation, name: string): string =>
  makeParameterText(
    root,
    operation.parameters.find((one) => one["in"] === "path" && one["name"] === name) ?? {},
  )

function makeParameterText(root: Raw, parameter: Raw): string {
  const [content] = Object.values(objectAt(parameter, "content"))
  const value = makeValue(root, parameter["schema"] ?? (isObject(content) ? content["schema"] : {}))
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text === "" || text === "[]" || text === "{}" ? "x" : text
}

interface MadeBody {
  readonly value: unknown
  readonly overridable: boolean
  readonly saved: Raw
  readonly header?: Readonly<Record<string, string>>
}

function makeBody(root: Raw, { requestBody }: RawOperation): MadeBody | undefined {
  if (requestBody === undefined || requestBody["required"] !== true) return undefined
  const content = Object.entries(objectAt(requestBody, "content"))
  const [type, media] =
    content.find(([name]) => isJsonType(name)) ??
    content.find(([name]) => name.startsWith("application/x-www-form-urlencoded")) ??
    content.find(([name]) => name.startsWith("multipart/")) ??
    content.find(([name]) => name.startsWith("text/")) ??
    content[0] ??
    []
  if (type === undefined) return undefined
  const value = makeValue(root, isObject(media) ? (media["schema"] ?? {}) : {})
  if (isJsonType(type)) return { value, overridable: hasKeys(value), saved: { body: value } }
  if (type.startsWith("application/x-www-form-urlencoded") && isObject(value))
    return { value, overridable: hasKeys(value), saved: { bodyType: "form", body: value } }
  if (type.startsWith("multipart/") && isObject(value))
    return { value, overridable: hasKeys(value), saved: { bodyType: "multipart", body: value } }
  if (type.startsWith("text/")) return { value, overridable: false, saved: { bodyType: "text", body: "x" } }
  const header = type.includes("*") ? {} : { "Content-Type": type }
  return { value, overridable: false, header, saved: { bodyType: "file", body: "files/data.bin" } }
}

const hasKeys = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0

/** Keys of an override are paths, so a name with special characters is quoted. */
const overridesOf = (value: unknown): Raw =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([key, member]) => [
      /^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(key) ? key : `[${JSON.stringify(key)}]`,
      literal(member),
    ]),
  )
