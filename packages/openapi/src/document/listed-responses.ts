// The responses that a document lists for an operation, whatever they say.

import { isJsonObject, type JsonObject } from "@callsheet/format"
import { dereference, objectMember, type OpenApiDocument } from "./document.ts"
import { escapePointer } from "./json-pointer.ts"
import type { Operation } from "./operations.ts"

export interface ListedResponse {
  /** The key under which it is documented: `200`, `4XX` (upper case) or `default`. */
  readonly status: string
  /** Absent where its reference leads to no response. */
  readonly response?: { readonly value: JsonObject; readonly pointer: string }
}

/** In the order of the document, extensions left out. */
export const listResponses = (document: OpenApiDocument, operation: Operation): readonly ListedResponse[] =>
  Object.entries(objectMember(operation.value, "responses") ?? {})
    .filter(([key]) => !key.startsWith("x-"))
    .map(([key, value]) => {
      const pointer = `${operation.pointer}/responses/${escapePointer(key)}`
      const found = dereference(document, { value, pointer })
      return {
        status: /^\dxx$/i.test(key) ? key.toUpperCase() : key,
        ...(isJsonObject(found?.value) ? { response: { value: found.value, pointer: found.pointer } } : {}),
      }
    })
