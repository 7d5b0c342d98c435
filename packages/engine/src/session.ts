// Several workflows, one after the other: what the command, the application and `run()` all call.

import type { Listener, Problem, Project, Report, RunStatus } from "@callsheet/format"
import type { Ports } from "./ports.ts"

/** What is asked for. Everything has a default. */
export interface SessionOptions {
  /** `{ api: environment }`, from `--env api=name`. */
  readonly environments?: Readonly<Record<string, string>>
  /** The bare `--env name`: for every touched API that has no binding of its own. */
  readonly environment?: string
  readonly inputs?: Readonly<Record<string, string>>
  /** `--var api.name=value`. */
  readonly overrides?: readonly VariableOverride[]
  /** Where `CALLSHEET_VAR__…` is looked up. */
  readonly processEnvironment?: Readonly<Record<string, string | undefined>>
  readonly concurrency?: number
  readonly onFailure?: "halt" | "continue"
  readonly timeoutMs?: number
  readonly maxResponseBytes?: number
  readonly seed?: number
  /** Whether events carry headers and bodies of every exchange; failures carry theirs always. */
  readonly exchanges?: boolean
  readonly signal?: AbortSignal
  /** Asked once before anything is sent where a bound environment is of level production. Absent: the run errors. */
  readonly confirm?: (production: readonly ProductionBinding[]) => Promise<boolean>
}

export interface VariableOverride {
  readonly api: string
  readonly name: string
  readonly value: string
}

export interface ProductionBinding {
  readonly api: string
  readonly environment: string
}

export interface Session {
  readonly project: Project
  /** Names of workflows in `project`, in the order in which they run. */
  readonly workflows: readonly string[]
  readonly ports: Ports
  readonly options: SessionOptions
  readonly listen: Listener
}

/** The worst status of the runs. Misuse (an input that no workflow declares) throws a `CallsheetError` before any event. */
export declare function runSession(session: Session): Promise<RunStatus>

export type { Problem, Report }
