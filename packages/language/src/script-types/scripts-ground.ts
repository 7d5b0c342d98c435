// What the names mean that the scripts of one workflow read: the ground of their declarations and of their completion.

import type { ReadableWorkflow, WorkflowFile } from "@callsheet/format"
import type { ApiSource } from "../requests/target.ts"
import { findTargets } from "../requests/request-target.ts"
import { createWorkflowScope, type WorkflowScope } from "../types/workflow-scope.ts"
import { allNames } from "./script-calls.ts"

export interface ScriptsRequest {
  readonly file: WorkflowFile
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly apiNames: readonly string[]
}

export interface ScriptsGround extends Omit<WorkflowScope, "expected"> {
  readonly readable: ReadableWorkflow
  /** Every name that means something somewhere in the workflow. */
  readonly names: ReadonlySet<string>
}

/** Undefined where the workflow's file cannot be read. */
export function scriptsGround({ file, apis, apiNames }: ScriptsRequest): ScriptsGround | undefined {
  const { readable } = file
  if (readable === undefined) return undefined
  const ignore = (): void => undefined
  const targets = findTargets({ apis, apiNames, addProblem: ignore }, readable, ignore)
  const { scope, responseOf, variables } = createWorkflowScope({ readable, apis, targets })
  return { readable, scope, responseOf, variables, names: allNames(readable, scope) }
}

const MAX_NAMES = 20_000

/** So many calls and names are told of the workflow as a whole, and of no call by itself. */
export const areMany = (calls: number, names: number): boolean => calls * names > MAX_NAMES
