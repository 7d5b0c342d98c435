// What the page and the server say to each other: one table of calls, and the events. It loads in a browser.

import type { Call, Nothing } from "./call.ts"
import { environmentCalls } from "./environments.ts"
import { fileCalls } from "./files.ts"
import { operationCalls, scriptCalls } from "./operations.ts"
import { planCalls } from "./plans.ts"
import { projectCalls } from "./project.ts"
import { runCalls, type RunEventsTold } from "./runs.ts"

export { callPath, type CallFailure } from "./call.ts"
export type * from "./environments.ts"
export type * from "./files.ts"
export type * from "./operations.ts"
export type * from "./plans.ts"
export type * from "./project.ts"
export type * from "./runs.ts"
export type * from "./operations.ts"

/** Calls speak in names of the format (an API, an environment, a workflow); none takes a path of a file. */
export const calls = {
  ...projectCalls,
  ...operationCalls,
  ...runCalls,
  ...scriptCalls,
  ...environmentCalls,
  ...planCalls,
  ...fileCalls,
}

type Calls = typeof calls
export type CallName = keyof Calls
export type Input<N extends CallName> = Calls[N] extends Call<infer I, unknown> ? InputOf<I> : never
export type Output<N extends CallName> = Calls[N] extends Call<unknown, infer O> ? O : never

/** `{}` would take anything. */
type InputOf<I> = keyof I extends never ? Nothing : I

export const callNames = Object.keys(calls) as readonly CallName[]

export type AppEvent =
  /** Files of the project are other than they were; `project.read` says how. */
  | { readonly type: "project.changed"; readonly revision: number }
  | RunEventsTold
  /** A run has started, or is over: then `runs.read` has its whole report. */
  | {
      readonly type: "run.changed"
      readonly run: string
      readonly workflow: string
      readonly isDone: boolean
    }
