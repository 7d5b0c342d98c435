// Resolves the names that the scripts of a workflow can read. Declarations and completion use them.

import {
  type BlockKind,
  iterates,
  type LoopBlock,
  type ReadableWorkflow,
  scriptsOf,
  type ScriptTarget,
  walkBlocks,
  type WorkflowFile,
} from "@callsheet/format"
import { type ApiSource, findTargets } from "../requests/target.ts"
import type { Reading, StaticScope } from "../types/static-scope.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"

export interface ScriptsRequest {
  readonly file: WorkflowFile
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly apiNames: readonly string[]
}

export type ScriptsGround = NonNullable<ReturnType<typeof scriptsGround>>

export function scriptsGround({ file, apis, apiNames }: ScriptsRequest) {
  const { readable } = file
  if (readable === undefined) return undefined
  const ignore = (): void => undefined
  const targets = findTargets({ apis, apiNames, addProblem: ignore }, readable, ignore)
  const { scope, responseOf, variables } = createWorkflowScope({ readable, apis, targets })
  return { readable, scope, responseOf, variables, names: allNames(readable, scope) }
}

const MAX_NAMES = 20_000

/** Returns whether describing each call would be too much. The declarations then describe the whole workflow. */
export const areMany = (calls: number, names: number): boolean => calls * names > MAX_NAMES

export const contextNames = [
  "AssertContext",
  "ConditionContext",
  "TransformContext",
  "ScriptContext",
] as const
export type ContextName = (typeof contextNames)[number]

export interface ScriptCall {
  readonly context: ContextName
  readonly script: ScriptTarget
  readonly reading: Reading
  readonly loop: LoopBlock | undefined
}

const contexts: { readonly [K in BlockKind]?: ContextName } = {
  assert: "AssertContext",
  condition: "ConditionContext",
  loop: "ConditionContext",
  transform: "TransformContext",
  script: "ScriptContext",
}

export function scriptCalls({ workflow, broken }: ReadableWorkflow): readonly ScriptCall[] {
  const calls: ScriptCall[] = []
  for (const visit of walkBlocks(workflow.blocks)) {
    const { block } = visit
    const context = contexts[block.type]
    if (context === undefined || broken.has(block)) continue
    const isPolling = iterates(block)
    for (const script of scriptsOf(block))
      calls.push({
        context,
        script,
        reading: { visit, isAfterNested: isPolling },
        loop: isPolling ? block : visit.loops?.loop,
      })
  }
  return calls
}

const allNames = ({ workflow }: ReadableWorkflow, scope: StaticScope): ReadonlySet<string> =>
  new Set([...Object.keys(workflow.inputs ?? {}), ...scope.results.keys(), ...scope.iterators.keys()])
