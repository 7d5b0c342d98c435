// The runs that this page knows of: what the server tells is folded at once, and shown at most once a frame.

import { create } from "zustand"
import type { AppEvent, RunEventsTold, RunView } from "../../api.ts"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { queryClient } from "../data/query-client.ts"
import {
  createLiveReport,
  finishedReport,
  snapshotReport,
  type LiveReport,
  type ShownReport,
} from "./live-report.ts"

export interface KnownRun {
  readonly isDone: boolean
  readonly report: ShownReport | undefined
}

/** By the name of the run. */
export const useRuns = create<Readonly<Record<string, KnownRun>>>(() => ({}))

/** A run that was heard of from its first event on. */
interface Followed {
  readonly live: LiveReport
  next: number
}

const followed = new Map<string, Followed>()
const changed = new Set<string>()
/** What is shown now. Of other runs nothing is kept but what cannot be read again. */
let watched: string | undefined
let frame: number | undefined
let isReading = false
let readsAgain = false

/** Shows this run from now on; `undefined` where none is shown. */
export function watchRun(run: string | undefined): void {
  watched = run
  useRuns.setState((runs) => (run === undefined ? {} : only(runs, run)), true)
  if (run === undefined) return
  if (followed.has(run)) show(run)
  else void readWatched()
}

/** After a loss of the connection: what was told in between is missing. */
export function lookAgain(): void {
  followed.clear()
  void queryClient.invalidateQueries({ queryKey: ["runs"] })
  if (watched !== undefined && !useRuns.getState()[watched]?.isDone) void readWatched()
}

export function hearRunEvent(event: AppEvent): void {
  if (event.type === "run.events") fold(event)
  else if (event.type === "run.changed") {
    void queryClient.invalidateQueries({ queryKey: ["runs"] })
    if (!event.isDone) return
    if (event.run === watched) void readWatched()
    else followed.delete(event.run)
  }
}

function fold({ run, from, events }: RunEventsTold): void {
  if (from === 0 && !followed.has(run)) followed.set(run, { live: createLiveReport(), next: 0 })
  const follower = followed.get(run)
  if (follower?.next !== from) {
    // Some were missed: the report is read, as far as it has come.
    followed.delete(run)
    if (run === watched) void readWatched()
    return
  }
  for (const event of events) follower.live.apply(event)
  follower.next += events.length
  show(run)
}

function show(run: string): void {
  if (run !== watched) return
  changed.add(run)
  frame ??= requestAnimationFrame(() => {
    frame = undefined
    for (const name of changed) {
      const live = followed.get(name)?.live
      if (live !== undefined && name === watched)
        useRuns.setState({ [name]: { isDone: false, report: live.shown() } })
    }
    changed.clear()
  })
}

/** One read at a time; what asks meanwhile is answered by one more, after a pause that grows with the report. */
async function readWatched(): Promise<void> {
  if (isReading) {
    readsAgain = true
    return
  }
  isReading = true
  const began = performance.now()
  await readOnce(watched)
  const paused = Math.max(300, 4 * (performance.now() - began))
  setTimeout(() => {
    isReading = false
    if (!readsAgain) return
    readsAgain = false
    void readWatched()
  }, paused)
}

async function readOnce(run: string | undefined): Promise<void> {
  if (run === undefined) return
  const view = await call("runs.read", { run }).catch((error: unknown) =>
    error instanceof Refused ? undefined : "unknown",
  )
  // `lookAgain` asks again when there is a connection.
  if (view === "unknown") return
  if (run !== watched) {
    readsAgain = true
    return
  }
  if (view === undefined) useRuns.setState({ [run]: { isDone: true, report: undefined } })
  else if (view.isDone || !followed.has(run)) useRuns.setState({ [run]: knownOf(view) })
  if (view?.isDone !== false) followed.delete(run)
}

function knownOf({ isDone, report }: RunView): KnownRun {
  const run = report.runs[0]
  if (run === undefined) return { isDone, report: undefined }
  return { isDone, report: isDone ? finishedReport(run) : snapshotReport(run) }
}

function only(runs: Readonly<Record<string, KnownRun>>, run: string): Readonly<Record<string, KnownRun>> {
  const known = runs[run]
  return known === undefined ? {} : { [run]: known }
}
