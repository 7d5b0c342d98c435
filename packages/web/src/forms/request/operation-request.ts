// The operation of a saved request, and the conversion of its page's input to a saved request or a block. Pure.

import { formatPath, isJsonObject, parseJson, type JsonObject, type JsonValue } from "@callsheet/format"
import { freeRequest, nameOfOperation, checkRequestName, type RequestName } from "./request-names.ts"
import type { SavedRequestView, ParameterView } from "@callsheet/server/calls"

interface Named {
  /** The operation's name in a saved request. */
  readonly operation: string
  readonly resource: string | undefined
}

/** Returns an unused name that is a valid file name. */
export function nameForOperation(
  { operation, resource = "requests" }: Named,
  taken: readonly SavedRequestView[],
): RequestName {
  const folder = checkRequestName({ resource, request: "request" }, []) === undefined ? resource : "requests"
  const names = new Set(taken.filter((one) => one.resource === folder).map(({ name }) => name))
  const named = { resource: folder, request: freeRequest(nameOfOperation(operation), names) }
  return checkRequestName(named, []) === undefined
    ? named
    : { resource: folder, request: freeRequest("request", names) }
}

/** Returns the `request` of a block with the same effect. Undefined if overrides can't express the body. */
export function blockRequestOf(
  api: string,
  { operation, resource }: Named,
  text: string,
): JsonObject | undefined {
  const parsed = parseJson(text)
  const content = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  const { params, body } = content
  const fields = overriddenFields(body, content["bodyType"])
  if (fields === undefined) return undefined
  const overrides = {
    ...(params === undefined ? {} : { params }),
    ...(Object.keys(fields).length === 0 ? {} : { body: fields }),
  }
  return {
    api,
    ...(resource === undefined ? {} : { resource }),
    operation,
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
  }
}

/** Overrides set fields of a JSON body. They can't express an empty object. */
export function overriddenFields(
  body: JsonValue | undefined,
  type: JsonValue | undefined,
): JsonObject | undefined {
  if (body === undefined) return {}
  if (!isJsonObject(body) || Object.keys(body).length === 0) return undefined
  if (type !== undefined && type !== "json") return undefined
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [formatPath([key]), value]))
}

/** Returns the operation in the text: an operationId or `METHOD /path`. */
export function targetOf({ operation, method, path }: JsonObject): string | undefined {
  if (typeof operation === "string" && operation !== "") return operation
  return typeof method === "string" && typeof path === "string" ? `${method} ${path}` : undefined
}

/** Returns the path parameters in braces. Ignores placeholders. */
export function templateParameters(path: JsonValue | undefined): readonly ParameterView[] {
  if (typeof path !== "string") return []
  const names = path.replace(/\{\{.*?\}\}/gs, "").matchAll(/\{([^{}]+)\}/g)
  return [...new Set([...names].map(([, name = ""]) => name))].map((name) => ({
    name,
    in: "path",
    required: true,
    words: "",
  }))
}
