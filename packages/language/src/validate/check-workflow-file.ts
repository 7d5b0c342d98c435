// Checks a workflow on its own and against its APIs, saved requests and scripts.

import {
  hasResponse,
  kindOf,
  liveStringsOf,
  walkBlocks,
  type Finding,
  getOrCreate,
  iterates,
  type InstanceFile,
  type LiveString,
  type Params,
  type Problem,
  type ReadableWorkflow,
  type RequestBlock,
  type Visit,
  type WorkflowFile,
  type Blocks,
  type Severity,
} from "@callsheet/format"
import { endlessContract } from "@callsheet/openapi"
import { collectAbsences } from "../names/absences.ts"
import { checkEmptyLists } from "../names/empty-lists.ts"
import { inBlock, reportTo, type CheckFile, type Report } from "../names/scripts.ts"
import { describeOutside } from "../requests/outside-document.ts"
import {
  findTargets,
  pathParams,
  unknownPathParams,
  type ApiSource,
  type Target,
} from "../requests/target.ts"
import type { ExpectedStatuses } from "../types/response-type.ts"
import type { StaticScope } from "../types/static-scope.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"
import { checkBody, checkSentFiles } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import { checkOtherBraces } from "../references/unknown-names.ts"
import { checkReadTokens, checkReferences, expectsNothing } from "./check-references.ts"
import {
  findParam,
  givenParam,
  headerFindings,
  type OperationCheck,
  type RequestCheck,
} from "./given-request.ts"
import { messages } from "../messages.ts"
import { HOLE } from "../names/name-pattern.ts"
import { openIdOf, runs, surelyRuns, type OpenId } from "../scope/block-names.ts"

export interface WorkflowCheck {
  readonly file: WorkflowFile
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly apiNames: readonly string[]
  /** Saved requests with a broken target, already reported in their own files. */
  readonly reported: ReadonlySet<InstanceFile>
  readonly checkFile: CheckFile
  /** Receives problems of this file and of the saved requests that it sends. */
  readonly add: (problem: Problem) => void
}

/** Reports all problems with the names, order and types in a workflow. Its scripts are checked elsewhere. */
export function checkWorkflowFile(check: WorkflowCheck): void {
  const { file, add } = check
  const { readable } = file
  if (readable === undefined) return
  const report = reportTo(file, add)
  const targets = findTargets({ ...check, addProblem: add }, readable, report)
  const absences = collectAbsences(readable.workflow.blocks, expectsNothing)
  const isEnforced = readable.workflow.validateContracts === true
  const { scope, expected } = createWorkflowScope({ readable, apis: check.apis, targets })
  checkCollisions(readable.workflow.blocks, report)
  checkEmptyLists(readable, report)
  checkDefaults(readable, report)
  for (const visit of walkBlocks(readable.workflow.blocks)) {
    if (readable.broken.has(visit.block)) continue
    checkReferences(visit, { scope, absences, isEnforced, report })
    const found = targets.get(visit.block)
    if (!hasResponse(visit.block) || found === undefined) continue
    const { block } = visit
    if (isEnforced)
      checkContract(found.target, { visit, scope, report, source: check.apis.get(block.request.api) })
    checkRequest({
      block,
      target: found.target,
      // An assertion that can't be read may expect that the request is rejected.
      isNegative: !readable.isComplete || isNegative(expected(block.id)),
      checkFile: check.checkFile,
      typeOf: (value) => scope.typeOf(value, { visit, api: block.request.api }),
      report: inBlock(report, visit),
      // Problems of a saved request are reported in its own file, once for all blocks that send it.
      reportSaved: found.instanceFile === undefined ? () => undefined : reportTo(found.instanceFile, add),
    })
    if (found.instanceFile !== undefined)
      checkSavedTokens(found.instanceFile, { visit, block, scope, isEnforced, workflow: file.name, add })
  }
}

interface ContractCheck {
  readonly visit: Visit
  readonly scope: StaticScope
  readonly report: Report
  readonly source: ApiSource | undefined
}

/** Reports a request that has no contract, or one that no response can match. */
function checkContract(target: Target, { visit, scope, report, source }: ContractCheck): void {
  const add = (finding: Finding): void => inBlock(report, visit)(["request"], "value", finding)
  const outside = source && describeOutside(source, target)
  if (outside !== undefined) add(outside)
  const { operation } = target
  if (operation === undefined || !scope.alwaysRuns(visit.block)) return
  const circle = endlessContract(operation)
  if (circle !== undefined)
    add(messages["document-standard"].endless(operation.method, operation.path, circle.names))
}

function checkDefaults({ workflow, brokenInputs }: ReadableWorkflow, report: Report): void {
  for (const [name, { type, default: value }] of Object.entries(workflow.inputs ?? {})) {
    if (value === undefined || value === null || brokenInputs.has(name) || kindOf(value) === type) continue
    report(["inputs", name, "default"], "value", messages["input-type"].default(name, type))
  }
}

/** Returns whether a workflow expects that a request is rejected. */
export const isNegative = ({ exact, isOpen }: ExpectedStatuses): boolean =>
  isOpen || [...exact].some((status) => status >= 400)

interface SavedCheck {
  readonly visit: Visit
  readonly block: RequestBlock
  readonly scope: StaticScope
  readonly isEnforced: boolean
  readonly workflow: string
  readonly add: (problem: Problem) => void
}

/**
 * Checks the placeholders of a saved request in the scope of the block that sends it. Skips overridden parts, which are
 * not sent.
 */
