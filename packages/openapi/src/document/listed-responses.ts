// The responses that a document lists for an operation, whatever they say.

import { isJsonObject, type JsonObject } from "@callsheet/format"
import { dereference, type OpenApiDocument } from "./document.ts"
import { entriesIn } from "./located.ts"
import type { Operation } from "./operations.ts"

export interface ListedResponse {
  /** The key under which it is documented: `200`, `4XX` (upper case) or `default`. */
  readonly status: string
  /** Absent where its reference leads to no response. */
  readonly response: { readonly value: JsonObject; readonly pointer: string } | undefined
}

/** In the order of the document, extensions left out. */
export const listResponses = (document: OpenApiDocument, operation: Operation): readonly ListedResponse[] =>
  entriesIn(operation, "responses")
    .filter(([key]) => !key.startsWith("x-"))
    .map(([key, listed]) => {
      const found = dereference(document, listed)
      return {
        status: /^\dxx$/i.test(key) ? key.toUpperCase() : key,
        response: isJsonObject(found?.value) ? { value: found.value, pointer: found.pointer } : undefined,
      }
    })
