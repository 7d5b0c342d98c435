// Answers `operations.read`: documents are kept as they were read last, for an editor asks for operation after operation.

import type { Masker } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import type { OpenApiDocument } from "@callsheet/openapi"
import type { Handlers } from "../handlers.ts"
import { createKept } from "../project/kept.ts"
import type { Dated, Moments } from "../project/moments.ts"
import { readOneApi } from "../project/read-parts.ts"

export interface OperationReaderOptions {
  readonly root: string
  readonly moments: Moments
  readonly overview: () => Promise<{ readonly masker: Masker | undefined }>
}

/** Throws `api-unknown`, `operation-unknown`, and `document-invalid` where there is no document that can be read. */
export function createOperationReader(options: OperationReaderOptions): Handlers["operations.read"] {
  const { moments } = options
  const documents = createKept((api) => readApiDocument(options, api))
  return async ({ api, operation, resource }) => {
    const document = await documents(moments.revision(), api)
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

async function readApiDocument(
  { root, moments }: OperationReaderOptions,
  name: string,
): Promise<Dated<OpenApiDocument | undefined>> {
  const { revision, value: project } = await moments.read(() => readOneApi(root, name))
  const api = project.apis.get(name)
  if (api?.document === undefined) return { revision, value: undefined }
  const { createOutlineStore, readDocument } = await import("./loaded-late.ts")
  const { document } = await readDocument(api.document, {
    readFile: api.readFile,
    outlines: createOutlineStore(),
  })
  return { revision, value: document }
}
