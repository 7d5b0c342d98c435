// Merges records: the runs in the order of the whole session, with new numbers. Ends the run that a cut record leaves open.

import {
  type Leftover,
  type Listener,
  type Problem,
  type RunEvent,
  type StaleViolation,
  toProblem,
  violationKey,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { EventSpool } from "./event-spool.ts"
import type { RecordHeader } from "./lines.ts"
import { invalid, type ReadRecord } from "./read-record.ts"

export interface MergeResult {
  readonly verdict: "failed" | undefined
  readonly exitCode: number
  readonly durationMs: number
  /** The records that were cut between two runs. */
  readonly cuts: readonly Problem[]
  /** The records that were cut in a run. The run's error has the same problem. */
  readonly cutRuns: readonly Problem[]
}

interface Source {
  readonly record: ReadRecord
  /** The next event, which starts a run or is outside of runs. */
  next: Awaited<ReturnType<ReadRecord["next"]>>
  position: number
  /** The number of runs that have ended. */
  runs: number
  /** True if a run has no end. */
  isOpen: boolean
}

const cutOf = ({ record, runs }: Source): Problem =>
  record.damage() ?? toProblem(messages["record-invalid"].cut(record.shown, runs))

/** Throws `record-invalid` if the records aren't parts of one session or of sessions of the same files. */
export function refuseMismatch(
  records: readonly ReadRecord[],
  { partial, inDirectory = false }: { readonly partial: boolean; readonly inDirectory?: boolean },
): void {
  const [first, ...others] = records
  if (first === undefined) return
  const texts = messages["record-invalid"]
  const seen = new Map<string, string>()
  for (const { shown, header } of records) {
    const { id, shard } = header
    const key = shard === undefined ? id : `${shard.index}`
    const same = seen.get(key)
    if (same !== undefined)
      throw invalid(
        shard === undefined ? texts.twice(same, shown) : texts.shardTwice(shard.index, same, shown),
      )
    seen.set(key, shown)
  }
  for (const { shown, header } of others) {
    if (header.project !== first.header.project) throw invalid(texts.otherFiles(first.shown, shown))
    if (header.shard?.count !== first.header.shard?.count || isOtherShard(header, first.header))
      throw invalid(texts.otherSession(first.shown, shown))
    // Otherwise, a workflow may have run in no shard.
    if (header.shard?.plan !== first.header.shard?.plan) throw invalid(texts.otherPlan(first.shown, shown))
  }
  const count = first.header.shard?.count ?? 0
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !seen.has(String(index)))
  if (missing.length > 0 && !partial) throw invalid(texts.shardMissing(missing, count, inDirectory))
}

const isOtherShard = (one: RecordHeader, other: RecordHeader): boolean =>
  one.shard !== undefined && JSON.stringify(one.command) !== JSON.stringify(other.command)

/** Yields the events of all records, one run after the other. */
export async function* readMerged(
  records: readonly ReadRecord[],
): AsyncGenerator<RunEvent, MergeResult, void> {
  const isSharded = records.some(({ header }) => header.shard !== undefined)
  const ordered = isSharded
    ? records.toSorted((one, other) => (one.header.shard?.index ?? 0) - (other.header.shard?.index ?? 0))
    : records
  const sources: Source[] = []
  for (const [at, record] of ordered.entries()) {
    const next = await record.next()
    const position = isSharded ? (next?.position ?? 0) : at
    sources.push({ record, next, position, runs: 0, isOpen: false })
  }
  const leftovers: Leftover[] = []
  const stale = new StaleEntries()
  let searches = 0
  let run = 0
  /** The source whose run is reported, by position. */
  const reported = new Map<number, Source>()
  for (let source = earliest(sources); source !== undefined; source = earliest(sources)) {
    const { event } = source.next ?? {}
    if (event?.type === "run.started") {
      const { position } = source
      const isRepeated = isSharded && (reported.get(position) ?? source) !== source
      if (!isRepeated) reported.set(position, source)
      const events = stale.watch(copyRun(source, run))
      if (yield* isRepeated ? unlessPassed(events) : events) run++
    } else {
      if (event?.type === "leftovers.found") {
        searches++
        leftovers.push(...event.leftovers)
      } else if (event?.type === "baseline.compared") stale.add(event.stale)
      await advance(source)
    }
  }
  // Listeners expect one list per session.
  const gone = stale.left()
  if (gone.length > 0) yield { type: "baseline.compared", run: 0, stale: gone }
  if (searches > 0) yield { type: "leftovers.found", run: 0, leftovers }
  const cut = sources.filter(({ record }) => record.end() === undefined)
  const ends = ordered.map(({ end }) => end())
  return {
    // A session without an end counts as failed, because its result is unknown.
    verdict: ends.some((end) => end === undefined || end.verdict !== undefined) ? "failed" : undefined,
    exitCode: Math.max(...ends.map((end) => end?.exitCode ?? 2)),
    durationMs: ends.reduce((sum, end) => sum + (end?.durationMs ?? 0), 0),
    cuts: cut.filter(({ isOpen }) => !isOpen).map(cutOf),
    cutRuns: cut.filter(({ isOpen }) => isOpen).map(cutOf),
  }
}

