// Answers `operations.read`: an editor asks for operation after operation.

import type { Masker } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import type { Handlers } from "../handlers.ts"
import type { ApiSources } from "../project/api-sources.ts"

export interface OperationReaderOptions {
  readonly sources: ApiSources
  readonly overview: () => Promise<{ readonly masker: Masker | undefined }>
}

/** Throws `api-unknown`, `operation-unknown`, and `document-invalid` where there is no document that can be read. */
export function createOperationReader(options: OperationReaderOptions): Handlers["operations.read"] {
  return async ({ api, operation, resource }) => {
    const { document } = await options.sources(api)
    const { masker } = await options.overview()
    if (document === undefined)
      throw new CallsheetError("document-invalid", "the API has no document that can be read")
    const { findOperation, operationDetail } = await import("./loaded-late.ts")
    const found = findOperation(document, { operation, ...(resource === undefined ? {} : { resource }) })
    if (found.status === "found") return operationDetail(document, found.operation, masker)
    const shown = masker?.text ?? ((text: string) => text)
    const hint = found.hint === undefined ? undefined : shown(found.hint)
    throw new CallsheetError("operation-unknown", shown(found.message), { hint })
  }
}
