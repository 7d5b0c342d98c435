// The interface of a reporter: it receives the events of a run and writes to one place.

import type { Latest } from "@callsheet/engine"
import type { RunEvent, RunEventType } from "@callsheet/format"
import type { Output } from "../screen.ts"

export interface Reporter {
  /** `latest` gives the current form of an event that is shown later. Without it, events arrive when the run is over. */
  readonly onEvent: (event: RunEvent, latest?: Latest) => void
  /** Called once, after the last event. Writes everything that was not written yet. */
  readonly finish: () => void
}

export interface ReporterContext {
  readonly output: Output
  readonly clock: ReporterClock
  /** Whether the problems of a run that could not start are printed by somebody else. */
  readonly problemsElsewhere: boolean
  /** Whether it writes to a file, for programs, and not to a terminal. */
  readonly isFile: boolean
}

export interface ReporterClock {
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
  /** Calls `tick` again and again without keeping the process alive; the result stops it. */
  readonly every: (ms: number, tick: () => void) => () => void
}

export type CreateReporter = (context: ReporterContext) => Reporter

export interface ReporterRow {
  readonly summary: string
  /** Whether it writes while the run goes on. Others, and all that write to a file, hear the events when the run is over. */
  readonly isLive: boolean
  /** Whether it always hears events as they are made, and asks for the latest of all that it writes at the end. */
  readonly asksLatest?: boolean
  /** The events that are kept for it if it hears them when the run is over; by default all. */
  readonly reads?: readonly RunEventType[]
  /** Whether it reads headers and bodies of every exchange, not those of failures alone. */
  readonly needsExchanges: boolean
  /** Whether it reads what is documented, and what is answered of it. */
  readonly needsCoverage: boolean
  readonly load: () => Promise<CreateReporter>
}
