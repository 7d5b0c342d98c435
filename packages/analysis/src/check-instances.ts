// Saved requests by themselves: does the document have what they name?

import {
  createProblemMaker,
  hasTokens,
  suggest,
  type InstanceFile,
  type Problem,
  type SavedRequest,
} from "@callsheet/format"
import { findOperationByPath, listOperations, type OpenApiDocument } from "@callsheet/openapi"
import { findTarget, type ApiSource } from "./target.ts"

/** Reports saved requests whose operation the document lacks, and returns them. */
export function checkInstances(
  source: ApiSource,
  add: (problem: Problem) => void,
): ReadonlySet<InstanceFile> {
  const reported = new Set<InstanceFile>()
  for (const file of source.api.instances.values()) {
    const problem = file.request === undefined ? undefined : objectTo(source, file, file.request)
    if (problem === undefined) continue
    add(problem)
    if (problem.severity === "error") reported.add(file)
  }
  return reported
}

function objectTo(source: ApiSource, file: InstanceFile, request: SavedRequest): Problem | undefined {
  const { api, document } = source
  // A document that cannot be read is said once, at the document.
  if (api.document !== undefined && document === undefined) return undefined
  if (request.operation !== undefined) return objectToOperation(source, file, request.operation)
  return document === undefined ? undefined : objectToPath(document, file, request)
}

function objectToOperation(source: ApiSource, file: InstanceFile, operation: string): Problem | undefined {
  if (hasTokens(operation)) return undefined
  const plain = findTarget(source, { operation })
  const found = plain.found ? plain : findTarget(source, { operation, resource: file.resource })
  if (found.found) return undefined
  const { code, message, hint } = plain.found ? found : plain
  return createProblemMaker(file)(["operation"], "value", { code, message, hint })
}

/** Any path may be sent; one that is close to a documented one was probably meant to be it. */
function objectToPath(
  document: OpenApiDocument,
  file: InstanceFile,
  { method = "", path = "" }: SavedRequest,
): Problem | undefined {
  if (hasTokens(path) || findOperationByPath(document, method, path) !== undefined) return undefined
  const known = listOperations(document)
    .filter((operation) => operation.method === method.toUpperCase())
    .map((operation) => operation.path)
  const hint = suggest(path, known)
  if (hint === undefined) return undefined
  return createProblemMaker(file)(["path"], "value", {
    code: "operation-unknown",
    severity: "warning",
    message: `the document has no ${method.toUpperCase()} ${path}`,
    hint,
  })
}
