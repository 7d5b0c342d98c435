// Which response object and which media type of an operation a response is held against.

import { isJsonObject, statusKeys } from "@callsheet/format"
import { dereference, type OpenApiDocument } from "../document/document.ts"
import { inside, type Located, objectMember } from "../document/located.ts"
import type { Operation } from "../document/operations.ts"

export type FoundResponse =
  | { readonly status: "found"; readonly response: Located }
  | { readonly status: "undocumented"; readonly documented: readonly string[] }
  /** The document's own reference leads nowhere. */
  | { readonly status: "broken"; readonly reference: string }

/** Ranges count in lower case too (`4xx`), as many documents write them. */
export function findResponse(document: OpenApiDocument, operation: Operation, status: number): FoundResponse {
  for (const key of statusKeys(status).flatMap((one) => [one, one.toLowerCase()])) {
    const listed = inside(operation, "responses", key)
    if (listed === undefined) continue
    const found = dereference(document, listed)
    return found !== undefined && isJsonObject(found.value)
      ? { status: "found", response: found }
      : { status: "broken", reference: listed.pointer }
  }
  const documented = Object.keys(objectMember(operation.value, "responses") ?? {})
  return { status: "undocumented", documented: documented.filter((key) => !key.startsWith("x-")) }
}
