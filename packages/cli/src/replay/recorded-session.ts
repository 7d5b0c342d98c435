// The runs of a record, to look up by entry, row, repetition and attempt, and their blocks by id and iteration.

import type {
  BlockEntered,
  ContractView,
  EventOf,
  Finding,
  FoundViolations,
  JsonObject,
  JsonValue,
  Problem,
  RunEvent,
  RunPlace,
} from "@callsheet/format"
import type { RecordHeader } from "../record/lines.ts"
import type { ReadRecord } from "../record/read-record.ts"

export interface RecordedSession {
  readonly header: RecordHeader
  readonly runs: readonly RecordedRun[]
  /** False if the record was cut. */
  readonly isWhole: boolean
  /** What is wrong with the line at which reading ended, if that isn't just where the record was cut. */
  readonly damage: Problem | undefined
  /** The digests of the documents. A hostile record may contain anything. */
  readonly documents: JsonValue | undefined
}

export interface RecordedRun {
  readonly started: EventOf<"run.started">
  ended?: EventOf<"run.finished">
  /** The blocks that sent a request or read the clock, by place. Usually one per place. */
  readonly blocks: Map<string, RecordedBlock[]>
}

export interface RecordedBlock {
  sent?: EventOf<"request.sent">
  received?: EventOf<"response.received">
  /** The items of a stream. */
  items?: EventOf<"stream.item">[]
  /** The verdict on the request. Absent if it has no problems or wasn't checked. */
  checked?: RequestVerdict
  contract?: ContractView
  /** The violations in the contract's verdict, for the baseline. */
  found?: FoundViolations
  /** The warnings about the response itself, which can't be found again. */
  warnings?: Finding[]
  ended?: EventOf<"block.finished">
}

type RequestVerdict = Pick<EventOf<"request.checked">, "problems" | "unchecked">

export interface BlockPlace {
  readonly id: string
  /** The indexes of the iterations around the block, outermost first. */
  readonly iterations: readonly number[]
}

/** The places of a run's blocks, by number. */
export class BlockPlaces {
  readonly #places = new Map<number, BlockPlace>()

  get(block: number): BlockPlace | undefined {
    return this.#places.get(block)
  }

  add({ block, parent, iteration, id }: BlockEntered): BlockPlace {
    const around = parent === undefined ? undefined : this.#places.get(parent)?.iterations
    const iterations = iteration === undefined ? (around ?? []) : [...(around ?? []), iteration]
    const place = { id, iterations }
    this.#places.set(block, place)
    return place
  }
}

/** Ids are unique in a workflow, so that a block may move to another group. */
export const placeKey = ({ id, iterations }: BlockPlace): string => `${iterations.join(",")} ${id}`

export const runKey = ({ entry, workflow, role, row, repeat, attempt }: RunPlace & { workflow: string }) =>
  JSON.stringify([entry ?? workflow, role, row, repeat, attempt ?? 1])

/** Removes a recorded verdict that can't be read. The contract is then checked again. */
export function withoutVerdict({ answers: _, ...event }: JsonObject): JsonObject | undefined {
  return event["type"] === "contract.checked" || event["type"] === "request.checked" ? undefined : event
}

/** Reads a record to its end, or to the place where it was cut. */
export async function readSession(record: ReadRecord): Promise<RecordedSession> {
  const runs: RecordedRun[] = []
  let add: (event: RunEvent) => void = () => undefined
  for (let next = await record.next(); next !== undefined; next = await record.next()) {
    const { event } = next
    if (event.type === "run.started") {
      const run: RecordedRun = { started: event, blocks: new Map() }
      runs.push(run)
      add = keepBlocks(run)
    } else add(event)
  }
  const end = record.end()
  return {
    header: record.header,
    runs,
    isWhole: end !== undefined,
    damage: record.damage(),
    documents: end?.documents,
  }
}

function keepBlocks(run: RecordedRun): (event: RunEvent) => void {
  const places = new BlockPlaces()
  const blocks = new Map<number, RecordedBlock>()
  const blockOf = (number: number): RecordedBlock => {
    const known = blocks.get(number)
    if (known !== undefined) return known
    const block: RecordedBlock = {}
    blocks.set(number, block)
    const place = places.get(number)
    if (place === undefined) return block
    const key = placeKey(place)
    const same = run.blocks.get(key)
    if (same === undefined) run.blocks.set(key, [block])
    else same.push(block)
    return block
  }
  return (event) => {
    if (event.type === "block.started") places.add(event)
    else if (event.type === "request.sent") blockOf(event.block).sent = event
    else if (event.type === "response.received") blockOf(event.block).received = event
    else if (event.type === "stream.item") (blockOf(event.block).items ??= []).push(event)
    else if (event.type === "request.checked") blockOf(event.block).checked = requestVerdict(event)
    else if (event.type === "warning.raised" && event.block !== undefined && isAboutResponse(event.warning))
      (blockOf(event.block).warnings ??= []).push(event.warning)
    else if (event.type === "contract.checked" && event.contract.status !== "unavailable") {
      const block = blockOf(event.block)
      block.contract = event.contract
      if (event.found !== undefined) block.found = event.found
    } else if (event.type === "block.finished" && (blocks.has(event.block) || event.times !== undefined))
      blockOf(event.block).ended = event
    else if (event.type === "run.finished") run.ended = event
  }
}

const requestVerdict = ({ problems, unchecked }: EventOf<"request.checked">): RequestVerdict =>
  unchecked === undefined ? { problems } : { problems, unchecked }

const responseCodes: ReadonlySet<string> = new Set(["header-invalid", "redirect-body", "stream-item-invalid"])

const isAboutResponse = ({ code }: Finding): boolean => responseCodes.has(code)
