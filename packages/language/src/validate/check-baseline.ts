// Checks `callsheet.baseline.json` against the rest of the project. An entry that leads nowhere is a warning, because runs
// ignore it.

import {
  checkBaseline,
  createProblemMaker,
  dayOf,
  formatMessages,
  isExpired,
  suggest,
  withReplacement,
  type BaselineEntry,
  type Finding,
  type JsonPointer,
  type Problem,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import { findOperationByPath, listOperations } from "@callsheet/openapi"
import { messages } from "../messages.ts"
import { unknownApi } from "../names/unknown-api.ts"
import type { ApiSource } from "../requests/target.ts"

interface BaselineCheck {
  readonly project: Pick<Project, "apiNames" | "baselineFile">
  /** The APIs that were read. Entries of others are only checked by name. */
  readonly apis: ReadonlyMap<string, ApiSource>
  /** The current day in UTC: `2027-01-31`. */
  readonly today: string
  readonly add: (problem: Problem) => void
}

/** Returns the problems of the text of a baseline, as a check of the whole project reports them. */
export function validateBaselineFile(
  file: SourceFile,
  { project, apis }: { readonly project: Pick<Project, "apiNames">; readonly apis: BaselineCheck["apis"] },
): readonly Problem[] {
  const problems: Problem[] = []
  const own = { apiNames: project.apiNames, baselineFile: file }
  checkBaselineFile({
    project: own,
    apis,
    today: dayOf(Date.now()),
    add: (problem) => problems.push(problem),
  })
  return problems
}

/** Reports the problems of the file, its unknown APIs and operations, and its expired entries. */
export function checkBaselineFile({ project, apis, today, add }: BaselineCheck): void {
  const { baselineFile: file, apiNames } = project
  if (file === undefined) return
  if (file.problem !== undefined) return add(file.problem)
  const { entries = [], problems } = checkBaseline(file)
  problems.forEach(add)
  const problemAt = createProblemMaker(file)
  const warn = (pointer: JsonPointer, finding: Finding): void =>
    add(problemAt(pointer, "value", { ...finding, severity: "warning" }))
  const known = new Map<string, Finding | undefined>()
  for (const [index, entry] of entries.entries()) {
    const at = ["violations", index]
    const { api, operation, path, expires } = entry
    if (!apiNames.includes(api)) warn([...at, "api"], unknownApi(api, apiNames, "value"))
    else {
      const key = `${api} ${operation}`
      if (!known.has(key)) known.set(key, checkOperation(entry, apis.get(api)))
      const finding = known.get(key)
      if (finding !== undefined) warn([...at, "operation"], finding)
    }
    if (expires !== undefined && isExpired(entry, today))
      warn([...at, "expires"], formatMessages["baseline-expired"].expired(operation, path, expires))
  }
}

function checkOperation(
  { api, operation }: BaselineEntry,
  source: ApiSource | undefined,
): Finding | undefined {
  const document = source?.document
  if (document === undefined) return undefined
  const [method = "", path = ""] = operation.split(" ")
  if (findOperationByPath(document, method, path) !== undefined) return undefined
  const names = listOperations(document).map((one) => `${one.method} ${one.path}`)
  const finding = messages["operation-unknown"].inBaseline(api, operation, suggest(operation, names))
  return withReplacement(finding, { is: "value", from: operation, known: names })
}
