// Finds paths with an unknown first name, so that a run can warn before it sends a request.

import {
  formatPath,
  hasResponse,
  type JsonPointer,
  parseTemplateOnce,
  type ReadableWorkflow,
  type RequestBlock,
  stringsOf,
  tokensOf,
  type Visit,
  walkBlocks,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { asWritten } from "../names/name-pattern.ts"
import { inBlock, type Report } from "../names/scripts.ts"
import type { ApiSource } from "../requests/target.ts"
import { readingAt, type StaticScope } from "../types/static-scope.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"

export interface NameCheck {
  readonly readable: ReadableWorkflow
  readonly apis: ReadonlyMap<string, ApiSource>
  /** Returns the strings of saved requests that a block may send. */
  readonly stringsOfRequest: (block: RequestBlock) => Iterable<string>
  readonly report: Report
}

const MAX_NAMES = 100

/** Warns about each name in a path or token that isn't an earlier block, an input, an iterator or a variable. */
export function checkNames({ readable, apis, stringsOfRequest, report: reportName }: NameCheck): void {
  let names = 0
  const report: Report = (pointer, at, finding) => {
    if (++names <= MAX_NAMES) reportName(pointer, at, finding)
  }
  // Leaves out targets, because the documented types of values don't matter here.
  const { scope } = createWorkflowScope({ readable, apis, targets: new Map() })
  for (const visit of walkBlocks(readable.workflow.blocks)) {
    if (names > MAX_NAMES) return
    const { block } = visit
    const place = { scope, visit, report: inBlock(report, visit) }
    for (const { text, pointer, is } of stringsOf(block))
      if (pointer[0] !== "description") checkText(text, { ...place, pointer, isPath: is === "path" })
    if (!hasResponse(block)) continue
    for (const text of stringsOfRequest(block))
      checkText(text, { ...place, pointer: ["request"], isPath: false })
  }
}

interface Place {
  readonly scope: StaticScope
  readonly visit: Visit
  readonly pointer: JsonPointer
  readonly isPath: boolean
  readonly report: Report
}

function checkText(text: string, { scope, visit, pointer, isPath, report }: Place): void {
  const template = parseTemplateOnce(text)
  if (!template.ok) return
  const reading = readingAt(visit, pointer)
  const field = formatPath(pointer)
  for (const { inner } of tokensOf(template.parts)) {
    const { issue } = scope.resolveToken(inner, reading)
    if (issue?.is !== "unknown") continue
    const { unresolved } = messages["token-unresolved"]
    const finding = unresolved(field, asWritten(inner), issue.message, issue.hint)
    report(pointer, "value", { ...finding, severity: "warning" })
  }
  const issue = isPath ? scope.resolve(template.parts, reading).issue : undefined
  if (issue?.is !== "unknown") return
  const finding = messages["source-unresolved"].unresolved(field, issue.message, issue.hint)
  report(pointer, "value", { ...finding, severity: "warning" })
}