/** Passes the events of all records to `emit`, one run after the other. */
export async function mergeRecords(records: readonly ReadRecord[], emit: Listener): Promise<MergeResult> {
  const merged = readMerged(records)
  for (;;) {
    const next = await merged.next()
    if (next.done === true) return next.value
    emit(next.value)
  }
}

/** The entries of the baseline that didn't appear in a session. One that appears in another session isn't stale. */
class StaleEntries {
  readonly #stale = new Map<string, StaleViolation>()
  readonly #seen = new Set<string>()

  add(stale: readonly StaleViolation[]): void {
    for (const entry of stale) this.#stale.set(violationKey(entry, entry), entry)
  }

  async *watch(events: RunCopy): RunCopy {
    for (;;) {
      const next = await events.next()
      if (next.done === true) return next.value
      const event = next.value
      if (event.type === "contract.checked" && event.found !== undefined)
        for (const place of event.found.violations) this.#seen.add(violationKey(event.found, place))
      yield event
    }
  }

  left(): readonly StaleViolation[] {
    return [...this.#stale].flatMap(([key, entry]) => (this.#seen.has(key) ? [] : [entry]))
  }
}

function earliest(sources: readonly Source[]): Source | undefined {
  let first: Source | undefined
  for (const source of sources)
    if (source.next !== undefined && source.position < (first?.position ?? Infinity)) first = source
  return first
}

async function advance(source: Source): Promise<void> {
  source.next = await source.record.next()
  source.position = source.next?.position ?? source.position
}

/** The events of one run. Returns false if the run is left out. */
type RunCopy = AsyncGenerator<RunEvent, boolean, void>

/** Copies the next run of a source as run number `run`. */
async function* copyRun(source: Source, run: number): RunCopy {
  /** The open blocks with their open iterations. */
  const open = new Map<number, Set<number>>()
  do {
    const event = source.next!.event
    await advance(source)
    if (event.type === "block.started") open.set(event.block, new Set())
    else if (event.type === "iteration.started") open.get(event.block)?.add(event.index)
    else if (event.type === "iteration.finished") open.get(event.block)?.delete(event.index)
    else if (event.type === "block.finished") open.delete(event.block)
    yield { ...event, run }
    if (event.type === "run.finished") {
      source.runs++
      return true
    }
  } while (source.next !== undefined && source.next.event.type !== "run.started")
  source.isOpen = true
  yield* endingsOf(open, run, cutOf(source))
  return true
}

/** Ends a run that was cut, so that no reporter shows an open block as passed. */
function* endingsOf(
  open: ReadonlyMap<number, ReadonlySet<number>>,
  run: number,
  cut: Problem,
): Generator<RunEvent, void> {
  for (const [block, iterations] of [...open].reverse()) {
    for (const index of iterations) yield { type: "iteration.finished", run, block, index, status: "skipped" }
    yield { type: "block.finished", run, block, status: "skipped", reason: "cancelled", durationMs: 0 }
  }
  const error = { code: cut.code, message: cut.message, problems: [cut] }
  yield { type: "run.finished", run, status: "error", durationMs: 0, error }
}

/** Each shard of a suite runs its `before` and `finally`. Reports those of the second shard only if they didn't pass. */
async function* unlessPassed(events: RunCopy): RunCopy {
  const kept = new EventSpool()
  let hasPassed = false
  for await (const event of events) {
    kept.push(event)
    if (event.type === "run.finished") hasPassed = event.status === "passed" || event.status === "skipped"
  }
  if (hasPassed) return false
  yield* kept
  return true
}
