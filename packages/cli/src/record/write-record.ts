// Writes the log of a session to a record while the session runs. The file at its path never contains a secret that the
// session has learned, even if the process is killed. docs/how-it-works/decisions/0013-one-outlet.md explains how.

import * as fs from "node:fs"
import { dirname } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { makeFolder, monotonicMs, moveFile, SessionLog, setMode, type RunSecret } from "@callsheet/engine"
import {
  CallsheetError,
  getOrCreate,
  worstStatus,
  type EventOf,
  type RunEvent,
  type SessionStatus,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { attempt, discardAtExit, noOutput, temporaryPath, type ReportFile } from "../reporters/report-file.ts"
import type { LiveReporter } from "../reporters/reporter.ts"
import type { DocumentDigests } from "./document-digests.ts"
import { EventSpool } from "./event-spool.ts"
import type { RecordEnd, RecordHeader } from "./lines.ts"

export interface OpenRecord {
  /** The log that the record is a copy of. Append each event before `reporter` receives it. */
  readonly log: SessionLog
  readonly reporter: LiveReporter
  readonly file: ReportFile
  /** Called when the session learns secrets, before any other event. */
  readonly onSecrets: (secrets: readonly RunSecret[]) => void
}

/** Milliseconds between two writes. Many short runs are written together. */
const PAUSE_MS = 100
/** The maximum share of the elapsed time for masking earlier runs again. */
const MAX_SHARE = 0.05

interface RecordContent {
  readonly header: RecordHeader
  /** Returns the digests of the documents, once all of their files were read. */
  readonly documents: () => DocumentDigests
  /** Finds the position of a run in the whole session. Set for a shard. Called once for each run, in order. */
  readonly positionOf: ((event: EventOf<"run.started">) => number) | undefined
}

/** Opens the record before anything is sent, to find failures early. Throws `report-failed`. */
export function openRecord(
  path: string,
  shown: string,
  { header, documents, positionOf }: RecordContent,
): OpenRecord {
  const positions = new Map<number, number>()
  const createSpool = () =>
    new EventSpool(positionOf && ((event) => getOrCreate(positions, event.run, () => positionOf(event))))
  const record = attempt(shown, () => new RecordFile(path, shown, { header, createSpool }), "record")
  const discard = (): void => {
    keep()
    record.abandon()
  }
  const keep = discardAtExit(discard)
  let end: RecordEnd | undefined
  return {
    log: record.log,
    reporter: {
      onEvent: (event) => attempt(shown, () => record.hear(event), "record"),
      finish: (ended) => {
        end = { status: record.status, ...ended, documents: documents() }
      },
    },
    file: {
      output: noOutput,
      place: record.place,
      text: () => record.text(),
      commit: () => {
        attempt(shown, () => record.finish(end), "record")
        keep()
      },
      discard,
    },
    onSecrets: () => record.withdraw(),
  }
}

interface Member {
  readonly at: number
  readonly length: number
}

interface Contents {
  readonly header: RecordHeader
  readonly createSpool: () => EventSpool
}

class RecordFile {
  readonly place: string
  readonly log: SessionLog
  status: SessionStatus = "passed"
  readonly #header: Buffer
  readonly #createSpool: () => EventSpool
  /** The events of the log. The file is a copy of its members. */
  #spool: EventSpool
  /** The permissions of the finished file. Until then, only the owner can read it. */
  readonly #mode: number
  readonly #openedAt = monotonicMs()
  #file: number | undefined
  #temporary: string | undefined
  /** The members of the file: the header, and those of the spool. */
  #members: Member[] = []
  #isStarted = false
  /** True if events in the spool may contain a secret that the session has learned since. */
  #isStale = false
  #writtenAt = 0
  #spentMs = 0
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  constructor(path: string, shown: string, { header, createSpool }: Contents) {
    const known = fs.statSync(path, { throwIfNoEntry: false })
    if (known === undefined) makeFolder(dirname(path))
    else if (!known.isFile()) throw new CallsheetError(messages["report-failed"].notFile(shown))
    this.place = known === undefined ? path : fs.realpathSync(path)
    this.#header = gzipSync(`${JSON.stringify(header)}\n`)
    this.#createSpool = createSpool
    this.#spool = createSpool()
    this.log = new SessionLog(this.#spool)
    try {
      this.#create((known?.mode ?? 0o644) & 0o755)
      this.#mode = fs.fstatSync(this.#opened).mode & 0o777
      setMode(this.#opened, 0o600)
    } catch (error) {
      this.abandon()
      throw error
    }
  }

  get #opened(): number {
    if (this.#file === undefined) throw new Error("the record is closed")
    return this.#file
  }

  /** Writes the log, soon after each run. */
  hear(event: RunEvent): void {
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#isStarted) this.#show()
    this.#isStarted = true
    if (event.type !== "run.finished") return
    this.status = worstStatus(this.status, event)
    const rest = this.#writtenAt + PAUSE_MS - monotonicMs()
    if (rest <= 0) return this.#write()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#file !== undefined) this.#keepFailure(() => this.#write())
    }, rest).unref()
  }

  /** Hides what the file contains, because it may be a secret that the session just learned. */
  withdraw(): void {
    if (!this.#isStarted) return
    this.#isStale = true
    if (this.#members.length === 1) return
    this.#keepFailure(() => {
      this.#create()
      this.#show()
    })
  }

  finish(end: RecordEnd | undefined): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#write(true)
    this.#append(gzipSync(`${JSON.stringify({ end })}\n`))
    fs.fsyncSync(this.#opened)
    setMode(this.#opened, this.#mode)
    this.#show()
    this.#close()
  }

  /** Keeps what a session that didn't end has run. */
  abandon(): void {
    if (this.#file === undefined) return
    if (this.#isStarted && this.#failure === undefined) this.#keepFailure(() => this.#write(true))
    this.#close()
    if (this.#temporary !== undefined) fs.rmSync(this.#temporary, { force: true })
  }

  /** Yields the text of the finished file. */
  *text(): Generator<string, void> {
    const file = fs.openSync(this.place, "r")
    try {
      for (const member of this.#members) yield readMember(file, member)
    } finally {
      fs.closeSync(file)
    }
  }

  /** Appends what the log has received. If that costs too much before the end, a stale log has to wait. */
  #write(isLast = false): void {
    const started = monotonicMs()
    if (this.#isStale) {
      if (!isLast && this.#spentMs > (started - this.#openedAt) * MAX_SHARE) return
      this.#spool = this.#createSpool()
      this.log.moveTo(this.#spool)
      this.#isStale = false
      this.#create()
    }
    for (const bytes of this.#spool.members(this.#members.length - 1)) this.#append(bytes)
    fs.fsyncSync(this.#opened)
    this.#show()
    this.#writtenAt = monotonicMs()
    this.#spentMs += this.#writtenAt - started
  }

  /** Performs an action when nobody can receive its error. The next event reports it. */
  #keepFailure(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#failure = error
      // A file that may contain a secret must not stay.
      if (this.#isStale) fs.rmSync(this.place, { force: true })
    }
  }

  /** Starts an empty file next to the path. */
  #create(mode = 0o600): void {
    if (this.#temporary !== undefined) fs.rmSync(this.#temporary, { force: true })
    const temporary = temporaryPath(this.place)
    const file = fs.openSync(temporary, "wx+", mode)
    if (this.#file !== undefined) fs.closeSync(this.#file)
    this.#file = file
    this.#temporary = temporary
    this.#members = []
    this.#append(this.#header)
  }

  /** Moves the open file to the path. */
  #show(): void {
    if (this.#temporary === undefined) return
    moveFile(this.#temporary, this.place)
    this.#temporary = undefined
  }

  #append(bytes: Buffer): void {
    const { length } = bytes
    const last = this.#members.at(-1) ?? { at: 0, length: 0 }
    const start = last.at + last.length
    for (let at = 0; at < length;) at += fs.writeSync(this.#opened, bytes, at, length - at, start + at)
    this.#members.push({ at: start, length })
  }

  #close(): void {
    clearTimeout(this.#timer)
    if (this.#file !== undefined) fs.closeSync(this.#file)
    this.#file = undefined
  }
}

function readMember(file: number, { at, length }: Member): string {
  const bytes = Buffer.allocUnsafe(length)
  for (let read = 0; read < length;) {
    const size = fs.readSync(file, bytes, read, length - read, at + read)
    if (size === 0) throw new Error("the record was cut")
    read += size
  }
  return gunzipSync(bytes).toString()
}
