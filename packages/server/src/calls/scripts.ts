// Calls about what scripts can read.

import { shapes } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { workflow } from "./names.ts"
import type { NamedField } from "./operations.ts"

export const scriptCalls = {
  /** What the scripts of a workflow can read, by its file and the documents as they are saved. */
  "scripts.types": call(shapes.object({ workflow }), answer<ScriptTypesView>()),
}

export interface ScriptTypesView {
  /** What the first names of paths stand for somewhere in the workflow. None where its file cannot be read. */
  readonly names: readonly NamedField[]
  readonly inputs: readonly NamedField[]
  /** The APIs that the workflow touches, with their variables. */
  readonly environments: readonly NamedField[]
  /** Where blocks call functions of scripts, in the order of the file. */
  readonly calls: readonly ScriptCallView[]
}

export interface ScriptCallView {
  readonly context: ScriptContextName
  /** The id of the block. */
  readonly block: string
  /** Without `.ts`. */
  readonly script: string
  readonly exportName: string
  /** The first names of paths that mean something there. */
  readonly names: readonly string[]
}

export type ScriptContextName = "AssertContext" | "ConditionContext" | "TransformContext" | "ScriptContext"
