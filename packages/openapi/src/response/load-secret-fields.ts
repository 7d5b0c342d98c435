// Loads the code for secret fields only if a document marks any.

import type { OpenApiDocument } from "../document/document.ts"
import { mayMarkSecrets } from "../document/marks.ts"
import type { Operation } from "../document/operations.ts"
import type { ComingResponse, SecretFields } from "./secret-fields-of.ts"

export type FindSecretFields = (operation: Operation, response: ComingResponse) => SecretFields | undefined

/** Returns undefined if the document marks nothing as secret. Most documents don't. */
export async function loadSecretFields(document: OpenApiDocument): Promise<FindSecretFields | undefined> {
  if (!mayMarkSecrets(document)) return undefined
  const { secretFieldsOf } = await import("./secret-fields-of.ts")
  return secretFieldsOf
}
