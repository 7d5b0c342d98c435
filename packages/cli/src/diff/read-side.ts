// Reads one side of a comparison: the blocks of a record, or of the shards in a directory, as they finished.

import { createHash } from "node:crypto"
import { resolve } from "node:path"
import {
  CallsheetError,
  serviceAddresses,
  trackBlocks,
  type AnsweredOperation,
  type BlockReport,
  type OpenBlock,
  type Problem,
  type RunPlace,
  type RunReport,
  type RunSubscriber,
  type ServiceAddresses,
} from "@callsheet/format"
import { readMerged, refuseMismatch } from "../record/merge-records.ts"
import { listRecords, openRecord, type ReadRecord } from "../record/read-record.ts"
import { extendPath, joinPath } from "../reporters/block-path.ts"
import { EventSpool } from "../record/event-spool.ts"
import { runTitle } from "../reporters/run-title.ts"

export interface RanBlock {
  /** Identifies the block, or the run, on all sides. */
  readonly key: string
  /** The number of blocks and runs of this side that ended before. */
  readonly order: number
  /** The key of its container or its run. Undefined for a run. */
  readonly parent: string | undefined
  /** The key of the loop around the block. */
  readonly loop: string | undefined
  /** A key that all iterations of the block share. Undefined outside loops. */
  readonly anyIteration: string | undefined
  readonly run: ComparedRun
  /** The id of the block, or "" for a run. */
  readonly block: string
  /** The path of the block, safe to print. */
  readonly shown: string
  /** The indexes of its iterations, outermost first. */
  readonly iterations: readonly number[]
  /** The report without nested blocks and without the request. For a run, only the status counts. */
  readonly report: BlockReport
  readonly runStatus?: RunReport["status"]
  /** The servers that callsheet started for the run. */
  readonly services: ServiceAddresses
  readonly operation?: AnsweredOperation | undefined
}

interface ComparedRun extends RunPlace {
  readonly title: string
  readonly workflow: string
}

export interface Side {
  readonly blocks: AsyncGenerator<RanBlock, readonly Problem[], void>
  readonly close: () => Promise<void>
}

