// Reports paths and placeholders that don't resolve. `validate` reports all of them. Before a run sends a request, it
// reports the errors and the paths with an unknown first name.

import {
  formatPath,
  type JsonPointer,
  parseTemplateOnce,
  type ReadableWorkflow,
  type Severity,
  stringsOf,
  tokensOf,
  type ValueType,
  walkBlocks,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { asWritten } from "../names/name-pattern.ts"
import { inBlock, reportFew, type Report } from "../names/scripts.ts"
import type { ApiSource } from "../requests/target.ts"
import { type Reading, readingAt, type StaticScope } from "../types/static-scope.ts"
import type { PathIssue } from "../types/walk-type.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"

export interface NameCheck {
  readonly readable: ReadableWorkflow
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly report: Report
}

/** Warns about each first name of a path, outside of placeholders, that isn't an earlier block, an input, an iterator or a variable. */
export function checkNames({ readable, apis, report }: NameCheck): void {
  const few = reportFew(report)
  // Omits targets: the types of values aren't needed here.
  const { scope } = createWorkflowScope({ readable, apis, targets: new Map() })
  for (const visit of walkBlocks(readable.workflow.blocks)) {
    if (few.isFull()) return
    const { block } = visit
    const placeOf = (pointer: JsonPointer) => ({
      scope,
      pointer,
      reading: readingAt(visit, pointer),
      report: inBlock(few.report, visit),
    })
    for (const { text, pointer, is } of stringsOf(block)) {
      if (pointer[0] === "description") continue
      if (is === "path") checkPath(text, placeOf(pointer), severityOf)
    }
  }
}

const severityOf = (issue: PathIssue) => (issue.is === "unknown" ? "warning" : undefined)

type SeverityOf = (issue: PathIssue) => Severity | undefined

interface Place {
  readonly scope: StaticScope
  readonly pointer: JsonPointer
  readonly reading: Reading
  readonly report: Report
}

/** Reports the problems of the placeholders in a text. */
export function checkTokens(
  text: string,
  { pointer, reading, scope, report }: Place,
  severityOf: SeverityOf,
): void {
  const template = parseTemplateOnce(text)
  if (!template.ok) return
  for (const token of tokensOf(template.parts)) {
    const { issue } = scope.resolveToken(token.inner, reading)
    // The check of the workflow file already reports unknown placeholders in ids.
    if (issue === undefined || (pointer[0] === "id" && issue.is === "unknown")) continue
    const severity = severityOf(issue)
    if (severity === undefined) continue
    const ownMessage =
      issue.is === "skippable" ? messages["result-skipped"].token : messages["token-unresolved"].unresolved
    const finding = ownMessage(formatPath(pointer), asWritten(token.inner), issue.message, issue.hint)
    report(pointer, "value", { ...finding, severity }, token.offset)
  }
}

/** Reports the problem of a path, if any. Returns the type of the value if the path resolves. */
export function checkPath(
  text: string,
  { pointer, reading, scope, report }: Place,
  severityOf: SeverityOf,
): ValueType | undefined {
  const template = parseTemplateOnce(text)
  if (!template.ok) return undefined
  const { type, issue } = scope.resolve(template.parts, reading)
  if (issue === undefined) return type
  const isSkippable = issue.is === "skippable"
  const ownMessage = isSkippable
    ? messages["result-skipped"].source
    : messages["source-unresolved"].unresolved
  const severity = severityOf(issue)
  if (severity !== undefined)
    report(pointer, "value", { ...ownMessage(formatPath(pointer), issue.message, issue.hint), severity })
  return isSkippable ? type : undefined
}
