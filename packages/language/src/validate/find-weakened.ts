// Finds the checks that an edit of a workflow removes or loosens, although the API's document supports them.

import {
  assertionsOf,
  isComparison,
  isEqual,
  isNumber,
  operators,
  parsePathOnce,
  parseTemplateOnce,
  statusKeys,
  stringifyJson,
  walkBlocks,
  type Assertion,
  type JsonValue,
  type LocatedAssertion,
  type ReadableWorkflow,
  type Visit,
} from "@callsheet/format"
import { responseTypes } from "@callsheet/openapi"
import { contractReasons } from "../messages.ts"
import { findTargets, type ApiSource, type Targets } from "../requests/target.ts"
import { describeKinds, listValues } from "../types/describe-type.ts"
import { readingAt, type StaticScope } from "../types/static-scope.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"
import { expectsNothing, judgeComparison } from "./check-references.ts"

export interface WeakenedCheck {
  /** The id of the block that has the check. Absent for `validateContracts`. */
  readonly block?: string | undefined
  /** The check in words: `created.response.status equals 201`. */
  readonly check: string
  readonly change: "removed" | "loosened" | "skippable"
  /** The document's statement about the check. */
  readonly reason: string
}

interface Edit {
  readonly before: ReadableWorkflow
  readonly after: ReadableWorkflow
  readonly apis: ReadonlyMap<string, ApiSource>
}

export function findWeakened({ before, after, apis }: Edit): readonly WeakenedCheck[] {
  const ground = groundOf(before, apis)
  const kept = [...checksOf(after, groundOf(after, apis).scope)]
  const found: WeakenedCheck[] = []
  for (const check of checksOf(before, ground.scope)) {
    const { assertion, visit } = check
    const same = kept.filter((other) => other.assertion.source === assertion.source)
    const holding = same.filter((other) => implies(other.assertion, assertion))
    if (holding.some((other) => other.alwaysRuns || !check.alwaysRuns)) continue
    const reason = supportOf(check, ground)
    if (reason === undefined) continue
    const change = holding.length > 0 ? "skippable" : same.length > 0 ? "loosened" : "removed"
    found.push({ block: visit.block.id, check: describe(assertion), change, reason })
  }
  const stopsChecking =
    before.workflow.validateContracts === true && after.workflow.validateContracts !== true
  if (stopsChecking && [...ground.targets.values()].some(({ target }) => target.operation !== undefined))
    found.push({ check: "validateContracts", change: "removed", reason: contractReasons.notValidated() })
  return found
}

interface Ground {
  readonly scope: StaticScope
  readonly targets: Targets
}

function groundOf(readable: ReadableWorkflow, apis: Edit["apis"]): Ground {
  const nothing = (): void => undefined
  const targets = findTargets({ apis, apiNames: [...apis.keys()], addProblem: nothing }, readable, nothing)
  return { targets, scope: createWorkflowScope({ readable, apis, targets }).scope }
}

interface Check extends LocatedAssertion {
  readonly visit: Visit
  readonly alwaysRuns: boolean
}

/** Yields the checks that can fail a run. The check of a branch can't. */
function* checksOf({ workflow, broken }: ReadableWorkflow, scope: StaticScope): Generator<Check> {
  for (const visit of walkBlocks(workflow.blocks)) {
    if (broken.has(visit.block)) continue
    const alwaysRuns = scope.alwaysRuns(visit.block)
    for (const located of assertionsOf(visit.block))
      if (located.role !== "branch") yield { ...located, visit, alwaysRuns }
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
function documentedStatuses(source: string, { scope, targets }: Ground): readonly string[] | undefined {
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

/** Returns whether an assertion holds whenever another one with the same source does. */
function implies(stronger: Assertion, weaker: Assertion): boolean {
  const { operator: given, value: known = null } = stronger
  const { operator: wanted, value: expected = null } = weaker
  if (given === wanted && isEqual(known, expected)) return true
  if (wanted === "exists") return given !== "notEquals" && !expectsNothing(given)
  if (wanted === "hasNoValue") return given === "notExists"
  if (wanted === "hasValue" && given !== "equals")
    return given === "greaterThan" || given === "lessThan" || given === "contains"
  if (hasPlaceholder(known) || hasPlaceholder(expected)) return false
  if (given === "equals") return operators[wanted].holds({ found: true, value: known }, expected)
  if (given !== wanted || !isNumber(known) || !isNumber(expected)) return false
  return given === "greaterThan" ? known >= expected : given === "lessThan" && known <= expected
}

const hasPlaceholder = (value: JsonValue): boolean => stringifyJson(value).includes("{{")
