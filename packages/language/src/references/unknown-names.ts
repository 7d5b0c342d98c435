// Reports paths and placeholders that don't resolve. `validate` reports all of them. Before a run sends a request, it
// reports the errors and the paths with an unknown first name.

import {
  formatPath,
  isSingleToken,
  type JsonPointer,
  parseTemplateOnce,
  type ReadableWorkflow,
  type Severity,
  stringsOf,
  type TemplatePart,
  tokensOf,
  unknownType,
  type ValueType,
  walkBlocks,
} from "@callsheet/format"
import { advice, messages, reasons } from "../messages.ts"
import { asWritten, otherBraces } from "../names/name-pattern.ts"
import { inBlock, reportFew, type Report } from "../names/scripts.ts"
import type { ApiSource } from "../requests/target.ts"
import { type Reading, readingAt, type StaticScope } from "../types/static-scope.ts"
import type { PathIssue, WalkResult } from "../types/walk-type.ts"
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

const severityOf = ({ is }: PathIssue) => (is === "unknown" ? "warning" : undefined)

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
    const { replacement } = issue
    report(pointer, "value", { ...finding, severity, replacement }, token.offset)
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
  const { type, issue } =
    bracedPath(template.parts, { scope, reading }) ?? scope.resolve(template.parts, reading)
  if (issue === undefined) return type
  const isSkippable = issue.is === "skippable"
  const ownMessage = isSkippable
    ? messages["result-skipped"].source
    : messages["source-unresolved"].unresolved
  const severity = severityOf(issue)
  if (severity !== undefined)
    report(pointer, "value", {
      ...ownMessage(formatPath(pointer), issue.message, issue.hint),
      severity,
      replacement: issue.replacement,
    })
  return isSkippable ? type : undefined
}

/** Explains a path in braces: a run would read the value as a path. An input may contain one on purpose. */
function bracedPath(
  parts: readonly TemplatePart[],
  { scope, reading }: Pick<Place, "scope" | "reading">,
): WalkResult | undefined {
  if (!isSingleToken(parts)) return undefined
  const [{ inner }] = parts
  const { type } = scope.resolveToken(inner, reading)
  const [first] = inner
  const name = typeof first === "string" ? (/^[^.[]*/.exec(first)?.[0] ?? "") : ""
  if (type.kinds?.has("string") !== false && !scope.results.has(name)) return undefined
  return meansBraces(asWritten(inner))
}

const meansBraces = (path: string): WalkResult => ({
  type: unknownType,
  issue: { is: "braced", message: reasons.bracedPath(), hint: advice.pathOnly(path) },
})

/** Warns about names in braces that a run sends as they are written: `${a.response.body.id}`. */
export function checkOtherBraces(text: string, { pointer, reading, scope, report }: Place): void {
  for (const [written, dollar, single = ""] of text.matchAll(otherBraces)) {
    const path = dollar ?? single
    const [name = ""] = /^[^.[]*/.exec(path) ?? []
    // A single brace is part of many formats, so only a path into a result counts.
    const isPath = scope.results.has(name) && path !== name
    if (!isPath && dollar === undefined && !written.endsWith("}}")) continue
    if (scope.resolve([path], reading).issue?.is === "unknown") continue
    const finding = messages["token-malformed"].otherBraces(formatPath(pointer), written, path)
    report(pointer, "value", finding)
  }
}
