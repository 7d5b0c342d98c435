// What a document says may be answered to its operations, in a form that events can carry.

import type { DocumentedAnswer, DocumentedOperation } from "@callsheet/format"
import { responseContent } from "./content.ts"
import type { OpenApiDocument } from "./document.ts"
import { listResponses } from "./listed-responses.ts"
import { listOperations, type Operation } from "./operations.ts"

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
