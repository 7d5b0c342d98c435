// The run that the page shows. It is read once, then updated by events, and rendered at most once per frame.

import { ownOf } from "@callsheet/format"
import { create } from "zustand"
import type { AppEvent, RunEventBatch, RunView } from "@callsheet/server/calls"
import { call } from "./call.ts"
import { Refused } from "./send.ts"
import { queryClient } from "./query-client.ts"
import { createFollower, finishedReport, type Follower, type ShownReport } from "./follow-run.ts"
import { createPacedReads } from "./paced-reads.ts"

export interface KnownRun {
  readonly isDone: boolean
  readonly report: ShownReport | undefined
}

export const useRuns = create<Readonly<Record<string, KnownRun>>>(() => ({}))

/** The run to show. The page has no state of other runs. */
let watched: string | undefined
/** Follows the current run that is shown, or was shown last. */
let follower: Follower | undefined
let frame: number | undefined
const reads = createPacedReads(readWatched)

/** If the same run is shown again within this time in milliseconds, it isn't read again. */
const forgetAfterMs = 1000

/** Shows this run from now on. `undefined` shows none. */
export function watchRun(run: string | undefined): void {
  watched = run
  if (run === undefined) {
    setTimeout(() => {
      if (watched === undefined) useRuns.setState({}, true)
    }, forgetAfterMs)
    return
  }
  const known = ownOf(useRuns.getState(), run)
  useRuns.setState(known === undefined ? {} : { [run]: known }, true)
  if (known?.isDone) return
  if (follower?.run !== run || follower.isLost()) reads.ask("now")
  else show()
}

/** Called after each event of any run, and after a reconnect. */
const waiting = new Set<() => void>()

function wake(): void {
  const all = [...waiting]
  waiting.clear()
  for (const goOn of all) goOn()
}

/** Waits until the run ends. */
export async function runEnd(run: string): Promise<RunView> {
  for (;;) {
    const changed = new Promise<void>((resolve) => void waiting.add(resolve))
    const view = await call("runs.read", { run })
    if (view.isDone) return view
    await changed
  }
}

/** Reads the run again after a reconnect, because the page missed events. */
export function lookAgain(): void {
  wake()
  follower = undefined
  void queryClient.invalidateQueries({ queryKey: ["runs"] })
  if (watched !== undefined && !ownOf(useRuns.getState(), watched)?.isDone) reads.ask("now")
}

/** Reads a current run repeatedly while events are missing, with pauses. */
export function lookLater(): void {
  wake()
  if (watched !== undefined && !ownOf(useRuns.getState(), watched)?.isDone) reads.ask("later")
}

const listeners = new Set<(events: RunEventBatch) => void>()

/** Calls the listener with the events of all runs. Returns a function that ends this. */
export function onRunEvents(listener: (events: RunEventBatch) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function hearRunEvent(event: AppEvent): void {
  if (event.type === "run.events") {
    for (const listener of listeners) listener(event)
    hearOf(event)
  } else if (event.type === "run.changed") {
    wake()
    void queryClient.invalidateQueries({ queryKey: ["runs"] })
    if (!event.isDone) return
    if (event.run === watched) reads.ask("now")
    else if (event.run === follower?.run) follower = undefined
  }
}

function hearOf(reported: RunEventBatch): void {
  if (reported.run !== follower?.run) return
  if (follower.hear(reported)) show()
  else if (reported.run === watched) reads.ask("later")
}

function show(): void {
  if (follower?.run !== watched) return
  frame ??= requestAnimationFrame(() => {
    frame = undefined
    const report = follower?.shown()
    if (report === undefined || follower === undefined || follower.run !== watched) return
    useRuns.setState({ [follower.run]: { isDone: false, report } })
  })
}

async function readWatched(): Promise<void> {
  const run = watched
  if (run === undefined) return
  if (follower?.run !== run) follower = createFollower(run)
  const reader = follower
  reader.beginReading()
  const view = await call("runs.read", { run }).catch((error: unknown) =>
    error instanceof Refused ? undefined : "unknown",
  )
  // `lookAgain` repeats the read after a reconnect.
  if (view === "unknown") reader.lose()
  else if (view?.isDone === false) goOn(reader, view)
  else {
    if (follower === reader) follower = undefined
    if (run === watched)
      useRuns.setState({ [run]: { isDone: true, report: view && finishedReport(view.report) } })
  }
}

function goOn(reader: Follower, view: RunView): void {
  const isWhole = reader.goOn(view)
  if (follower !== reader) return
  show()
  if (!isWhole) reads.ask("later")
}
