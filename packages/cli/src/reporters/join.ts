// Combines the reporters of a run. If one throws, it is dropped and the others continue.

import type { LiveListener } from "@callsheet/engine"
import type { RunEvent } from "@callsheet/format"
import type { ReportFile } from "./report-file.ts"
import type { SessionEnd } from "./reporter.ts"

export interface JoinedReporter {
  readonly name: string
  readonly file?: ReportFile | undefined
  /** Receives each run when it ends. */
  readonly onEnded?: LiveListener | undefined
  /** Receives each run when it and all runs before it in the schedule have ended. */
  readonly onEvent?: LiveListener | undefined
  /** Receives every event as soon as it happens. */
  readonly onProgress?: LiveListener | undefined
  /** Writes the report of a session that is over, or the rest of it. */
  readonly finish: (events: Iterable<RunEvent>, end: SessionEnd) => void
  /** Sends the report of a session that is over. */
  readonly deliver?: ((events: Iterable<RunEvent>) => Promise<void>) | undefined
}

/** Combines reporters. Calls `onBroken` once for each that throws or whose file can't be written. */
export function joinReporters(
  joined: readonly JoinedReporter[],
  onBroken: (name: string, error: unknown) => void,
) {
  const working = new Set(joined)
  const guard = (one: JoinedReporter, action: () => void): void => {
    if (!working.has(one)) return
    try {
      action()
    } catch (error) {
      working.delete(one)
      one.file?.discard()
      onBroken(one.name, error)
    }
  }
  const listenerOf = (name: "onEnded" | "onEvent" | "onProgress"): LiveListener | undefined => {
    const listening = joined.filter((one) => one[name] !== undefined)
    if (listening.length === 0) return undefined
    return (event, maskAgain) => {
      for (const one of listening) guard(one, () => one[name]?.(event, maskAgain))
    }
  }
  return {
    listen: listenerOf("onEvent"),
    listenEnded: listenerOf("onEnded"),
    watch: listenerOf("onProgress"),
    /** Finishes every reporter, moves the files to their final paths, and then sends what reporters send. */
    finish: async (events: Iterable<RunEvent>, end: SessionEnd): Promise<void> => {
      for (const one of joined)
        guard(one, () => {
          one.finish(events, end)
          one.file?.commit()
        })
      for (const one of working)
        await one.deliver?.(events).catch((error: unknown) => onBroken(one.name, error))
    },
    /** Discards all files. Their previous versions stay. */
    discard: (): void => {
      for (const { file } of working) file?.discard()
    },
  }
}
