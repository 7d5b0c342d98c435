// What is filled in on an operation's page: what it is called before it is saved, and the block that sends the same. Pure.

import { formatPath, isJsonObject, parseJson, type JsonObject, type JsonValue } from "@callsheet/format"
import { freeRequest, nameOfOperation, checkRequestName, type RequestName } from "./request-names.ts"
import type { SavedRequestView } from "@callsheet/server/calls"

interface Named {
  /** As a saved request names it. */
  readonly operation: string
  readonly resource: string | undefined
}

/** A name that no saved request has, and that a file can have. */
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

/** What a block's `request` says to send the same; undefined where overrides cannot hold the body. */
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

/** Overrides set fields of a JSON body: an empty object would be no body at all. */
function overriddenFields(body: JsonValue | undefined, type: JsonValue | undefined): JsonObject | undefined {
  if (body === undefined) return {}
  if (!isJsonObject(body) || Object.keys(body).length === 0) return undefined
  if (type !== undefined && type !== "json") return undefined
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [formatPath([key]), value]))
}
