// What a document says may be answered to its operations, in a form that events can carry.

import { isJsonObject, type DocumentedAnswer, type DocumentedOperation } from "@callsheet/format"
import { responseContent } from "./content.ts"
import { dereference, objectMember, type OpenApiDocument } from "./document.ts"
import { escapePointer } from "./json-pointer.ts"
import { listOperations, type Operation } from "./operations.ts"

/** Every operation with its documented statuses and their media types, in the order of the document. */
export const documentedOperations = (document: OpenApiDocument): readonly DocumentedOperation[] =>
  listOperations(document).map((operation) => ({
    name: operation.name,
    method: operation.method,
    path: operation.path,
    answers: answersOf(document, operation),
  }))

function answersOf(document: OpenApiDocument, operation: Operation): readonly DocumentedAnswer[] {
  return Object.entries(objectMember(operation.value, "responses") ?? {})
    .filter(([key]) => !key.startsWith("x-"))
    .map(([key, value]) => {
      const pointer = `${operation.pointer}/responses/${escapePointer(key)}`
      const response = dereference(document, { value, pointer })
      const content =
        response !== undefined && isJsonObject(response.value)
          ? responseContent(document, operation, response)
          : []
      return {
        status: /^\dxx$/i.test(key) ? key.toUpperCase() : key,
        mediaTypes: content.map(({ name }) => name),
      }
    })
}