/** Opens a record, or all records in a directory. Throws `record-invalid`. */
export async function openSide(cwd: string, shown: string): Promise<Side> {
  const records: ReadRecord[] = []
  const close = async (): Promise<void> => {
    for (const record of records) await record.close()
  }
  try {
    for (const place of listRecords({ path: resolve(cwd, shown), shown }))
      records.push(await openRecord(place.path, place.shown))
    refuseMismatch(records, { partial: false, inDirectory: true })
    return { blocks: readBlocks(records), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function* readBlocks(records: readonly ReadRecord[]): Side["blocks"] {
  const ran: RanBlock[] = []
  let order = 0
  const { apply } = trackBlocks<BlockNotes>((run) => {
    const services = serviceAddresses(run)
    return subscriber(run, (block) => ran.push({ ...block, services, order: order++ }))
  })
  const merged = finalAttempts(readMerged(records))
  let next = await merged.next()
  for (; next.done !== true; next = await merged.next()) {
    apply(next.value)
    yield* ran.splice(0)
  }
  const damages = records.flatMap(({ damage }) => damage() ?? [])
  if (damages[0] !== undefined) throw new CallsheetError(damages[0], { problems: damages })
  return [...next.value.cuts, ...next.value.cutRuns]
}

/** Leaves out the attempts that were repeated, because they don't count. */
async function* finalAttempts(events: ReturnType<typeof readMerged>): ReturnType<typeof readMerged> {
  let kept: EventSpool | undefined
  let next = await events.next()
  for (; next.done !== true; next = await events.next()) {
    const event = next.value
    if (event.type === "run.started" && event.attempt !== undefined) kept = new EventSpool()
    if (kept === undefined) {
      yield event
      continue
    }
    kept.push(event)
    if (event.type !== "run.finished") continue
    if (event.isRetried !== true) yield* kept
    kept = undefined
  }
  return next.value
}

interface BlockNotes {
  operation?: AnsweredOperation | undefined
  place?: Place
}

/** Where a block is. Follows from the place of its container, because blocks may nest 20,000 levels deep. */
interface Place {
  readonly key: string
  /** The key without iterations. */
  readonly plainKey: string
  readonly loop: string | undefined
  readonly iterations: readonly number[]
  /** The path without its middle. */
  readonly path: readonly string[]
  /** The number of segments in the whole path. */
  readonly depth: number
}

/** The maximum number of iterations around a block that are listed, from the innermost. */
const MAX_ITERATIONS = 100

function placeOf(block: OpenBlock<BlockNotes>, top: Place): Place {
  const waiting: OpenBlock<BlockNotes>[] = []
  for (
    let at: OpenBlock<BlockNotes> | undefined = block;
    at !== undefined && at.own.place === undefined;
    at = at.parent
  )
    waiting.push(at)
  for (const one of waiting.reverse()) one.own.place = placeIn(one.parent?.own.place ?? top, one)
  return block.own.place ?? top
}

function placeIn(around: Place, { report: { id }, iteration }: OpenBlock<BlockNotes>): Place {
  const own = iteration === undefined ? [id] : [`[${iteration.index}]`, id]
  return {
    key: keyOf(around.key, own),
    plainKey: keyOf(around.plainKey, [id]),
    loop: iteration === undefined ? around.loop : around.key,
    iterations:
      iteration === undefined
        ? around.iterations
        : [...around.iterations.slice(1 - MAX_ITERATIONS), iteration.index],
    path: own.reduce((path, segment, at) => extendPath(path, segment, around.depth + at), around.path),
    depth: around.depth + own.length,
  }
}

const comparedRun = (run: RunReport): ComparedRun => {
  const { workflow, project, entry, row, repeat } = run
  return {
    title: runTitle({ ...run, attempt: 1 }),
    workflow,
    ...(project === undefined ? {} : { project }),
    ...(entry === undefined ? {} : { entry }),
    ...(row === undefined ? {} : { row }),
    ...(repeat === undefined ? {} : { repeat }),
  }
}

function subscriber(
  run: RunReport,
  add: (block: Omit<RanBlock, "order" | "services">) => void,
): RunSubscriber<BlockNotes> {
  const { project, workflow, entry, role, row, repeat } = run
  const runKey = JSON.stringify([project, workflow, entry, role, row, repeat])
  const compared = comparedRun(run)
  const top: Place = {
    key: runKey,
    plainKey: runKey,
    loop: undefined,
    iterations: [],
    path: [],
    depth: 0,
  }
  const end = (block: OpenBlock<BlockNotes>): void => {
    const { key, plainKey, loop, iterations, path } = placeOf(block, top)
    const { report, parent, own } = block
    add({
      key,
      parent: parent === undefined ? runKey : placeOf(parent, top).key,
      loop,
      anyIteration: loop === undefined ? undefined : plainKey,
      run: compared,
      block: report.id,
      shown: joinPath(path),
      iterations,
      report: slim(report),
      operation: own.operation,
    })
  }
  return {
    maxLogs: 0,
    own: () => ({}),
    onSkipped: end,
    onArrived: (block, event) => {
      if (event.type === "response.received") block.own.operation = event.answers
    },
    onFinished: end,
    onRunFinished: ({ status, durationMs }) =>
      add({
        key: runKey,
        parent: undefined,
        loop: undefined,
        anyIteration: undefined,
        run: compared,
        block: "",
        shown: "",
        iterations: [],
        report: { id: "", type: "group", status: status === "skipped" ? status : "passed", durationMs },
        runStatus: status,
      }),
  }
}

/** Many keys are in memory at once. */
const MAX_KEY = 300

function keyOf(around: string, path: readonly string[]): string {
  const key = `${around}${JSON.stringify(path)}`
  return key.length > MAX_KEY ? createHash("sha256").update(key).digest("base64") : key
}

const slim = ({
  id,
  type,
  status,
  durationMs,
  response,
  contract,
  error,
  blocks,
  iterations,
}: BlockReport): BlockReport => ({
  id,
  type,
  status,
  durationMs,
  ...(response && { response }),
  ...(contract && { contract: { status: contract.status, problems: [] } }),
  ...(error && { error: { code: error.code, message: "" } }),
  ...(blocks && { blocks: [] }),
  ...(iterations && { iterations: [] }),
})
