// What the page and the server say to each other: the shape of each call and of each event. No node:*; it loads in a browser.

import type { InputKind } from "./call.ts"
import { environmentInputs, type EnvironmentCalls } from "./environments.ts"
import { fileInputs, type FileCalls } from "./files.ts"
import { operationInputs, type OperationCalls } from "./operations.ts"
import { planInputs, type PlanCalls } from "./plans.ts"
import { projectInputs, type ProjectCalls } from "./project.ts"
import { scriptInputs, type ScriptCalls } from "./scripts.ts"
import { runInputs, type RunCalls, type RunEventsTold } from "./runs.ts"

export type { CallFailure, InputKind } from "./call.ts"
export type * from "./environments.ts"
export type * from "./files.ts"
export type * from "./operations.ts"
export type * from "./plans.ts"
export type * from "./project.ts"
export type * from "./runs.ts"
export type * from "./scripts.ts"

/**
 * What the page asks of the server, by name: `POST /api/<name>` with the input as JSON. Calls speak in names of the format
 * (an API, an environment, a workflow); none takes a path of a file.
 */
export interface Calls
  extends ProjectCalls, OperationCalls, RunCalls, FileCalls, EnvironmentCalls, PlanCalls, ScriptCalls {}

export type CallName = keyof Calls
export type Input<N extends CallName> = Calls[N]["input"]
export type Output<N extends CallName> = Calls[N]["output"]

/** The fields of each input, all of which must be there unless their kind says otherwise, and no others. */
export const inputKinds: { readonly [N in CallName]: Readonly<Record<string, InputKind>> } = {
  ...projectInputs,
  ...operationInputs,
  ...runInputs,
  ...scriptInputs,
  ...environmentInputs,
  ...planInputs,
  ...fileInputs,
}

/** What the server tells of its own accord: `POST /events`, a line of JSON each. */
export type AppEvent =
  /** Files of the project are other than they were; `project.read` says how. */
  | { readonly type: "project.changed"; readonly revision: number }
  /** What a run has done, in order, for `createReportFold`. */
  | RunEventsTold
  /** A run has started, or is over: then `runs.read` has its whole report. */
  | {
      readonly type: "run.changed"
      readonly run: string
      readonly workflow: string
      readonly isDone: boolean
    }
