// The responses that a document lists for its operations, whatever they say.

import {
  isJsonObject,
  type JsonObject,
  type DocumentedOperation,
  type DocumentedAnswer,
} from "@callsheet/format"
import { responseContent } from "./content.ts"
import { dereference, type OpenApiDocument } from "./document.ts"
import { entriesIn } from "./located.ts"
import { listOperations, type Operation } from "./operations.ts"

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

/** Every operation with its documented statuses and their media types, in the order of the document. */
export const documentedOperations = (document: OpenApiDocument): readonly DocumentedOperation[] =>
  listOperations(document).map((operation) => ({
    name: operation.name,
    method: operation.method,
    path: operation.path,
    answers: answersOf(document, operation),
  }))

const answersOf = (document: OpenApiDocument, operation: Operation): readonly DocumentedAnswer[] =>
  listResponses(document, operation).map(({ status, response }) => {
    const content = response === undefined ? [] : responseContent(document, operation, response)
    return { status, mediaTypes: content.map(({ name }) => name) }
  })
