// Writes the request of a curl command into a saved request. Pure.

import { savedRequestShape, type JsonObject } from "@callsheet/format"
import type { OperationDetail } from "@callsheet/server/calls"
import { TextEdit } from "../files/text/text-edit.ts"
import { likelyType } from "../forms/request/body-types.ts"

const fields = [
  "operation",
  "method",
  "path",
  "params",
  "body",
  "bodyType",
  "timeoutMs",
  "followRedirects",
] as const

/** Replaces everything that the command says, and keeps the description. `detail` is the operation, if it names one. */
export function applyCurl(text: string, request: JsonObject, detail: OperationDetail | undefined): string {
  const edited = new TextEdit(text, [], savedRequestShape)
  // The overrides of an operation have the type of its document.
  const type = likelyType(detail?.body)
  const isTyped = request["body"] !== undefined && detail !== undefined && type !== "json"
  const content: JsonObject = isTyped ? { bodyType: type, ...request } : request
  for (const field of fields) {
    const value = content[field]
    if (value !== undefined) edited.set([field], value)
    else if (edited.read([field]) !== undefined) edited.unset([field])
  }
  return edited.text
}
