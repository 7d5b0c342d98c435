// Finds the checks that an edit of a workflow or its saved requests removes or loosens, although the API's document
// supports them.

import {
  assertionsOf,
  blockDefaults,
  isComparison,
  isEqual,
  isNumber,
  iterates,
  operators,
  parsePathOnce,
  passesWithoutSource,
  parseTemplateOnce,
  statusKeys,
  stringifyJson,
  walkBlocks,
  type Assertion,
  type Block,
  type JsonValue,
  type LocatedAssertion,
  type ReadableWorkflow,
  type RequestBlock,
  type Visit,
} from "@callsheet/format"
import { responseTypes } from "@callsheet/openapi"
import { contractReasons } from "../messages.ts"
import { findTargets, type ApiSource } from "../requests/target.ts"
import { describeKinds, listValues } from "../types/describe-type.ts"
import { readingAt } from "../types/static-scope.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"
import { pairRequests, Subjects, type Ground, type Subject } from "./check-subjects.ts"
import { expectsNothing, judgeComparison } from "./check-references.ts"

export interface WeakenedCheck {
  /** The id of the block that has the check. Absent for `validateContracts`. */
  readonly block?: string | undefined
  /** The check in words: `created.response.status equals 201`. */
  readonly check: string
  readonly change: "removed" | "loosened" | "skippable" | "replaced"
  /** The document's statement about the check. */
  readonly reason: string
}

/** A workflow, with the APIs and saved requests that it uses. */
export interface WorkflowState {
  readonly readable: ReadableWorkflow
  readonly apis: ReadonlyMap<string, ApiSource>
}

interface Edit {
  readonly before: WorkflowState
  readonly after: WorkflowState
}

/** Compares what the checks test, so that another name of a block, an output or an input doesn't matter. */
export function findWeakened(edit: Edit): readonly WeakenedCheck[] {
  const [before, after] = [groundOf(edit.before), groundOf(edit.after)]
  const pairs = pairRequests(before, after)
  const ids = new Map([...pairs].map(([own, earlier]) => [own, earlier.id]))
  const earlier = new Subjects(before, ({ id }) => id)
  // An id with a space in front is not the id of an earlier block.
  const kept = [...checksOf(after, new Subjects(after, (block) => ids.get(block) ?? ` ${block.id}`))]
  const sent = new Map([...pairs].map(([own, old]) => [old, savedChange([before, old], [after, own])]))
  const found: WeakenedCheck[] = []
  for (const check of checksOf(before, earlier)) {
    const same = kept.filter((other) => other.subject.text === check.subject.text)
    const holding = same.filter((other) => implies(other, check))
    const isKept = holding.some((other) => other.alwaysRuns || !check.alwaysRuns)
    const changed = check.subject.requests.map((block) => sent.get(block)).find((name) => name !== undefined)
    if (isKept && changed === undefined) continue
    const reason = supportOf(check, before)
    if (reason === undefined) continue
    const { block } = check.visit
    const isOther = same.length === 0 && kept.some((other) => hasSameText(other.assertion, check.assertion))
    const change =
      isKept || isOther
        ? "replaced"
        : holding.length > 0
          ? "skippable"
          : same.length > 0
            ? "loosened"
            : "removed"
    const why = isKept && changed !== undefined ? contractReasons.sendsOther(changed) : reason
    found.push({ block: block.id, check: describe(check.assertion), change, reason: why })
  }
  return [...found, ...unvalidated(before, after, new Set(pairs.values()))]
}

const hasSameText = (one: Assertion, other: Assertion): boolean =>
  one.source === other.source &&
  one.operator === other.operator &&
  isEqual(one.value ?? null, other.value ?? null)

/** Returns the name of a saved request that sends something else now. A change of the block itself is easy to see. */
function savedChange(
  [before, old]: readonly [Ground, RequestBlock],
  [after, own]: readonly [Ground, RequestBlock],
): string | undefined {
  const { instance } = own.request
  if (instance === undefined) return undefined
  const [saved, now] = [before.targets.get(old), after.targets.get(own)].map((found) => {
    const {
      params = null,
      body = null,
      bodyType = null,
      followRedirects = null,
    } = found?.target.instance ?? {}
    return [params, body, bodyType, followRedirects] as JsonValue
  })
  return isEqual(saved ?? null, now ?? null) ? undefined : instance
}

/** Finds responses that runs no longer compare with the contract. */
function unvalidated(before: Ground, after: Ground, kept: ReadonlySet<Block>): readonly WeakenedCheck[] {
  const { readable, targets } = before
  const documented = [...targets].filter(([, { target }]) => target.operation !== undefined)
  if (readable.workflow.validateContracts !== true || documented.length === 0) return []
  if (after.readable.workflow.validateContracts !== true)
    return [{ check: "validateContracts", change: "removed", reason: contractReasons.notValidated() }]
  return documented
    .filter(([block]) => !kept.has(block))
    .map(([{ id }, { target }]) => ({
      block: id,
      check: `validateContracts for ${target.method} ${target.path}`,
      change: "removed",
      reason: contractReasons.notValidated(),
    }))
}

