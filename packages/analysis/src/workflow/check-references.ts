// Every token and path of a workflow: does it mean something, when it is read, and can it hold what is asked of it?

import {
  assertionsOf,
  formatPath,
  operators,
  parseTemplateOnce,
  stringsOf,
  tokensOf,
  walkBlocks,
  type Assertion,
  type Block,
  type Blocks,
  type JsonPointer,
  type LiveString,
  type LocatedAssertion,
  type OperatorName,
  type Severity,
  type TemplatePart,
  type ValueType,
  type Visit,
} from "@callsheet/format"
import type { Report } from "../report.ts"
import { describeKinds } from "./describe-type.ts"
import { objectToOperator } from "./operator-objections.ts"
import type { Issue, Reading, StaticScope } from "./static-scope.ts"

export interface ReferenceCheck {
  readonly scope: StaticScope
  /** Paths of which the workflow wants that they lead nowhere. */
  readonly absences: ReadonlySet<string>
  /** Takes pointers from the file's root. */
  readonly report: Report
}

/** Checks the strings of one block and what it compares. */
export function checkReferences(visit: Visit, check: ReferenceCheck): void {
  const { block } = visit
  const report: Report = (pointer, place, finding) =>
    check.report([...visit.pointer(), ...pointer], place, finding)
  const placeOf = (pointer: JsonPointer): Place => ({
    ...check,
    report,
    pointer,
    reading: readingOf(visit, pointer),
  })
  const compared = new Map(assertionsOf(block).map((located) => [formatPath(located.pointer), located]))
  checkTokens(block.id, placeOf(["id"]))
  for (const live of stringsOf(block)) {
    checkTokens(live.text, placeOf(live.pointer))
    if (live.is === "path")
      checkPath(live, placeOf(live.pointer), compared.get(formatPath(live.pointer.slice(0, -1))))
  }
  for (const { assertion, pointer } of compared.values()) checkComparison(assertion, placeOf(pointer))
  checkLoopSource(block, placeOf(["source"]))
}

/** Who reads a string of a block: the check of a polling loop reads after its nested blocks. */
function readingOf(visit: Visit, pointer: JsonPointer): Reading {
  const { block } = visit
  return {
    visit,
    ...(pointer[0] === "until" ? { isAfterNested: true } : {}),
    ...(block.type === "request" && pointer[0] === "request" ? { api: block.request.api } : {}),
  }
}

/** Paths that a workflow compares with nothing, by `notExists` and `hasNoValue`. */
export function collectAbsences(blocks: Blocks): ReadonlySet<string> {
  const absences = new Set<string>()
  for (const { block } of walkBlocks(blocks)) {
    for (const { assertion } of assertionsOf(block))
      if (wantsNothing.has(assertion.operator)) absences.add(assertion.source)
  }
  return absences
}

interface Place extends ReferenceCheck {
  readonly pointer: JsonPointer
  readonly reading: Reading
}

/** Checks every token of a string, nested ones too. */
export function checkTokens(
  text: string,
  { pointer, reading, scope, report }: Omit<Place, "absences">,
): void {
  if (!text.includes("{{")) return
  const template = parseTemplateOnce(text)
  if (!template.ok) return
  for (const token of tokensOf(template.parts)) {
    const { issue } = scope.resolveToken(token.inner, reading)
    if (issue === undefined) continue
    const severity = tokenSeverity[issue.is]
    if (severity === undefined && !isNear(issue)) continue
    report(pointer, "value", {
      code: issue.is === "skippable" ? "result-skipped" : "token-unresolved",
      // An id whose token gives nothing takes the index of its iteration instead.
      severity: pointer[0] === "id" ? "warning" : (severity ?? "warning"),
      message: `${formatPath(pointer)}: {{${textOf(token.inner)}}}: ${issue.message}`,
      hint: issue.hint,
    })
  }
}

/** Steps that are not documented where others may come are said only where a documented one is near. */
const tokenSeverity: { readonly [I in Issue["is"]]: Severity | undefined } = {
  unknown: "error",
  skippable: "warning",
  nowhere: "error",
  elsewhere: "warning",
  undocumented: undefined,
}

