// The interface of a reporter. It receives the events of a run and writes to one output.

import type { Latest } from "@callsheet/engine"
import type { RunEvent, RunEventType } from "@callsheet/format"
import type { ReportDirectory } from "./report-directory.ts"
import type { Output } from "../screen.ts"

export interface Reporter {
  /**
   * Receives an event. To show it later, mask it again with `latest`. Without `latest`, events arrive after the run.
   */
  readonly onEvent: (event: RunEvent, latest?: Latest) => void
  /** Receives every event as soon as it happens, to show the runs in progress. */
  readonly onProgress?: (event: RunEvent, latest?: Latest) => void
  /**
   * Called once, after the last event, to write the rest. `verdict` is set if an option such as `--strict` fails a
   * session whose runs passed.
   */
  readonly finish: (verdict?: "failed", end?: SessionEnd) => void
}

export interface SessionEnd {
  readonly exitCode: number
  readonly durationMs: number
}

export interface ReporterContext {
  readonly output: Output
  /** Set if the reporter writes a directory. */
  readonly directory?: ReportDirectory | undefined
  readonly clock: ReporterClock
  /** False for standard output. The caller then prints the problems of a run that can't start. */
  readonly isFile: boolean
  /** The parts to show of every exchange, not only of failures. */
  readonly exchanges?: "headers" | "bodies" | undefined
  /** The directory that paths of files are relative to: the project's root. */
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  /** True if the runs are a replay of a record. */
  readonly isReplay?: boolean | undefined
  /** The summary of the step in GitHub Actions, if there is one. */
  readonly summary?: Pick<Output, "write"> | undefined
}

export interface ReporterClock {
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Calls `tick` repeatedly until the returned function is called. Doesn't keep the process alive. */
  readonly every: (ms: number, tick: () => void) => () => void
}

export type CreateReporter = (context: ReporterContext) => Reporter

export interface ReporterRow {
  /**
   * True if the reporter writes during the run. Other reporters, and all that write to a file, receive events after the
   * run.
   */
  readonly isLive?: boolean
  /** True if the reporter always receives events during the run. It masks them again when it writes at the end. */
  readonly asksLatest?: boolean
  /** The events to keep for the reporter until the end of the run. By default, all. */
  readonly reads?: readonly RunEventType[]
  /** True if the reporter writes to standard output after another one that is on the screen. */
  readonly standsBeside?: boolean
  /** True if the reporter writes a directory and nothing else. */
  readonly isDirectory?: boolean
  /**
   * Matches the start of the reporter's file or, for a directory, the names in it. A file that `callsheet.json` names
   * replaces only such a file. Text for people has no such start, so that file gets a line of its own.
   */
  readonly starts?: RegExp
  /** True if the reporter needs the headers and bodies of every exchange, not only of failures. */
  readonly needsExchanges?: boolean
  /** True if the reporter needs the documented operations and their responses. */
  readonly needsCoverage?: boolean
  readonly load: () => Promise<CreateReporter>
}
