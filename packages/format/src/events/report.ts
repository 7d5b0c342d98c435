// Types of the run report: exactly the JSON of `--reporter json`.

import type { JsonObject, JsonValue } from "../json/value.ts"
import type { BlockKind } from "../workflow/types.ts"
import type {
  AssertionView,
  BlockError,
  BlockStatus,
  BoundEnvironment,
  ContractProblem,
  ContractView,
  RequestView,
  ResponseView,
  RunError,
  RunStatus,
  SkipReason,
} from "./types.ts"

export interface Report {
  readonly version: 1
  status: RunStatus
  durationMs: number
  readonly runs: RunReport[]
}

export interface RunReport {
  readonly workflow: string
  status: RunStatus
  readonly startedAt: string
  durationMs: number
  readonly environments: Readonly<Record<string, BoundEnvironment>>
  readonly inputs: JsonObject
  readonly counts: { passed: number; failed: number; skipped: number }
  error?: RunError
  readonly blocks: BlockReport[]
}

export interface BlockReport {
  readonly id: string
  readonly type: BlockKind
  readonly description?: string
  status: BlockStatus
  reason?: SkipReason
  durationMs: number
  request?: RequestView
  /** Contract violations of the request. They don't fail the block. */
  requestProblems?: readonly ContractProblem[]
  response?: ResponseView
  contract?: ContractView
  assertions?: readonly AssertionView[]
  outputs?: JsonObject
  logs?: string[]
  error?: BlockError
  blocks?: BlockReport[]
  iterations?: IterationReport[]
}

export interface IterationReport {
  readonly index: number
  readonly value: JsonValue
  status: BlockStatus
  readonly blocks: BlockReport[]
}
