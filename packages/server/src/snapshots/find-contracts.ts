// Finds the contract of a response in the project's OpenAPI documents.

import { createOutlineStore } from "@callsheet/engine"
import {
  attempt,
  getOrCreate,
  once,
  type AnsweredOperation,
  type DescribedResponse,
  type ResponseView,
} from "@callsheet/format"
import { describeResponse, findOperationByPath, readDocument, type OpenApiDocument } from "@callsheet/openapi"
import { readProject } from "@callsheet/project"

export type FindContract = (
  operation: AnsweredOperation | undefined,
  response: Pick<ResponseView, "status" | "headers"> | undefined,
) => Promise<DescribedResponse | undefined>

/** Returns undefined for an operation that the project doesn't document. Without a project, that is every operation. */
export function createContractFinder(root: string | undefined): FindContract {
  const apis = once(() =>
    root === undefined ? undefined : attempt(() => readProject(root, { workflows: [], apis: "all" }).apis),
  )
  const documents = new Map<string, Promise<OpenApiDocument | undefined>>()
  const read = async (name: string): Promise<OpenApiDocument | undefined> => {
    const { document: source, readFile } = apis()?.get(name) ?? {}
    if (source === undefined) return undefined
    return (await readDocument(source, { readFile, outlines: createOutlineStore() })).document
  }
  return async (operation, response) => {
    if (operation === undefined || response === undefined) return undefined
    const document = await getOrCreate(documents, operation.api, read)
    const documented = document && findOperationByPath(document, operation.method, operation.path)
    return documented && describeResponse(documented, response)
  }
}
