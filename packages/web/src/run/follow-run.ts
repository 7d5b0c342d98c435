// One run that goes on: found at any moment by its report so far, and from there on folded from the events that are told.

import type { RunEventsTold, RunView } from "@callsheet/server/calls"
import { createLiveReport, type LiveReport, type ShownReport } from "./live-report.ts"

export interface Follower {
  readonly run: string
  /** From now on events are kept for the report that is being read. */
  readonly beginReading: () => void
  /** Goes on from what was read. False where events are missing since. */
  readonly goOn: (view: RunView) => boolean
  /** False where events before these are missing: then nothing is folded until it is read again. */
  readonly hear: (told: RunEventsTold) => boolean
  /** What was read is of no use: it could not be read, or events are missing. */
  readonly lose: () => void
  /** Neither read nor being read. */
  readonly isLost: () => boolean
  /** Undefined as long as nothing was read. */
  readonly shown: () => ShownReport | undefined
}

export function createFollower(run: string): Follower {
  let state: "lost" | "reading" | "going" = "lost"
  let live: LiveReport | undefined
  let next = 0
  let waiting: RunEventsTold[] = []
  const fold = ({ from, events }: RunEventsTold): void => {
    if (from > next) state = "lost"
    if (state !== "going") return
    // The report that was read holds the first of them already.
    for (const event of events.slice(next - from)) live?.apply(event)
    next = Math.max(next, from + events.length)
  }
  return {
    run,
    beginReading: () => {
      state = "reading"
      waiting = []
    },
    goOn: ({ report, going = [], events }) => {
      state = "going"
      live = createLiveReport({ report, runs: going })
      next = events
      for (const told of waiting) fold(told)
      waiting = []
      return state === "going"
    },
    hear: (told) => {
      if (state === "reading") waiting.push(told)
      if (state !== "going") return true
      fold(told)
      return state === "going"
    },
    lose: () => {
      state = "lost"
      waiting = []
    },
    isLost: () => state === "lost",
    shown: () => live?.shown(),
  }
}
