// Checks every placeholder and path of a workflow: the names in it, their order, and the type of the value.

import {
  assertionsOf,
  compareDates,
  formatPath,
  isEqual,
  type JsonPointer,
  type LiveString,
  type LocatedAssertion,
  type OperatorName,
  operators,
  passesWithoutSource,
  type Severity,
  stringsOf,
  unionType,
  type ValueKind,
  type ValueType,
  type Visit,
} from "@callsheet/format"
import { inBlock, type Report } from "../names/scripts.ts"
import { checkOtherBraces, checkPath, checkTokens } from "../references/unknown-names.ts"
import { areDisjoint, describeKinds, listValues } from "../types/describe-type.ts"
import { type Reading, readingAt, type StaticScope } from "../types/static-scope.ts"
import type { PathIssue } from "../types/walk-type.ts"
import { comparisons, messages } from "../messages.ts"

interface ReferenceCheck {
  readonly scope: StaticScope
  /** True if the workflow validates responses, so that an invalid response fails the run. */
  readonly isEnforced: boolean
  /** The paths that the workflow expects not to resolve. */
  readonly absences: ReadonlySet<string>
  readonly report: Report
}

export function checkReferences(visit: Visit, check: ReferenceCheck): void {
  const { block } = visit
  const inCheck = { ...check, report: inBlock(check.report, visit) }
  const placeOf = (pointer: JsonPointer): Place => ({
    ...inCheck,
    pointer,
    reading: readingAt(visit, pointer),
  })
  if (block.id.includes("{{")) checkReadTokens(block.id, placeOf(["id"]))
  for (const located of assertionsOf(block)) {
    const place = placeOf([...located.pointer, "source"])
    const type = checkPath(located.assertion.source, place, (issue) =>
      severityOfSource(issue, located, place),
    )
    if (type !== undefined) checkComparison(type, located, place)
  }
  for (const live of stringsOf(block)) {
    const place = placeOf(live.pointer)
    if (live.text.includes("{{")) checkReadTokens(live.text, place)
    if (live.pointer[0] !== "description") checkOtherBraces(live.text, place)
    if (live.is !== "path" || !isOwnPath(live)) continue
    const type = checkPath(live.text, place, (issue) => severityOfOutput(issue, place))
    if (type !== undefined && live.pointer[0] === "source") checkLoopSource(live.text, type, place)
  }
}

/** Returns whether to check the path here. The paths of assertions are checked together with their expected values. */
const isOwnPath = ({ pointer: [field] }: LiveString): boolean => field === "transforms" || field === "source"

interface Place extends ReferenceCheck {
  readonly pointer: JsonPointer
  readonly reading: Reading
}

/** Reports the problems of the placeholders in a text. */
export const checkReadTokens = (text: string, place: Omit<Place, "absences">): void =>
  checkTokens(text, place, (issue) => severityOfToken(issue, place))

function severityOfToken(issue: PathIssue, place: Omit<Place, "absences">): Severity | undefined {
  const severity = limitSeverity(tokenSeverity[issue.is], issue, place)
  if (severity === undefined) return issue.isNear === true ? "warning" : undefined
  return isNote(place.pointer) ? "warning" : severity
}

/**
 * Returns whether an unresolved placeholder is harmless: an id gets the index instead, and a description is shown as
 * written.
 */
const isNote = ([field]: JsonPointer): boolean => field === "id" || field === "description"

/** The severity by issue. An undocumented step is reported only if its name resembles a documented one. */
const tokenSeverity: { readonly [I in PathIssue["is"]]: Severity | undefined } = {
  unknown: "error",
  braced: "error",
  skippable: "warning",
  nowhere: "error",
  elsewhere: "warning",
  undocumented: undefined,
}

const pathSeverity: { readonly [I in PathIssue["is"]]: Severity | undefined } = {
  ...tokenSeverity,
  unknown: "warning",
}

/**
 * Turns an error that depends on a document into a warning. Keeps the error if the run can't pass: the workflow
 * validates responses, and every run needs the value.
 */
function limitSeverity<S extends Severity | undefined>(
  severity: S,
  { origin }: Pick<PathIssue, "origin">,
  { isEnforced, pointer: [field], reading, scope }: Omit<Place, "absences">,
): S | "warning" {
  if (severity !== "error" || origin === undefined) return severity
  const isNeeded = field !== "if" && field !== "until" && field !== "transforms"
  const isFatal = origin === "enforced" && isEnforced && isNeeded && scope.alwaysRuns(reading.visit.block)
  return isFatal ? severity : "warning"
}

/** Operators that pass if the source doesn't resolve. Such a path may be intended. */
export const expectsNothing = (operator: OperatorName): boolean =>
  passesWithoutSource(operator) && !operators[operator].takesValue

function severityOfSource(
  issue: PathIssue,
  { assertion, role }: LocatedAssertion,
  place: Place,
): Severity | undefined {
  const { operator } = assertion
  if (issue.is === "skippable")
    return role === "polling" ||
      expectsNothing(operator) ||
      (role === "branch" && !operators[operator].takesValue)
      ? undefined
      : "warning"
  if (issue.is !== "unknown" && expectsNothing(operator)) return issue.isNear === true ? "warning" : undefined
  // `notEquals` passes without a value, and the document may be incomplete.
  if (operator === "notEquals" && issue.origin !== undefined) return "warning"
  return severityOfPath(issue, place)
}

