// Reads each OpenAPI document once per session, for all workflows that use it.

import { getOrCreate, type Api } from "@callsheet/format"
import {
  createContractChecker,
  readDocument,
  type ContractChecker,
  type OpenApiDocument,
  type OutlineStore,
  type ReadDocument,
} from "@callsheet/openapi"

export type Documents = ReturnType<typeof createDocuments>

export function createDocuments(outlines: OutlineStore | undefined) {
  const read = new Map<Api, Promise<ReadDocument>>()
  const checkers = new Map<OpenApiDocument, ContractChecker>()
  return {
    /** Returns the document of an API or its problems, or undefined if the API has no document. */
    read: (api: Api): Promise<ReadDocument> | undefined => {
      const { document, readFile } = api
      if (document === undefined) return undefined
      return getOrCreate(read, api, () => readDocument(document, { readFile, outlines, readsAhead: true }))
    },
    /** Returns the contract checker of a document. All runs share its compiled schemas. */
    checkerOf: (document: OpenApiDocument): ContractChecker =>
      getOrCreate(checkers, document, createContractChecker),
  }
}
