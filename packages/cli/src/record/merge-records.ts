// Merges records: the runs in the order of the whole session, with new numbers. Ends the run that a cut record leaves open.

import { type Leftover, type Listener, type Problem, type RunEvent, toProblem } from "@callsheet/format"
import { messages } from "../messages.ts"
import { KeptEvents } from "../reporters/kept-text.ts"
import type { RecordHeader } from "./lines.ts"
import { invalid, type ReadRecord } from "./read-record.ts"

export interface Merged {
  readonly verdict: "failed" | undefined
  readonly exitCode: number
  readonly durationMs: number
  /** The records that were cut between two runs. */
  readonly cuts: readonly Problem[]
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
  toProblem(messages["record-invalid"].cut(record.shown, runs))

/** Throws `record-invalid` if the records aren't parts of one session or of sessions of the same files. */
export function refuseMismatch(
  records: readonly ReadRecord[],
  { partial }: { readonly partial: boolean },
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
  }
  const count = first.header.shard?.count ?? 0
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !seen.has(String(index)))
  if (missing.length > 0 && !partial) throw invalid(texts.shardMissing(missing, count))
}

const isOtherShard = (one: RecordHeader, other: RecordHeader): boolean =>
  one.shard !== undefined && JSON.stringify(one.command) !== JSON.stringify(other.command)

/** Passes the events of all records to `emit`, one run after the other. */
export async function mergeRecords(records: readonly ReadRecord[], emit: Listener): Promise<Merged> {
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
      if (await copyRun(source, run, isRepeated ? unlessPassed(emit) : emit)) run++
    } else {
      if (event?.type === "leftovers.found") {
        searches++
        leftovers.push(...event.leftovers)
      }
      await advance(source)
    }
  }
  // Listeners expect one list per session.
  if (searches > 0) emit({ type: "leftovers.found", run: 0, leftovers })
  const ends = ordered.map(({ end }) => end())
  return {
    // A session without an end counts as failed, because its result is unknown.
    verdict: ends.some((end) => end === undefined || end.verdict !== undefined) ? "failed" : undefined,
    exitCode: Math.max(...ends.map((end) => end?.exitCode ?? 2)),
    durationMs: ends.reduce((sum, end) => sum + (end?.durationMs ?? 0), 0),
    cuts: sources.flatMap((source) =>
      source.record.end() === undefined && !source.isOpen ? [cutOf(source)] : [],
    ),
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

/** Copies the next run of a source as run number `run`. Returns false if `emit` dropped it. */
async function copyRun(
  source: Source,
  run: number,
  emit: (event: RunEvent) => boolean | void,
): Promise<boolean> {
  /** The open blocks with their open iterations. */
  const open = new Map<number, Set<number>>()
  do {
    const event = source.next!.event
    await advance(source)
    if (event.type === "block.started") open.set(event.block, new Set())
    else if (event.type === "iteration.started") open.get(event.block)?.add(event.index)
    else if (event.type === "iteration.finished") open.get(event.block)?.delete(event.index)
    else if (event.type === "block.finished") open.delete(event.block)
    const isDropped = emit({ ...event, run }) === false
    if (event.type === "run.finished") {
      source.runs++
      return !isDropped
    }
  } while (source.next !== undefined && source.next.event.type !== "run.started")
  source.isOpen = true
  for (const event of endingsOf(open, run, cutOf(source))) emit(event)
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
function unlessPassed(emit: Listener): (event: RunEvent) => boolean {
  const kept = new KeptEvents()
  return (event) => {
    kept.add(event, 0)
    if (event.type !== "run.finished") return true
    if (event.status === "passed" || event.status === "skipped") return false
    for (const one of kept) emit(one.event)
    return true
  }
}
