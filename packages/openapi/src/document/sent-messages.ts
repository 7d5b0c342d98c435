// Lists the requests that an API sends to others: webhooks, and the callbacks of its operations.

import type { OpenApiDocument } from "./document.ts"
import { isOldDialect } from "./document.ts"
import { operationsAt, type Operation } from "./operations.ts"
import { partAt } from "./part.ts"

/** Returns the webhooks of a document. Each operation has the webhook's name in place of a path. */
export const listWebhooks = (document: OpenApiDocument): readonly Operation[] =>
  isOldDialect(document)
    ? []
    : (partAt(document, "")?.entries("webhooks") ?? []).flatMap(([name, item]) => {
        const found = item.dereferenceObject()
        return found === undefined ? [] : operationsAt(found, name)
      })

/** Returns the callbacks of an operation. Each has the callback's name in place of a path, because that is an expression. */
export const listCallbacks = (operation: Operation): readonly Operation[] =>
  operation.entries("callbacks").flatMap(([name, callback]) =>
    (callback.dereferenceObject()?.entries() ?? [])
      .filter(([expression]) => !expression.startsWith("x-"))
      .flatMap(([, item]) => {
        const found = item.dereferenceObject()
        return found === undefined ? [] : operationsAt(found, name)
      }),
  )
