// How the command line runs workflows for an editor.

import type { Report, RunEvent, RunReport } from "@callsheet/format"

export interface RunOrder {
  readonly root: string
  readonly workflow: string
  /** The block where the run ends. */
  readonly until?: string | undefined
  /** `<environment>` or `<api>=<environment>`, as `--env` takes them. */
  readonly environments: readonly string[]
}

export interface SendOrder {
  readonly root: string
  readonly api: string
  readonly resource: string
  readonly request: string
  /** The content to send, saved or not. */
  readonly text: string
  readonly environment?: string | undefined
}

interface Listening {
  /** Receives masked events. */
  readonly onEvent: (event: RunEvent) => void
  readonly signal: AbortSignal
}

/** How a run in a process of its own ended. */
export interface RunEnd {
  /** Undefined if it was killed. */
  readonly exitCode: number | undefined
  /** What it wrote to standard error, up to a limit: the problems that kept it from starting. */
  readonly errors: string
  /** Masked with everything that turned out to be a secret. Undefined if nothing ran, or if it is too large. */
  readonly report?: RunReport | undefined
}

/** How the command line runs workflows for an editor. It never confirms a run against production. */
export interface Runs {
  /** Runs in a process of its own. */
  readonly run: (order: RunOrder, listening: Listening) => Promise<RunEnd>
  /** Sends a saved request. The report is masked with everything that turned out to be a secret. */
  readonly send: (order: SendOrder, signal: AbortSignal) => Promise<Report>
}
