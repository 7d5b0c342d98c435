// The interface of a reporter: receives the events of a run and writes to one output.

import type { Latest } from "@callsheet/engine"
import type { RunEvent, RunEventType } from "@callsheet/format"
import type { Output } from "../screen.ts"

export interface Reporter {
  /** `latest` returns the current form of an event that is shown later. Without it, events arrive when the run is over. */
  readonly onEvent: (event: RunEvent, latest?: Latest) => void
  /**
   * Called once, after the last event. Writes everything that is left. `verdict` is set if an option such as `--strict`
   * fails a session whose runs passed.
   */
  readonly finish: (verdict?: "failed") => void
}

export interface ReporterContext {
  readonly output: Output
  readonly clock: ReporterClock
  /** False for standard output: the caller then prints the problems of a run that could not start beside it. */
  readonly isFile: boolean
}

export interface ReporterClock {
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Calls `tick` repeatedly without keeping the process alive; the result stops it. */
  readonly every: (ms: number, tick: () => void) => () => void
}

export type CreateReporter = (context: ReporterContext) => Reporter

export interface ReporterRow {
  /** Writes during the run. Other reporters, and all that write to a file, receive the events after the run. */
  readonly isLive?: boolean
  /** Always receives events during the run, and asks for the latest form of everything that it writes at the end. */
  readonly asksLatest?: boolean
  /** The events that are kept for it until the run is over; default: all. */
  readonly reads?: readonly RunEventType[]
  /** Needs headers and bodies of every exchange, not only of failures. */
  readonly needsExchanges?: boolean
  /** Needs the documented operations and their responses. */
  readonly needsCoverage?: boolean
  readonly load: () => Promise<CreateReporter>
}