function groundOf({ readable, apis }: WorkflowState): Ground {
  const nothing = (): void => undefined
  const targets = findTargets({ apis, apiNames: [...apis.keys()], addProblem: nothing }, readable, nothing)
  return { readable, targets, scope: createWorkflowScope({ readable, apis, targets }).scope }
}

interface Check extends LocatedAssertion {
  readonly visit: Visit
  readonly alwaysRuns: boolean
  readonly subject: Subject
  /** The value to compare with, with the same names as the subject. */
  readonly expected: JsonValue
  /** The number of attempts that a check has to hold. */
  readonly attempts: number
}

/** Yields the checks that can fail a run. The check of a branch can't. */
function* checksOf({ readable: { workflow, broken }, scope }: Ground, subjects: Subjects): Generator<Check> {
  for (const visit of walkBlocks(workflow.blocks)) {
    const { block } = visit
    if (broken.has(block)) continue
    const alwaysRuns = scope.alwaysRuns(block)
    for (const located of assertionsOf(block)) {
      if (located.role === "branch") continue
      const { assertion, pointer, role } = located
      const reading = readingAt(visit, pointer)
      const subject = subjects.of(assertion.source, reading)
      const expected = subjects.valueOf(assertion.value ?? null, reading)
      const attempts =
        role === "polling" && iterates(block) && block.mode === "until"
          ? (block.maxIterations ?? blockDefaults.maxIterations)
          : 1
      yield { ...located, visit, alwaysRuns, subject, expected, attempts }
    }
  }
}

const describe = ({ source, operator, value }: Assertion): string =>
  [source, operators[operator].phrase, ...(value === undefined ? [] : [stringifyJson(value)])].join(" ")

/** Returns what the document says in favor of an assertion. Undefined if it says nothing, or the opposite. */
function supportOf({ assertion, visit, pointer }: Check, { scope, targets }: Ground): string | undefined {
  const { source, operator, value = null } = assertion
  const template = parseTemplateOnce(source)
  if (!template.ok) return undefined
  const reading = readingAt(visit, pointer)
  const { type, issue } = scope.resolve(template.parts, reading)
  if (expectsNothing(operator)) return issue?.is === "nowhere" ? contractReasons.ruledOut(source) : undefined
  if (issue !== undefined && issue.is !== "skippable") return undefined
  const statuses = documentedStatuses(source, { scope, targets })
  if (statuses !== undefined) return supportOfStatus(assertion, statuses)
  if (type.origin === undefined) return undefined
  if (isComparison(assertion) && judgeComparison(operator, type, scope.typeOf(value, reading)) !== undefined)
    return undefined
  const documented = type.values === undefined ? describeKinds(type) : listValues(type.values, "or")
  return contractReasons.documented(source, documented)
}

/** Returns the documented statuses if the path is that of a response's status. */
function documentedStatuses(
  source: string,
  { scope, targets }: Pick<Ground, "scope" | "targets">,
): readonly string[] | undefined {
  const path = parsePathOnce(source)
  if (!path.ok) return undefined
  const [id, part, field, ...rest] = path.segments
  const block = scope.results.get(id)
  if (part !== "response" || field !== "status" || rest.length > 0 || block === undefined) return undefined
  const operation = targets.get(block)?.target.operation
  return operation === undefined ? undefined : responseTypes(operation).map(({ status }) => status)
}

function supportOfStatus(assertion: Assertion, documented: readonly string[]): string | undefined {
  const { operator, value = null } = assertion
  const isSupported =
    operator === "equals"
      ? isNumber(value) && statusKeys(Number(value)).some((key) => documented.includes(key))
      : documented.some((status) =>
          operators[operator].holds({ found: true, value: Number(status.replace("XX", "00")) }, value),
        )
  return isSupported ? contractReasons.statuses(documented) : undefined
}

/** Returns whether a check holds whenever another one of the same subject does. */
function implies(stronger: Check, weaker: Check): boolean {
  const { operator: given } = stronger.assertion
  const { operator: wanted } = weaker.assertion
  const { expected: known } = stronger
  const { expected } = weaker
  if (stronger.attempts > weaker.attempts) return false
  if (given === wanted && isEqual(known, expected)) return true
  if (wanted === "exists") return !passesWithoutSource(given)
  if (wanted === "hasNoValue") return given === "notExists"
  if (wanted === "hasValue" && given !== "equals")
    return operators[given].takesValue && !passesWithoutSource(given)
  if (hasPlaceholder(known) || hasPlaceholder(expected)) return false
  if (given === "equals") return operators[wanted].holds({ found: true, value: known }, expected)
  if (given !== wanted || !isNumber(known) || !isNumber(expected)) return false
  return given === "greaterThan" ? known >= expected : given === "lessThan" && known <= expected
}

const hasPlaceholder = (value: JsonValue): boolean => stringifyJson(value).includes("{{")