function checkSavedTokens(
  file: InstanceFile,
  { visit, block, scope, isEnforced, workflow, add }: SavedCheck,
): void {
  if (file.request === undefined) return
  const report = reportTo(file, add)
  const reading = { visit, api: block.request.api }
  for (const live of liveStringsOf(file.request)) {
    if (!live.text.includes("{") || live.pointer[0] === "description" || isReplaced(block, live)) continue
    const place = {
      pointer: live.pointer,
      reading,
      scope,
      isEnforced,
      report: (...[pointer, at, finding, within]: Parameters<Report>) => {
        const message = `${finding.message} (sent by "${block.id}" of the workflow "${workflow}")`
        report(pointer, at, { ...finding, message }, within)
      },
    }
    checkReadTokens(live.text, place)
    checkOtherBraces(live.text, place)
  }
}

function isReplaced({ request }: RequestBlock, { pointer }: LiveString): boolean {
  const [part, place, name] = pointer
  if (part !== "params" || typeof name !== "string") return false
  return findParam(request.overrides?.params, place as keyof Params, name) !== undefined
}

function checkRequest(check: RequestCheck): void {
  checkPathParams(check)
  for (const { pointer, at, finding } of headerFindings(check.block.request.overrides?.params))
    check.report(["request", "overrides", ...pointer], at, finding)
  checkSentFiles(check)
  const { operation } = check.target
  if (operation === undefined) return
  const known: OperationCheck = { ...check, operation }
  checkParameters(known)
  checkBody(known)
}

function checkPathParams({ block, target, report }: RequestCheck): void {
  for (const { name, finding } of unknownPathParams(block, target.path))
    report(["request", "overrides", "params", "path", name], "key", finding)
  for (const name of new Set(pathParams(target.path))) {
    const given = givenParam({ block, target }, "path", name)
    if (given !== undefined && given.text !== "") continue
    const pointer = given?.isSaved === false ? given.pointer : ["request"]
    report(pointer, "value", messages["path-param-missing"].missing(target.path, name))
  }
}

/** Reports ids that expand to the same string. Such a name refers to neither block. */
function checkCollisions(blocks: Blocks, report: Report): void {
  const plain = new Map<string, Visit>()
  const open = new Map<string, OpenId[]>()
  for (const visit of walkBlocks(blocks)) {
    checkIterator(visit, report)
    const id = openIdOf(visit)
    if (id === undefined) {
      plain.set(visit.block.id, visit)
      continue
    }
    checkRepetition(id, report)
    getOrCreate(open, id.pattern, () => []).push(id)
  }
  for (const group of open.values()) checkGroup(group, report)
  for (const visit of plain.values()) checkPlain(visit, open, report)
}

const duplicate = messages["id-duplicate"]

function checkIterator({ block, loops, pointer }: Visit, report: Report): void {
  if (!iterates(block) || block.iteratorVar === undefined) return
  for (let chain = loops; chain !== undefined; chain = chain.outer) {
    if (chain.loop.iteratorVar !== block.iteratorVar) continue
    report([...pointer(), "iteratorVar"], "value", duplicate.iterator(block.iteratorVar, chain.loop.id))
    return
  }
}

/** Reports an id that counts only the inner loop: it repeats in each iteration of the outer loop. */
function checkRepetition({ visit, loops, isCounted }: OpenId, report: Report): void {
  const inner = visit.loops
  if (!isCounted || inner === undefined || !loops.includes(inner.loop)) return
  for (let chain = inner.outer; chain !== undefined; chain = chain.outer) {
    if (loops.includes(chain.loop) || !runs(chain.loop, 1)) continue
    const { id: loop, iteratorVar } = chain.loop
    report([...visit.pointer(), "id"], "value", duplicate.repeated(visit.block.id, loop, iteratorVar))
    return
  }
}

function checkGroup(group: readonly OpenId[], report: Report): void {
  const [first, ...others] = group
  if (first === undefined) return
  for (const other of others) {
    const severity = severityOf(first, other)
    // Ids that are equal as written have their own error.
    if (severity === undefined || first.visit.block.id === other.visit.block.id) continue
    report([...other.visit.pointer(), "id"], "value", {
      ...duplicate.same(other.visit.block.id, first.visit.block.id),
      severity,
    })
  }
}

function severityOf(a: OpenId, b: OpenId): Severity | undefined {
  if (a.isCounted && b.isCounted) return a.loops.concat(b.loops).every(surelyRuns) ? "error" : "warning"
  const isSameList = a.loops.every(
    (loop, at) => loop.source !== undefined && loop.source === b.loops[at]?.source,
  )
  const isSameItem = a.tokens.every((token, at) => behindFirst(token) === behindFirst(b.tokens[at] ?? ""))
  return isSameList && isSameItem ? "warning" : undefined
}

const behindFirst = (token: string): string => token.slice(token.search(/[.[]|$/))

/** Reports a plain id that a counted id also produces: `page-2` next to `page-{{i}}`. */
function checkPlain(visit: Visit, open: ReadonlyMap<string, readonly OpenId[]>, report: Report): void {
  const { id } = visit.block
  for (const match of id.matchAll(/(?<![0-9])(?:0|[1-9][0-9]{0,9})(?![0-9])/g)) {
    const pattern = id.slice(0, match.index) + HOLE + id.slice(match.index + match[0].length)
    for (const other of open.get(pattern) ?? []) {
      const [loop] = other.loops
      if (!other.isCounted || !runs(loop, Number(match[0]))) continue
      report([...visit.pointer(), "id"], "value", {
        ...duplicate.iteration(id, other.visit.block.id, match[0]),
        severity: loop?.mode === "times" ? "error" : "warning",
      })
    }
  }
}