const severityOfPath = (issue: PathIssue, place: Place): Severity | undefined =>
  limitSeverity(pathSeverity[issue.is], issue, place) ?? (issue.isNear === true ? "warning" : undefined)

/**
 * Returns the severity for the path of an output or of a loop's list. A run can omit an output, so that is a warning.
 */
function severityOfOutput(issue: PathIssue, place: Place): Severity | undefined {
  const { pointer, reading, absences } = place
  const severity = severityOfPath(issue, place)
  if (pointer[0] !== "transforms" || issue.is !== "nowhere" || issue.isNear === true) return severity
  return absences.has(formatPath([reading.visit.block.id, ...pointer.slice(1)])) ? undefined : "warning"
}

function checkComparison(type: ValueType, { assertion, pointer }: LocatedAssertion, place: Place): void {
  const { source, operator, value } = assertion
  if (!operators[operator].takesValue || value === undefined) return
  const expected = place.scope.typeOf(value, place.reading)
  const finding = judgeComparison(operator, type, expected)
  if (finding === undefined) return
  const { comparison } = messages["operator-type"]
  place.report([...pointer, finding.at], "value", {
    ...comparison(formatPath(pointer), source, operators[operator].phrase, finding),
    severity: limitSeverity(finding.severity, unionType([type, expected]), place),
  })
}

function checkLoopSource(source: string, type: ValueType, place: Place): void {
  if (type.kinds === undefined || type.kinds.has("array")) return
  const { notAnArray } = messages["loop-source"]
  const [list, ...others] = listsIn(type, source)
  const isSure = list !== undefined && others.length === 0
  place.report(place.pointer, "value", {
    ...notAnArray(source, describeKinds(type), list && `did you mean ${JSON.stringify(list)}?`),
    severity: limitSeverity("error", type, place),
    replacement: isSure ? { is: "value", from: source, to: list } : undefined,
  })
}

/** Returns the paths of the arrays in an object. */
const listsIn = (type: ValueType, source: string): readonly string[] =>
  type.names().flatMap((name) => {
    const step = type.step(name)
    const isList = step.leads === "to" && step.type.kinds?.has("array") === true
    const last = formatPath([name])
    return isList ? [last === name ? `${source}.${name}` : source + last] : []
  })

interface OperatorFinding {
  /** A warning if only documented values contradict the comparison, or if it is always true. */
  readonly severity: "error" | "warning"
  readonly at: "operator" | "value"
  readonly message: string
  readonly hint?: string | undefined
}

type Judge = (source: ValueType, expected: ValueType) => OperatorFinding | undefined

const badOperator = (message: string): OperatorFinding => ({ severity: "error", at: "operator", message })
const badValue = (message: string): OperatorFinding => ({ severity: "error", at: "value", message })
const oddValue = (message: string): OperatorFinding => ({ severity: "warning", at: "value", message })

const ordered: Judge = (source, expected) => {
  const hint = [source, expected].some(({ kinds }) => kinds?.has("string")) ? compareDates : undefined
  if (excludes(source, "number"))
    return { ...badOperator(comparisons.sourceNotNumber(describeKinds(source))), hint }
  return excludes(expected, "number")
    ? { ...badValue(comparisons.valueNotNumber(describeKinds(expected))), hint }
    : undefined
}

const judges: { readonly [O in OperatorName]?: Judge } = {
  equals: (source, expected) => {
    if (areDisjoint(source, expected))
      return badValue(comparisons.neverEqual(describeKinds(source), describeKinds(expected)))
    return undocumentedValue(comparisons.undocumented, source, expected)
  },
  notEquals: (source, expected) => {
    if (areDisjoint(source, expected))
      return oddValue(comparisons.alwaysUnequal(describeKinds(source), describeKinds(expected)))
    // Allows a comparison with an undocumented number, such as a status, which is often intended.
    return excludes(expected, "number")
      ? undocumentedValue(comparisons.alwaysUndocumented, source, expected)
      : undefined
  },
  greaterThan: ordered,
  lessThan: ordered,
  contains: (source, expected) => {
    if (excludes(source, "string") && excludes(source, "array"))
      return badOperator(comparisons.cannotContain(describeKinds(source)))
    if (excludes(source, "array"))
      return excludes(expected, "string")
        ? badValue(comparisons.stringContains(describeKinds(expected)))
        : undefined
    const item = excludes(source, "string") ? source.step("0") : undefined
    if (item?.leads !== "to") return undefined
    if (areDisjoint(item.type, expected))
      return badValue(comparisons.itemsContain(describeKinds(item.type), describeKinds(expected)))
    return undocumentedValue(comparisons.undocumentedItem, item.type, expected)
  },
}

/** Returns why a comparison of these types always passes or always fails, if it does. */
export const judgeComparison = (operator: OperatorName, ...sides: Parameters<Judge>) =>
  judges[operator]?.(...sides)

const excludes = ({ kinds }: ValueType, kind: ValueKind): boolean => kinds !== undefined && !kinds.has(kind)

function undocumentedValue(
  message: (value: string, documented: string) => string,
  { values: documented }: ValueType,
  { values: expected }: ValueType,
): OperatorFinding | undefined {
  if (documented === undefined || expected === undefined) return undefined
  if (expected.some((value) => documented.some((known) => isEqual(known, value)))) return undefined
  return oddValue(message(listValues(expected, "or"), listValues(documented, "and")))
}
