// Which response object and which media type of an operation a response is held against.

import { isJsonObject, statusKeys } from "@callsheet/format"
import {
  dereference,
  type Located,
  member,
  objectMember,
  type OpenApiDocument,
} from "../document/document.ts"
import type { Operation } from "../document/operations.ts"

export type FoundResponse =
  | { readonly status: "found"; readonly response: Located }
  | { readonly status: "undocumented"; readonly documented: readonly string[] }
  /** The document's own reference leads nowhere. */
  | { readonly status: "broken"; readonly reference: string }

/** Ranges count in lower case too (`4xx`), as many documents write them. */
export function findResponse(document: OpenApiDocument, operation: Operation, status: number): FoundResponse {
  const responses = objectMember(operation.value, "responses") ?? {}
  for (const key of statusKeys(status).flatMap((one) => [one, one.toLowerCase()])) {
    const raw = member(responses, key)
    if (raw === undefined) continue
    const found = dereference(document, { value: raw, pointer: `${operation.pointer}/responses/${key}` })
    if (found === undefined || !isJsonObject(found.value)) {
      return { status: "broken", reference: `${operation.pointer}/responses/${key}` }
    }
    return { status: "found", response: { value: found.value, pointer: found.pointer } }
  }
  return { status: "undocumented", documented: Object.keys(responses).filter((key) => !key.startsWith("x-")) }
}
