// Reads a record, line by line. Everything up to the place where a record was cut or damaged is readable.

import { createReadStream, readFileSync, statSync } from "node:fs"
import { constants, createGunzip, gunzipSync } from "node:zlib"
import { attempt, CallsheetError, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { messages } from "../messages.ts"
import { createDecoder, parseLine, type RecordEnd, type RecordHeader, type RecordLine } from "./lines.ts"

/** The maximum length of a line. Limits the memory that a hostile record can take. */
const MAX_LINE = 128 * 1024 * 1024

export interface ReadRecord {
  /** The path as the user wrote it. */
  readonly shown: string
  readonly header: RecordHeader
  /** Returns the next event, or undefined at the end. */
  readonly next: () => Promise<Extract<RecordLine, { event: unknown }> | undefined>
  /** Returns the end of the session, once all events are read. Undefined if the record was cut or damaged. */
  readonly end: () => RecordEnd | undefined
  readonly close: () => Promise<void>
}

/** Opens a record and reads its header. Throws `record-invalid`. */
export async function openRecord(path: string, shown: string): Promise<ReadRecord> {
  const lines = readLines(path)
  const header = await readHeader(lines, shown)
  const decode = createDecoder()
  let end: RecordEnd | undefined
  const read = async (): Promise<Extract<RecordLine, { event: unknown }> | undefined> => {
    while (end === undefined) {
      const line = await lines.next()
      if (line.done === true) return undefined
      const decoded = decode(line.value)
      if (decoded !== undefined && "event" in decoded) return decoded
      if (decoded !== undefined) ({ end } = decoded)
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
      const line = await read().catch(() => undefined)
      isOver = line === undefined
      return line
    },
    end: () => end,
    close: async () => void (await lines.return()),
  }
}

type Lines = AsyncGenerator<string, void, void>

async function readHeader(lines: Lines, shown: string): Promise<RecordHeader> {
  let header: JsonObject
  try {
    const first = await lines.next()
    header = parseLine(first.done === true ? "" : first.value)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isSystem = code !== undefined && /^E[A-Z]+$/.test(code)
    throw invalid(isSystem ? messages["record-invalid"].unreadable(shown, code) : notRecord(shown), error)
  }
  const { callsheetRecord: format, id, callsheet, project, startedAt, shard } = header
  if (typeof format !== "string" || !/^[0-9]{1,9}\.[0-9]{1,9}$/.test(format)) throw invalid(notRecord(shown))
  if (!format.startsWith("1."))
    throw invalid(
      messages["record-invalid"].newer(shown, format, typeof callsheet === "string" ? callsheet : ""),
    )
  const isWhole = [id, callsheet, project, startedAt].every((value) => typeof value === "string")
  if (!isWhole || !isShard(shard) || !isJsonObject(header["command"])) throw invalid(notRecord(shown))
  return header as JsonObject & RecordHeader
}

const notRecord = (shown: string) => messages["record-invalid"].notRecord(shown)

export const invalid = (
  finding: ConstructorParameters<typeof CallsheetError>[0],
  cause?: unknown,
): CallsheetError => new CallsheetError(finding, { cause })

function isShard(shard: JsonValue | undefined): boolean {
  if (shard === undefined) return true
  if (!isJsonObject(shard)) return false
  const { index, count } = shard
  return (
    typeof index === "number" &&
    typeof count === "number" &&
    Number.isSafeInteger(index) &&
    Number.isSafeInteger(count) &&
    index >= 1 &&
    index <= count &&
    count <= 100_000
  )
}

/** Records of at most this size are read at once, which saves loading Node's file streams. */
const MAX_SMALL_BYTES = 256 * 1024
const MAX_SMALL_TEXT = 16 * 1024 * 1024

/** Yields the whole lines of a gzip file. Ends without an error where the file is cut. */
async function* readLines(path: string): Lines {
  // Only reading in pieces returns what precedes an error.
  const lines = attempt(() => readSmall(path)) ?? readPieces(path)
  yield* lines
}

/** Returns the lines of a small record. Undefined if it is large. Throws if it is cut or damaged. */
function readSmall(path: string): readonly string[] | undefined {
  const known = statSync(path)
  if (!known.isFile() || known.size > MAX_SMALL_BYTES) return undefined
  const text = gunzipSync(readFileSync(path), { maxOutputLength: MAX_SMALL_TEXT }).toString()
  return text.split("\n").slice(0, -1)
}

async function* readPieces(path: string): Lines {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  const text = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 })
  file.on("error", (error) => text.destroy(error))
  const decoder = new TextDecoder()
  let rest = ""
  try {
    for await (const chunk of file.pipe(text)) {
      const lines = decoder.decode(chunk as Buffer, { stream: true }).split("\n")
      rest += lines.shift() ?? ""
      for (const line of lines) {
        yield rest
        rest = line
      }
      if (rest.length > MAX_LINE) throw new RangeError("a line of the record is too long")
    }
  } finally {
    file.destroy()
    text.destroy()
  }
}
