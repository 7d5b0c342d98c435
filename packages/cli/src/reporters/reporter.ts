// The interface of a reporter, which receives the events of a run and writes to one output.

import type { Latest } from "@callsheet/engine"
import type { RunEvent, RunEventType } from "@callsheet/format"
import type { Output } from "../screen.ts"

export interface Reporter {
  /** Receives an event. `latest` masks it again before it is shown later. Without `latest`, events arrive after the run. */
  readonly onEvent: (event: RunEvent, latest?: Latest) => void
  /** Receives every event as soon as it happens, to show the runs in progress. */
  readonly onProgress?: (event: RunEvent, latest?: Latest) => void
  /**
   * Called once, after the last event, to write everything that is left. `verdict` is set if an option such as `--strict`
   * fails a session whose runs passed.
   */
  readonly finish: (verdict?: "failed") => void
}

export interface ReporterContext {
  readonly output: Output
  readonly clock: ReporterClock
  /** False for standard output. The caller then prints the problems of a run that couldn't start. */
  readonly isFile: boolean
  /** The parts of each exchange to show, not only of those that explain a failure. */
  readonly exchanges?: "headers" | "bodies" | undefined
}

export interface ReporterClock {
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Calls `tick` repeatedly, but doesn't keep the process alive. Call the returned function to stop. */
  readonly every: (ms: number, tick: () => void) => () => void
}

export type CreateReporter = (context: ReporterContext) => Reporter

export interface ReporterRow {
  /** True if the reporter writes during the run. Other reporters, and all that write to a file, get events after the run. */
  readonly isLive?: boolean
  /** True if the reporter always receives events during the run, and masks them again when it writes at the end. */
  readonly asksLatest?: boolean
  /** The events to keep for the reporter until the run is over. Default: all. */
  readonly reads?: readonly RunEventType[]
  /** True if the reporter needs the headers and bodies of every exchange, not only of failures. */
  readonly needsExchanges?: boolean
  /** True if the reporter needs the documented operations and their responses. */
  readonly needsCoverage?: boolean
  readonly load: () => Promise<CreateReporter>
}
