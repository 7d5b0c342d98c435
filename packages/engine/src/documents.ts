// Reads each OpenAPI document of a session once, for all workflows that use it.

import type { Api } from "@callsheet/format"
import {
  createContractChecker,
  readDocument,
  type ContractChecker,
  type OpenApiDocument,
  type OutlineStore,
  type ReadDocument,
} from "@callsheet/openapi"

export interface Documents {
  /** The document of an API or its problems; undefined if the API has no document. */
  readonly read: (api: Api) => Promise<ReadDocument> | undefined
  /** Returns the checker of a document; its schemas are compiled once for all runs. */
  readonly checkerOf: (document: OpenApiDocument) => ContractChecker
}

export function createDocuments(outlines: OutlineStore | undefined): Documents {
  const read = new Map<Api, Promise<ReadDocument>>()
  const checkers = new Map<OpenApiDocument, ContractChecker>()
  return {
    read: (api) => {
      if (api.document === undefined) return undefined
      let reading = read.get(api)
      if (reading === undefined) {
        reading = readDocument(api.document, { readFile: api.readFile, outlines, readsAhead: true })
        read.set(api, reading)
      }
      return reading
    },
    checkerOf: (document) => {
      let checker = checkers.get(document)
      if (checker === undefined) {
        checker = createContractChecker(document)
        checkers.set(document, checker)
      }
      return checker
    },
  }
}
