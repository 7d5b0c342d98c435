// What the names mean that the scripts of one workflow read: the ground of their declarations and of their completion.

import type { WorkflowFile } from "@callsheet/format"
import type { ApiSource } from "../requests/target.ts"
import { findTargets } from "../requests/request-target.ts"
import { createWorkflowScope, type WorkflowScope } from "../types/workflow-scope.ts"
import { namesGround, type NamesGround } from "./script-calls.ts"

export interface ScriptsRequest {
  readonly file: WorkflowFile
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly apiNames: readonly string[]
}

export interface ScriptsGround extends NamesGround, Pick<WorkflowScope, "responseOf" | "variables"> {}

/** Undefined where the workflow's file cannot be read. */
export function scriptsGround({ file, apis, apiNames }: ScriptsRequest): ScriptsGround | undefined {
  const { readable } = file
  if (readable === undefined) return undefined
  const ignore = (): void => undefined
  const targets = findTargets({ apis, apiNames, addProblem: ignore }, readable, ignore)
  const { scope, responseOf, variables } = createWorkflowScope({ readable, apis, targets })
  return { ...namesGround(readable, scope), responseOf, variables }
}

const MAX_NAMES = 20_000

/** So many calls and names are told of the workflow as a whole, and of no call by itself. */
export const areMany = (calls: number, names: number): boolean => calls * names > MAX_NAMES
