// Compares the violations in a response with the baseline: known ones are shown, and only the others fail the block.

import {
  baselineSchema,
  generalizePath,
  MAX_VIOLATION_PATH,
  type ContractProblem,
  type ContractView,
  type FailureCode,
  type Finding,
  type FoundViolations,
  type JsonObject,
  type ViolationPlace,
  type ViolationSubject,
  type Writable,
} from "@callsheet/format"
import type { DistinctViolations } from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type { KnownVerdict, RunBaseline } from "./run-baseline.ts"

interface ViolationFacts {
  readonly subject: ViolationSubject
  /** Undefined if nobody asked for them, and in a replay. */
  readonly distinct: DistinctViolations | undefined
  /** The violations that a record kept. */
  readonly earlier: FoundViolations | undefined
  /** The status, headers and body of the response. */
  readonly response: JsonObject
  readonly baseline: RunBaseline | undefined
  /** Masks a path in which the server may have put a secret. */
  readonly mask: (path: string) => string
}

export interface JudgedContract {
  readonly contract: ContractView
  readonly found?: FoundViolations | undefined
  /** The violations that fail the block. */
  readonly failing: readonly ContractProblem[]
  /** The last day of the first failing violation, if all of them are known but expired. */
  readonly expired?: string | undefined
}

/** Marks the violations that the baseline lists. */
export function applyBaseline(given: ContractView, facts: ViolationFacts): JudgedContract {
  const { subject, response, baseline } = facts
  const contract = withoutKnown(given)
  const distinct = facts.distinct ?? earlierViolations(contract, facts.earlier, response)
  const isUnchecked = contract.unchecked !== undefined
  if (contract.status !== "failed" || distinct === undefined) {
    if (contract.status !== "unavailable")
      baseline?.observe({ subject, response, violations: [], isPartial: isUnchecked })
    return { contract, failing: contract.status === "failed" ? contract.problems : [] }
  }
  const marked = distinct.violations.map(({ path, problem }): Marked => {
    const place = {
      path: facts.mask(path),
      schema: baselineSchema(subject.api, problem.file, problem.schema),
    }
    const isKept = path.length <= MAX_VIOLATION_PATH
    return { problem, place, isKept, verdict: isKept ? (baseline?.judge(subject, place) ?? "new") : "new" }
  })
  const kept = marked.filter(({ isKept }) => isKept)
  const isCut = distinct.isCut || kept.length < marked.length
  const violations = kept.map(({ place }) => place)
  baseline?.observe({ subject, response, violations, isPartial: isUnchecked || isCut })
  const found: FoundViolations = { ...subject, violations, ...(isCut ? { isCut } : {}) }
  if (baseline === undefined) return { contract, found, failing: contract.problems }
  const isKnown = !isCut && marked.every(({ verdict }) => verdict === "known")
  const problems = markProblems(contract, marked, { distinct, response, isKnown })
  return {
    contract: { ...contract, status: isKnown ? "known" : "failed", problems },
    found,
    failing: problems.filter(({ known }) => known !== true),
    expired: expiredOf(marked, isCut),
  }
}

interface Marked {
  readonly problem: ContractProblem
  readonly place: ViolationPlace
  readonly isKept: boolean
  readonly verdict: KnownVerdict
}

function expiredOf(marked: readonly Marked[], isCut: boolean): string | undefined {
  const days = marked.flatMap(({ verdict }) => (typeof verdict === "object" ? verdict.expired : []))
  const isOnly = !isCut && marked.every(({ verdict }) => verdict !== "new")
  return isOnly ? days[0] : undefined
}

const MAX_LISTED = 20

/** Marks the listed problems. If the list was cut, replaces it, so that it contains what fails the block. */
function markProblems(
  { problems }: ContractView,
  marked: readonly Marked[],
  {
    distinct,
    response,
    isKnown,
  }: Pick<ViolationFacts, "response"> & { readonly distinct: DistinctViolations; readonly isKnown: boolean },
): readonly ContractProblem[] {
  const keyOf = ({ path, schema = "" }: ContractProblem): string =>
    `${generalizePath(path, response)} ${schema}`
  const known = new Set(marked.flatMap(({ problem, verdict }) => (verdict === "known" ? keyOf(problem) : [])))
  const mark = (problem: ContractProblem): ContractProblem =>
    known.has(keyOf(problem)) ? { ...problem, known: true } : problem
  if (problems.every(({ path }) => path !== "")) return problems.map(mark)
  const all = marked.map(({ problem }) => mark(problem))
  const listed = [
    ...all.filter((one) => one.known !== true),
    ...all.filter((one) => one.known === true),
  ].slice(0, MAX_LISTED)
  const left = distinct.count - listed.length
  if (left <= 0) return listed
  const rest: Writable<ContractProblem> = distinct.rest(left)
  if (isKnown) rest.known = true
  return [...listed, rest]
}

/** Says why violations fail the block. */
export function describeViolations(
  operation: { readonly method: string; readonly path: string },
  { failing, expired }: JudgedContract,
  hasBaseline: boolean,
): Finding<FailureCode> {
  const [first, ...more] = failing
  if (expired !== undefined && first !== undefined)
    return messages["baseline-expired"].failed(operation, first, expired)
  const broken = messages["contract-broken"].broken(operation, first, more.length)
  return hasBaseline ? messages["contract-broken"].notKnown(broken.message) : broken
}

/** Removes the marks of an earlier run, whose baseline may have been another. */
function withoutKnown(contract: ContractView): ContractView {
  if (contract.problems.every(({ known }) => known === undefined)) return contract
  return {
    ...contract,
    status: "failed",
    problems: contract.problems.map(({ known: _, ...problem }) => problem),
  }
}

/** Returns the violations of an earlier run, from what it kept. */
function earlierViolations(
  { problems }: ContractView,
  found: FoundViolations | undefined,
  response: JsonObject,
): DistinctViolations | undefined {
  if (found === undefined) return undefined
  const listed = problems.filter(({ path }) => path !== "")
  const violations = found.violations.map(({ path, schema }) => {
    const same = listed.find(
      (one) =>
        generalizePath(one.path, response) === path &&
        baselineSchema(found.api, one.file, one.schema) === schema,
    )
    const [file = "", pointer = ""] = schema.split("#")
    const unlisted = { path, message: "does not match its schema", file: `apis/${found.api}/${file}` }
    return { path, problem: same ?? { ...unlisted, schema: pointer } }
  })
  return {
    violations,
    count: problems.length,
    isCut: found.isCut === true,
    rest: () => problems.at(-1) ?? { path: "", message: "" },
  }
}
