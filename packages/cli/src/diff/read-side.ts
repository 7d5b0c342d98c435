// Reads one side of a comparison: the blocks of a record, or of the shards in a directory, as they finished.

import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import {
  attempt,
  blockPath,
  CallsheetError,
  trackBlocks,
  type AnsweredOperation,
  type BlockReport,
  type OpenBlock,
  type Problem,
  type RunPlace,
  type RunReport,
  type RunSubscriber,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { readMerged, refuseMismatch } from "../record/merge-records.ts"
import { invalid, openRecord, type ReadRecord } from "../record/read-record.ts"
import { pathText } from "../reporters/block-path.ts"
import { KeptEvents } from "../reporters/kept-text.ts"
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
  /** The status of a run. */
  readonly runStatus?: RunReport["status"]
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
    const files = attempt(() => readdirSync(resolve(cwd, shown)).filter((name) => !name.startsWith(".")))
    if (files?.length === 0) throw invalid(messages["record-invalid"].emptyDirectory(shown))
    for (const path of files?.sort().map((name) => join(shown, name)) ?? [shown])
      records.push(await openRecord(resolve(cwd, path), path))
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
  const { apply } = trackBlocks<Own>((run) =>
    subscriber(run, (block) => ran.push({ ...block, order: order++ })),
  )
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
  let kept: KeptEvents | undefined
  let next = await events.next()
  for (; next.done !== true; next = await events.next()) {
    const event = next.value
    if (event.type === "run.started" && event.attempt !== undefined) kept = new KeptEvents()
    if (kept === undefined) {
      yield event
      continue
    }
    kept.add(event, 0)
    if (event.type !== "run.finished") continue
    if (event.isRetried !== true) for (const { event: one } of kept) yield one
    kept = undefined
  }
  return next.value
}

interface Own {
  operation?: AnsweredOperation | undefined
}

function subscriber(run: RunReport, add: (block: Omit<RanBlock, "order">) => void): RunSubscriber<Own> {
  const { workflow, entry, role, row, repeat } = run
  const runKey = JSON.stringify([workflow, entry, role, row, repeat])
  const compared: ComparedRun = {
    title: runTitle({ ...run, attempt: 1 }),
    workflow,
    ...(entry === undefined ? {} : { entry }),
    ...(row === undefined ? {} : { row }),
    ...(repeat === undefined ? {} : { repeat }),
  }
  const end = (block: OpenBlock<Own>): void => {
    const { report, parent, own } = block
    const path = blockPath(block)
    const loop = path.slice(0, loopDepth(block))
    add({
      key: keyOf(runKey, path),
      parent: parent === undefined ? runKey : keyOf(runKey, blockPath(parent)),
      loop: loop.length === 0 ? undefined : keyOf(runKey, loop),
      // An id has no brackets.
      anyIteration:
        loop.length === 0
          ? undefined
          : keyOf(
              runKey,
              path.filter((segment) => !segment.startsWith("[")),
            ),
      run: compared,
      block: report.id,
      shown: pathText([...path]),
      iterations: iterationsOf(block),
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

/** Deep paths are long, and there may be many. */
const MAX_KEY = 300

function keyOf(run: string, path: readonly string[]): string {
  const key = `${run}${JSON.stringify(path)}`
  return key.length > MAX_KEY ? createHash("sha256").update(key).digest("base64") : key
}

const slim = ({
  id,
  type,
  status,
  durationMs,
  response,
  error,
  blocks,
  iterations,
}: BlockReport): BlockReport => ({
  id,
  type,
  status,
  durationMs,
  ...(response && { response }),
  ...(error && { error: { code: error.code, message: "" } }),
  ...(blocks && { blocks: [] }),
  ...(iterations && { iterations: [] }),
})

function iterationsOf(block: OpenBlock<Own>): readonly number[] {
  const indexes: number[] = []
  for (let at: OpenBlock<Own> | undefined = block; at !== undefined; at = at.parent)
    if (at.iteration !== undefined) indexes.push(at.iteration.index)
  return indexes.reverse()
}

/** Returns the number of path segments up to the innermost loop around a block. */
function loopDepth(block: OpenBlock<Own>): number {
  let below = 1
  for (let at: OpenBlock<Own> | undefined = block; at !== undefined; at = at.parent, below++)
    if (at.iteration !== undefined) return blockPath(block).length - below - 1
  return 0
}
