// Reads a record, line by line. Everything up to the place where a record was cut or damaged is readable.

import { closeSync, constants, createReadStream, fstatSync, openSync, readdirSync, readSync } from "node:fs"
import { join } from "node:path"
import { constants as zlib, createGunzip, gunzipSync } from "node:zlib"
import {
  attempt,
  CallsheetError,
  readEvent,
  toProblem,
  type JsonObject,
  type Problem,
  type RunEvent,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { createOrderCheck } from "./event-order.ts"
import { createDecoder, parseLine, readHeader, type RecordEnd, type RecordHeader } from "./lines.ts"

/** The maximum length of a line. Limits the memory that a hostile record can take. */
const MAX_LINE = 128 * 1024 * 1024

interface RecordedEvent {
  readonly event: RunEvent
  /** The place of the run in the whole session. Set on `run.started` in a shard. */
  readonly position: number | undefined
}

/** The maximum number of lines in a row that have no event, but bodies or something that a newer version writes. */
const MAX_UNKNOWN = 100_000

export interface ReadRecord {
  /** The path as the user wrote it. */
  readonly shown: string
  readonly header: RecordHeader
  /** Returns the next event, or undefined at the end. */
  readonly next: () => Promise<RecordedEvent | undefined>
  /** Returns the end of the session, once all events are read. Undefined if the record was cut or damaged. */
  readonly end: () => RecordEnd | undefined
  /** Returns what is wrong with the line at which reading ended, if that isn't just where the record was cut. */
  readonly damage: () => Problem | undefined
  readonly close: () => Promise<void>
}

/** Removes what the reader doesn't need from an event of another shape. Returns undefined to leave the event out. */
type Repair = (event: JsonObject) => JsonObject | undefined

function readOrRepair(event: JsonObject, repair: Repair | undefined): ReturnType<typeof readEvent> {
  const read = readEvent(event)
  if (read.finding === undefined || repair === undefined) return read
  const repaired = repair(event)
  return repaired === undefined ? {} : readEvent(repaired)
}

/** A path, and how to show it. */
interface RecordPlace {
  readonly path: string
  readonly shown: string
}

/** Returns the place of a record, or those of all records in a directory. Throws `record-invalid`. */
export function listRecords({ path, shown }: RecordPlace): readonly RecordPlace[] {
  const files = attempt(() => readdirSync(path).filter((name) => !name.startsWith(".")))
  if (files === undefined) return [{ path, shown }]
  if (files.length === 0) throw invalid(messages["record-invalid"].emptyDirectory(shown))
  return files.sort().map((name) => ({ path: join(path, name), shown: join(shown, name) }))
}

/** Opens a record and reads its header. Throws `record-invalid`. */
export async function openRecord(path: string, shown: string, repair?: Repair): Promise<ReadRecord> {
  const lines = readLines(path)
  const header = await findHeader(lines, shown)
  const decode = createDecoder()
  const orderOf = createOrderCheck()
  let end: RecordEnd | undefined
  let damage: Problem | undefined
  let at = 1
  let unknown = 0
  const wrong = (what: string): undefined => {
    damage = damageAt(shown, at, what)
  }
  const read = async (): Promise<RecordedEvent | undefined> => {
    while (end === undefined) {
      const line = await lines.next()
      if (line.done === true) return undefined
      at++
      if (++unknown > MAX_UNKNOWN) return wrong(`${MAX_UNKNOWN} lines before it are not events`)
      const decoded = decode(line.value)
      if (decoded === undefined) continue
      if ("end" in decoded) ({ end } = decoded)
      else {
        const { event, finding } = readOrRepair(decoded.event, repair)
        if (finding !== undefined) return wrong(finding.message)
        if (event === undefined) continue
        unknown = 0
        const order = orderOf(event)
        return order === undefined ? { event, position: decoded.position } : wrong(order)
      }
    }
    return undefined
  }
  let isOver = false
  return {
    shown,
    header,
    next: async () => {
      if (isOver) return undefined
      // Only the end of a record shows that it is complete, so any error means that the record was cut.
      const line = await read().catch((error: unknown) =>
        error instanceof SyntaxError ? wrong(error.message) : undefined,
      )
      isOver = line === undefined
      return line
    },
    end: () => end,
    damage: () => damage,
    close: async () => void (await lines.return()),
  }
}

type Lines = AsyncGenerator<string, void, void>

async function findHeader(lines: Lines, shown: string): Promise<RecordHeader> {
  let header: JsonObject
  try {
    const first = await lines.next()
    header = parseLine(first.done === true ? "" : first.value)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isSystem = code !== undefined && /^E[A-Z]+$/.test(code)
    throw invalid(isSystem ? messages["record-invalid"].unreadable(shown, code) : notRecord(shown), error)
  }
  const { callsheetRecord: format, callsheet } = header
  if (typeof format !== "string" || !/^[0-9]{1,9}\.[0-9]{1,9}$/.test(format)) throw invalid(notRecord(shown))
  if (!format.startsWith("1."))
    throw invalid(
      messages["record-invalid"].newer(shown, format, typeof callsheet === "string" ? callsheet : ""),
    )
  try {
    return readHeader(header)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const problem = damageAt(shown, 1, error.message)
    throw new CallsheetError(problem, { problems: [problem] })
  }
}

const damageAt = (file: string, line: number, what: string): Problem => ({
  ...toProblem(messages["record-invalid"].event(what)),
  file,
  line,
})

const notRecord = (shown: string) => messages["record-invalid"].notRecord(shown)

export const invalid = (
  finding: ConstructorParameters<typeof CallsheetError>[0],
  cause?: unknown,
): CallsheetError => new CallsheetError(finding, { cause })

/** Records of at most this size are read at once, which saves loading Node's file streams. */
const MAX_SMALL_BYTES = 256 * 1024
const MAX_SMALL_TEXT = 16 * 1024 * 1024

/** Yields the whole lines of a gzip file. Ends without an error where the file is cut. */
async function* readLines(path: string): Lines {
  const file = openRegular(path)
  // Only reading in pieces returns what precedes an error.
  const lines = attempt(() => readSmall(file))
  if (lines === undefined) yield* readPieces(file)
  else {
    closeSync(file)
    yield* lines
  }
}

/** Opens a regular file. A pipe may never end, so it is refused without waiting for it. */
function openRegular(path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stats = fstatSync(file)
  if (stats.isFile()) return file
  closeSync(file)
  throw Object.assign(new Error(), { code: stats.isDirectory() ? "EISDIR" : "ENXIO" })
}

/** Returns the lines of a small record. Undefined if it is large. Throws if it is cut or damaged. */
function readSmall(file: number): readonly string[] | undefined {
  const { size } = fstatSync(file)
  if (size > MAX_SMALL_BYTES) return undefined
  const bytes = Buffer.alloc(size)
  const length = readSync(file, bytes, 0, size, 0)
  const text = gunzipSync(bytes.subarray(0, length), { maxOutputLength: MAX_SMALL_TEXT }).toString()
  return text.split("\n").slice(0, -1)
}

/** callsheet's records are at most about 50 times as long as their file. */
const MAX_RATIO = 300
/** The length of the text up to which its ratio doesn't matter. */
const MIN_LARGE_TEXT = 160 * 1024 * 1024

async function* readPieces(descriptor: number): Lines {
  const file = createReadStream("", { fd: descriptor, start: 0, highWaterMark: 256 * 1024 })
  const text = createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH, chunkSize: 64 * 1024 })
  file.on("error", (error) => text.destroy(error))
  const decoder = new TextDecoder()
  let rest = ""
  let length = 0
  try {
    for await (const chunk of file.pipe(text)) {
      const lines = decoder.decode(chunk as Buffer, { stream: true }).split("\n")
      rest += lines.shift() ?? ""
      for (const line of lines) {
        yield rest
        rest = line
      }
      if (rest.length > MAX_LINE) throw new RangeError("a line of the record is too long")
      length += (chunk as Buffer).length
      if (length > MIN_LARGE_TEXT && length > MAX_RATIO * file.bytesRead)
        throw new SyntaxError(`the text is more than ${MAX_RATIO} times as long as the file`)
    }
  } finally {
    file.destroy()
    text.destroy()
  }
}
