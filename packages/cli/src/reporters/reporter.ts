// The interfaces of reporters. A live reporter writes while the session runs, any other one when it is over.

import type { LiveListener } from "@callsheet/engine"
import type { Report, RunEvent } from "@callsheet/format"
import type { ReportDirectory } from "./report-directory.ts"
import type { Output } from "../screen.ts"

/** Yields the text of a report. `events` are those of the whole session, and can be read several times. */
export type FileReporter = (
  events: Iterable<RunEvent>,
  context: ReporterContext & { readonly end: SessionEnd },
) => Iterable<string>

export interface LiveReporter {
  /** Receives the events of each run when it ends. To show an event later, mask it again. */
  readonly onEvent: LiveListener
  /** Receives every event as soon as it happens, to show the runs in progress. */
  readonly onProgress?: LiveListener
  /** Called once, after the last event, to write the rest. */
  readonly finish: (end: SessionEnd) => void
}

export interface SessionEnd {
  readonly exitCode: number
  readonly durationMs: number
  /** Set if an option such as `--strict` fails a session whose runs passed. */
  readonly verdict?: "failed" | undefined
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
  /** Set if the runs send no requests: a note for each of them, and what the report says about them. */
  readonly offline?: { readonly note: string; readonly report: Partial<Report> } | undefined
  /** The summary of the step in GitHub Actions, if there is one. */
  readonly summary?: Pick<Output, "write"> | undefined
}

export interface ReporterClock {
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Calls `tick` repeatedly until the returned function is called. Doesn't keep the process alive. */
  readonly every: (ms: number, tick: () => void) => () => void
}

export type CreateLive = (context: ReporterContext) => LiveReporter

export interface ReporterRow {
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
  /** Loads a reporter that writes to the screen during the run. It writes to a file like any other one. */
  readonly loadLive?: () => Promise<CreateLive>
  readonly load: () => Promise<FileReporter>
}
