// Where a workflow calls scripts.

import {
  iterates,
  scriptsOf,
  walkBlocks,
  type BlockKind,
  type LoopBlock,
  type ReadableWorkflow,
  type ScriptTarget,
} from "@callsheet/format"
import type { Reading, StaticScope } from "../types/static-scope.ts"

/** What the function of a script receives. */
export type ContextName = "AssertContext" | "ConditionContext" | "TransformContext" | "ScriptContext"

export interface ScriptCall {
  readonly context: ContextName
  readonly script: ScriptTarget
  readonly reading: Reading
  /** The loop whose iteration the script sees. */
  readonly loop: LoopBlock | undefined
}

const contexts: { readonly [K in BlockKind]?: ContextName } = {
  assert: "AssertContext",
  condition: "ConditionContext",
  loop: "ConditionContext",
  transform: "TransformContext",
  script: "ScriptContext",
}

/** The calls of a workflow, in the order of the file. */
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

/** Every name that means something somewhere in a workflow. */
export const allNames = ({ workflow }: ReadableWorkflow, scope: StaticScope): ReadonlySet<string> =>
  new Set([...Object.keys(workflow.inputs ?? {}), ...scope.results.keys(), ...scope.iterators.keys()])
