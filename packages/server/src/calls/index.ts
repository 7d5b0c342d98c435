// The calls and events between the page and the server. Also runs in the browser.

import type { Call, Nothing } from "./call.ts"
import { environmentCalls } from "./environments.ts"
import { fileCalls } from "./files.ts"
import { generateCalls } from "./generate.ts"
import { importCalls } from "./imports.ts"
import { impactCalls } from "./impact.ts"
import { mockCalls } from "./mocks.ts"
import { loginCalls, operationCalls, scriptCalls } from "./operations.ts"
import { changeSetCalls } from "./change-sets.ts"
import { snapshotCalls } from "./snapshots.ts"
import { projectCalls } from "./project.ts"
import { runCalls, type RunEventBatch } from "./runs.ts"
import { typeCalls } from "./types.ts"

export { suiteOf, suiteSubject } from "./names.ts"
export { callPath, type CallFailure, type CurrentFile, type Saved } from "./call.ts"
export type * from "./environments.ts"
export { fileAt, filePath } from "./file-paths.ts"
export type * from "./files.ts"
export type * from "./generate.ts"
export type * from "./impact.ts"
export {
  MAX_BODY_BYTES,
  MAX_IMPORT_BYTES,
  type CurlView,
  type FetchedDocument,
  type ImportPreview,
  type LossGroupView,
  type LossView,
  type ImportSource,
} from "./imports.ts"
export type * from "./mocks.ts"
export type * from "./operations.ts"
export type * from "./change-sets.ts"
export type * from "./project.ts"
export type * from "./runs.ts"
export type * from "./snapshots.ts"
export type * from "./types.ts"

/** Input names things as the format does (an API, an environment, a workflow). It never contains file paths. */
export const calls = {
  ...projectCalls,
  ...operationCalls,
  ...loginCalls,
  ...runCalls,
  ...snapshotCalls,
  ...scriptCalls,
  ...environmentCalls,
  ...changeSetCalls,
  ...fileCalls,
  ...importCalls,
  ...impactCalls,
  ...generateCalls,
  ...mockCalls,
  ...typeCalls,
}

type Calls = typeof calls
export type CallName = keyof Calls
export type Input<N extends CallName> = Calls[N] extends Call<infer I, unknown> ? InputOf<I> : never
export type Output<N extends CallName> = Calls[N] extends Call<unknown, infer O> ? O : never

/** Accepts no fields if the shape has none. The type `{}` would accept any value. */
type InputOf<I> = keyof I extends never ? Nothing : I

export const callNames = Object.keys(calls) as readonly CallName[]

export type AppEvent =
  /** Sent when project files have changed. `project.read` returns the new state. */
  | { readonly type: "project.changed"; readonly revision: number }
  | RunEventBatch
  /** Sent when a mock starts or stops, and after requests. `mocks.read` returns the new state. */
  | { readonly type: "mock.changed"; readonly api: string }
  /** Sent when a run starts and when it finishes. After the end, `runs.read` returns the full report. */
  | {
      readonly type: "run.changed"
      readonly run: string
      readonly workflow: string
      readonly isDone: boolean
    }
