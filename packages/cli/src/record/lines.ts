// Reads the lines of a record: a header, the masked events in the order of the runs, large bodies once, and the end.
// docs/reference/record.md describes them for other programs.

import {
  isEventType,
  isJsonObject,
  parseJson,
  setOwn,
  type JsonObject,
  type JsonValue,
  type OnFailure,
  type RunEvent,
  type SessionStatus,
  ownOf,
} from "@callsheet/format"
import type { DocumentDigests } from "./document-digests.ts"

export const RECORD_VERSION = "1.2"

export interface RecordHeader {
  /** The version of the format: `<major>.<minor>`. */
  readonly callsheetRecord: string
  /** Distinguishes two records. */
  readonly id: string
  readonly callsheet: string
  /** The digest of the project's files. Records of different files can't be merged. */
  readonly project: string
  /** The selection that was run. Contains no values of inputs or variables. */
  readonly command: RecordedCommand
  readonly seed?: number | undefined
  readonly startedAt: string
  /** The part of the session that this record contains. `index` counts from 1. */
  readonly shard?: { readonly index: number; readonly count: number } | undefined
}

interface RecordedCommand {
  readonly suite?: string | undefined
  readonly workflows: readonly string[]
  /** The names of inputs that options set. Absent in records of version 1.0. */
  readonly inputs?: readonly string[]
  readonly onFailure?: OnFailure | undefined
}

export interface RecordEnd {
  readonly status: SessionStatus
  /** Set if an option such as `--strict` failed a session whose runs passed. */
  readonly verdict?: "failed" | undefined
  readonly exitCode: number
  readonly durationMs: number
  /** The digests of the documents that the session read. Absent in records before version 1.2. */
  readonly documents?: DocumentDigests
}

export type RecordLine =
  /** `position` is the place of the run in the whole session. Set on `run.started` in a shard. */
  | { readonly event: RunEvent; readonly position: number | undefined }
  | { readonly end: RecordEnd }
  /** A body, or something that a newer version writes. */
  | undefined

/** The total length of the lines of bodies that events can refer to. */
export const MAX_SHARED = 16 * 1024 * 1024

/** Returns a function that reads a line after the header. Throws a SyntaxError if the line isn't valid. */
export function createDecoder() {
  const known = new RecentBodies()
  return (line: string): RecordLine => {
    const value = parseLine(line)
    if (typeof value["type"] === "string") return readEvent(value, known)
    const { blob, end } = value
    if (typeof blob === "string" && value["value"] !== undefined && !known.has(blob))
      known.add(blob, line.length + 1, value["value"])
    return isEnd(end) ? { end } : undefined
  }
}

export function parseLine(line: string): JsonObject {
  const parsed = parseJson(line, { allowDuplicateKeys: true })
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new SyntaxError("not a JSON object")
  return parsed.value
}

function readEvent({ blobs, position, ...event }: JsonObject, known: RecentBodies): RecordLine {
  if (!isEventType(event["type"])) return undefined
  for (const name of ["run", "block", "parent", "iteration", "index", "startMs"])
    if (!isNumber(ownOf(event, name)) && (ownOf(event, name) !== undefined || name === "run"))
      throw new SyntaxError(`${name} is not a number`)
  if (blobs !== undefined) {
    if (!isJsonObject(blobs)) throw new SyntaxError("blobs is not an object")
    for (const [pointer, hash] of Object.entries(blobs)) {
      const body = typeof hash === "string" ? known.get(hash) : undefined
      if (body === undefined) throw new SyntaxError("a body is missing")
      setAt(event, pointer, body)
    }
  }
  return { event: event as unknown as RunEvent, position: isNumber(position) ? position : undefined }
}

/** The latest time that a date can have. */
const MAX_NUMBER = 8.64e15

const isNumber = (value: JsonValue | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER

/** Sets the value at a JSON pointer to an existing member. */
function setAt(event: JsonObject, pointer: string, value: JsonValue): void {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
  const last = keys.pop()
  let at: JsonValue | undefined = event
  for (const key of keys) at = isJsonObject(at) ? ownOf(at, key) : undefined
  if (last === undefined || !isJsonObject(at) || !Object.hasOwn(at, last))
    throw new SyntaxError("a body has no place")
  setOwn(at, last, value)
}

const statuses: readonly unknown[] = ["passed", "failed", "error"] satisfies SessionStatus[]

function isEnd(end: JsonValue | undefined): end is JsonObject & RecordEnd {
  if (end === undefined || !isJsonObject(end)) return false
  const { status, exitCode, durationMs } = end
  return statuses.includes(status) && isNumber(exitCode) && exitCode < 256 && typeof durationMs === "number"
}

/** The latest bodies by hash. Writer and reader forget the same ones, so that memory is limited. */
export class RecentBodies {
  readonly #bodies = new Map<string, { readonly value: JsonValue; readonly length: number }>()
  #length = 0

  has(hash: string): boolean {
    return this.#bodies.has(hash)
  }

  get(hash: string): JsonValue | undefined {
    return this.#bodies.get(hash)?.value
  }

  add(hash: string, length: number, value: JsonValue): void {
    this.#bodies.set(hash, { value, length })
    this.#length += length
    for (const [oldest, body] of this.#bodies) {
      if (this.#length <= MAX_SHARED) return
      this.#bodies.delete(oldest)
      this.#length -= body.length
    }
  }
}
