// Lists the requests that an API sends to others: webhooks, and the callbacks of its operations.

import type { OpenApiDocument } from "./document.ts"
import { isOldDialect } from "./document.ts"
import { operationsAt, type Operation } from "./operations.ts"
import { partAt } from "./part.ts"

/** Returns the webhooks of a document. Each operation has the webhook's name in place of a path. */
export const listWebhooks = (document: OpenApiDocument): readonly Operation[] =>
  webhooksKeys(document).flatMap((key) =>
    (partAt(document, "")?.entries(key) ?? []).flatMap(([name, item]) => {
      const found = item.dereferenceObject()
      return found === undefined ? [] : operationsAt(found, name)
    }),
  )

/** 3.1 introduced webhooks. In 3.0, documents have them in an extension. */
function webhooksKeys(document: OpenApiDocument): readonly string[] {
  if (document.version === "2.0") return []
  return isOldDialect(document) ? ["x-webhooks"] : ["webhooks", "x-webhooks"]
}

export interface Callback {
  /** The URL, in which runtime expressions are in braces. */
  readonly expression: string
  /** Has the callback's name in place of a path. */
  readonly operation: Operation
}

/** Returns the callbacks of an operation. */
export const listCallbacks = (operation: Operation): readonly Callback[] =>
  operation.entries("callbacks").flatMap(([name, callback]) =>
    (callback.dereferenceObject()?.entries() ?? [])
      .filter(([expression]) => !expression.startsWith("x-"))
      .flatMap(([expression, item]) => {
        const found = item.dereferenceObject()
        return found === undefined
          ? []
          : operationsAt(found, name).map((each): Callback => ({ expression, operation: each }))
      }),
  )
