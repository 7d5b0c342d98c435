// Checks saved requests on their own.

import {
  type BodyType,
  createProblemMaker,
  hasTokens,
  type InstanceFile,
  isJsonArray,
  isJsonObject,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type SavedRequest,
  type Severity,
  member,
} from "@callsheet/format"
import { findOperationByPath, listOperations, type OpenApiDocument } from "@callsheet/openapi"
import { reportTo, type CheckFile } from "../names/scripts.ts"
import { findSimilarPath } from "../requests/outside-document.ts"
import { type ApiSource, findTarget } from "../requests/target.ts"
import { headerFindings } from "./given-request.ts"
import { messages } from "../messages.ts"

interface InstanceCheck {
  readonly source: ApiSource
  readonly checkFile: CheckFile
  readonly add: (problem: Problem) => void
}

/**
 * Reports missing targets, missing body files and invalid headers of saved requests. Returns the saved requests whose
 * targets have an error.
 */
export function checkInstances({ source, checkFile, add }: InstanceCheck): ReadonlySet<InstanceFile> {
  const reported = new Set<InstanceFile>()
  for (const file of source.api.instances.values()) {
    if (file.request === undefined) continue
    const { body, bodyType, params } = file.request
    const report = reportTo(file, add)
    for (const { pointer, at, finding } of [
      ...missingFiles(body, bodyType, checkFile),
      ...headerFindings(params),
    ])
      report(pointer, at, finding)
    const problem = findingFor(source, file, file.request)
    if (problem === undefined) continue
    add(problem)
    if (problem.severity === "error") reported.add(file)
  }
  return reported
}

/** Returns the problems with the files that a body names. */
export const missingFiles = (
  body: JsonValue | undefined,
  bodyType: BodyType | undefined,
  checkFile: CheckFile,
) =>
  filesOf(body, bodyType).flatMap(({ pointer, path }) => {
    const finding = hasTokens(path) ? undefined : checkFile(path)
    if (finding === undefined) return []
    // A missing file in the project is only a warning, because it may be created before the request is sent.
    const severity: Severity = finding.code === "link-outside" ? "error" : "warning"
    return [{ pointer, at: "value" as const, finding: { ...finding, severity } }]
  })

function filesOf(body: JsonValue | undefined, bodyType: BodyType | undefined) {
  if (bodyType === "file" && typeof body === "string") return [{ pointer: ["body"], path: body }]
  if (bodyType !== "multipart" || !isJsonObject(body)) return []
  return Object.entries(body).flatMap(([name, part]) =>
    isJsonArray(part)
      ? part.flatMap((one, index) => fileOf(one, ["body", name, index]))
      : fileOf(part, ["body", name]),
  )
}

function fileOf(part: JsonValue, pointer: JsonPointer) {
  const path = member(part, "file")
  return typeof path === "string" ? [{ pointer: [...pointer, "file"], path }] : []
}

function findingFor(source: ApiSource, file: InstanceFile, request: SavedRequest): Problem | undefined {
  const { api, document } = source
  // An unreadable document has its own problem.
  if (api.document !== undefined && document === undefined) return undefined
  if (request.operation !== undefined) return checkOperation(source, file, request.operation)
  return document === undefined ? undefined : checkPath(document, file, request)
}

function checkOperation(source: ApiSource, file: InstanceFile, operation: string): Problem | undefined {
  if (hasTokens(operation)) return undefined
  const plain = findTarget(source, { operation })
  if (plain.found || findTarget(source, { operation, resource: file.resource }).found) return undefined
  return createProblemMaker(file)(["operation"], "value", plain.finding)
}

/** Reports a path that looks like a misspelled documented path. Any other path is allowed. */
function checkPath(
  document: OpenApiDocument,
  file: InstanceFile,
  { method, path }: { readonly method: string; readonly path: string },
): Problem | undefined {
  if (hasTokens(path) || findOperationByPath(document, method, path) !== undefined) return undefined
  const all = listOperations(document)
  // An undocumented method on a documented path is allowed, unless the workflow validates contracts.
  if (all.some((operation) => operation.path === path)) return undefined
  const similar = findSimilarPath(document, method, path)
  if (similar === undefined) return undefined
  const finding = messages["operation-unknown"].nearPath(method.toUpperCase(), path, similar)
  const replacement = { is: "value", from: path, to: similar } as const
  return createProblemMaker(file)(["path"], "value", { ...finding, replacement })
}
