// Checks a workflow on its own and against its APIs, saved requests and scripts.

import {
  hasResponse,
  type InstanceFile,
  kindOf,
  type LiveString,
  liveStringsOf,
  type Params,
  type Problem,
  type ReadableWorkflow,
  type RequestBlock,
  type Visit,
  walkBlocks,
  type WorkflowFile,
} from "@callsheet/format"
import { collectAbsences } from "../names/absences.ts"
import { checkEmptyLists } from "../names/empty-lists.ts"
import { inBlock, type Report, reportTo } from "../names/scripts.ts"
import { type ApiSource, findTargets, pathParams, unknownPathParams } from "../requests/target.ts"
import type { ExpectedStatuses } from "../types/response-type.ts"
import type { StaticScope } from "../types/static-scope.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"
import { checkBody } from "./check-body.ts"
import { checkCollisions } from "./check-ids.ts"
import { checkParameters } from "./check-parameters.ts"
import { checkReferences, checkTokens, expectsNothing } from "./check-references.ts"
import { findParam, givenParam, type OperationCheck, type RequestCheck } from "./given-request.ts"
import { messages } from "../messages.ts"

interface WorkflowCheck {
  readonly file: WorkflowFile
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly apiNames: readonly string[]
  /** The saved requests with an unknown operation, which is already reported in their own files. */
  readonly reported: ReadonlySet<InstanceFile>
  /** Receives problems of this file and of the saved requests that it sends. */
  readonly add: (problem: Problem) => void
}

/** Reports all problems with the names, the order and the types in a workflow, except in its scripts. */
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
    checkRequest({
      block,
      target: found.target,
      isNegative: isNegative(expected(block.id)),
      typeOf: (value) => scope.typeOf(value, { visit, api: block.request.api }),
      report: inBlock(report, visit),
      // Reports problems of a saved request in its own file, and once for all blocks that send it.
      reportSaved: found.instanceFile === undefined ? () => undefined : reportTo(found.instanceFile, add),
    })
    if (found.instanceFile !== undefined)
      checkSavedTokens(found.instanceFile, { visit, block, scope, isEnforced, workflow: file.name, add })
  }
}

function checkDefaults({ workflow, brokenInputs }: ReadableWorkflow, report: Report): void {
  for (const [name, { type, default: value }] of Object.entries(workflow.inputs ?? {})) {
    if (value === undefined || value === null || brokenInputs.has(name) || kindOf(value) === type) continue
    report(["inputs", name, "default"], "value", messages["input-type"].default(name, type))
  }
}

const isNegative = ({ exact, isOpen }: ExpectedStatuses): boolean =>
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
 * Checks the tokens of a saved request in the scope of the block that sends it. Skips overridden parts, which are never
 * sent.
 */
function checkSavedTokens(
  file: InstanceFile,
  { visit, block, scope, isEnforced, workflow, add }: SavedCheck,
): void {
  if (file.request === undefined) return
  const report = reportTo(file, add)
  const reading = { visit, api: block.request.api }
  for (const live of liveStringsOf(file.request)) {
    if (!live.text.includes("{{") || live.pointer[0] === "description" || isReplaced(block, live)) continue
    checkTokens(live.text, {
      pointer: live.pointer,
      reading,
      scope,
      isEnforced,
      report: (pointer, at, finding) => {
        const message = `${finding.message} (sent by "${block.id}" of the workflow "${workflow}")`
        report(pointer, at, { ...finding, message })
      },
    })
  }
}

function isReplaced({ request }: RequestBlock, { pointer }: LiveString): boolean {
  const [part, place, name] = pointer
  if (part !== "params" || typeof name !== "string") return false
  return findParam(request.overrides?.params, place as keyof Params, name) !== undefined
}

function checkRequest(check: RequestCheck): void {
  checkPathParams(check)
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