const pathSeverity: { readonly [I in Issue["is"]]: Severity | undefined } = {
  ...tokenSeverity,
  unknown: "warning",
}

/** What holds where the source does not resolve: a path that leads nowhere may be what is wanted. */
const wantsNothing: ReadonlySet<OperatorName> = new Set(["notExists", "hasNoValue"])
/** What a condition asks to find out whether a block has run. */
const asksWhether: ReadonlySet<OperatorName> = new Set(["exists", "hasValue"])

function checkPath(live: LiveString, place: Place, located: LocatedAssertion | undefined): void {
  const template = parseTemplateOnce(live.text)
  if (!template.ok) return
  const { issue } = place.scope.resolve(template.parts, place.reading)
  if (issue === undefined) return
  const severity = located === undefined ? severityOfOutput(issue, place) : severityOfSource(issue, located)
  if (severity === undefined) return
  place.report(place.pointer, "value", {
    code: issue.is === "skippable" ? "result-skipped" : "source-unresolved",
    severity,
    message: `${formatPath(place.pointer)}: ${issue.message}`,
    hint: issue.hint,
  })
}

const isNear = ({ hint }: Issue): boolean => hint?.startsWith("did you mean") === true

function severityOfSource(issue: Issue, { assertion, role }: LocatedAssertion): Severity | undefined {
  const { operator } = assertion
  if (issue.is === "skippable")
    return role === "polling" ||
      wantsNothing.has(operator) ||
      (role === "branch" && asksWhether.has(operator))
      ? undefined
      : "warning"
  if (issue.is !== "unknown" && wantsNothing.has(operator)) return isNear(issue) ? "warning" : undefined
  return pathSeverity[issue.is] ?? (isNear(issue) ? "warning" : undefined)
}

/** Of a path that names an output, or the list of a loop. An output whose path leads nowhere is left out, which may be wanted. */
function severityOfOutput(issue: Issue, { pointer, reading, absences }: Place): Severity | undefined {
  const severity = pathSeverity[issue.is] ?? (isNear(issue) ? "warning" : undefined)
  if (pointer[0] !== "transforms" || issue.is !== "nowhere" || isNear(issue)) return severity
  return absences.has(formatPath([reading.visit.block.id, ...pointer.slice(1)])) ? undefined : "warning"
}

function checkComparison(assertion: Assertion, { pointer, reading, scope, report }: Place): void {
  const { source, operator, value } = assertion
  if (!operators[operator].takesValue || value === undefined) return
  const template = parseTemplateOnce(source)
  if (!template.ok) return
  const { type, issue } = scope.resolve(template.parts, reading)
  if (issue !== undefined && issue.is !== "skippable") return
  const objection = objectToOperator(operator, type, scope.typeOf(value, reading))
  if (objection === undefined) return
  report([...pointer, "operator"], "value", {
    code: "operator-type",
    severity: objection.severity,
    message: `${formatPath(pointer)}: ${source} ${operators[operator].phrase} …: ${objection.message}`,
  })
}

function checkLoopSource(block: Block, { pointer, reading, scope, report }: Place): void {
  if (block.type !== "loop" || block.source === undefined) return
  const template = parseTemplateOnce(block.source)
  if (!template.ok) return
  const { type, issue } = scope.resolve(template.parts, reading)
  if (
    (issue !== undefined && issue.is !== "skippable") ||
    type.kinds === undefined ||
    type.kinds.has("array")
  )
    return
  report(pointer, "value", {
    code: "loop-source",
    message: `source: ${block.source} is ${describeKinds(type)}; "forEach" walks an array`,
    hint: listIn(type, block.source),
  })
}

/** The list that was probably meant: a property of the object. */
function listIn(type: ValueType, source: string): string | undefined {
  const name = type.names().find((candidate) => {
    const step = type.step(candidate)
    return step.leads === "to" && step.type.kinds?.has("array") === true
  })
  return name === undefined ? undefined : `did you mean ${JSON.stringify(`${source}.${name}`)}?`
}

const textOf = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `{{${textOf(part.inner)}}}`)).join("")
