// Writes a record while the session runs. The file at its path never contains a secret that the session has learned, even
// if the process is killed. docs/how-it-works/decisions/0013-one-outlet.md explains how.

import * as fs from "node:fs"
import { dirname } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { makeFolder, monotonicMs, type Latest, type RunSecret } from "@callsheet/engine"
import {
  CallsheetError,
  worstStatus,
  type EventOf,
  type RunEvent,
  type SessionStatus,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { attempt, discardAtExit, noOutput, temporaryPath, type ReportFile } from "../reporters/report-file.ts"
import { KeptText } from "../reporters/kept-text.ts"
import type { Reporter, SessionEnd } from "../reporters/reporter.ts"
import type { DocumentDigests } from "./document-digests.ts"
import { EventEncoder } from "./event-encoder.ts"
import { createDecoder, type RecordEnd, type RecordHeader } from "./lines.ts"

export interface OpenRecord {
  readonly reporter: Reporter
  readonly file: ReportFile
  /** Called when the session learns secrets, before any other event. */
  readonly onSecrets: (secrets: readonly RunSecret[]) => void
}

/** The maximum size of a gzip member. Small members would be larger in sum, and take longer. */
const MAX_MEMBER_BYTES = 256 * 1024
/** Milliseconds between two writes. Many short runs are written together. */
const PAUSE_MS = 100
/** The maximum share of the elapsed time for masking earlier runs again. */
const MAX_SHARE = 0.05

interface Recorded {
  readonly header: RecordHeader
  /** Returns the digests of the documents, once all of their files were read. */
  readonly documents: () => DocumentDigests
  /** Finds the position of a run in the whole session. Set for a shard. */
  readonly positionOf: ((event: EventOf<"run.started">) => number) | undefined
}

/** Opens the record before anything is sent, to find failures early. Throws `report-failed`. */
export function openRecord(
  path: string,
  shown: string,
  { header, documents, positionOf }: Recorded,
): OpenRecord {
  const record = attempt(shown, () => new RecordFile(path, shown, header), "record")
  const discard = (): void => {
    keep()
    record.abandon()
  }
  const keep = discardAtExit(discard)
  let end: RecordEnd | undefined
  return {
    reporter: {
      onEvent: (event, latest) => {
        const position = event.type === "run.started" ? positionOf?.(event) : undefined
        attempt(shown, () => record.add(event, latest, position), "record")
      },
      finish: (verdict, ended = noEnd) => {
        end = { status: record.status, verdict, ...ended, documents: documents() }
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

const noEnd: SessionEnd = { exitCode: 2, durationMs: 0 }

interface Member {
  readonly at: number
  readonly length: number
}

class RecordFile {
  readonly place: string
  status: SessionStatus = "passed"
  readonly #header: Buffer
  /** The permissions of the finished file. Until then, only the owner can read it. */
  readonly #mode: number
  readonly #openedAt = monotonicMs()
  #latest: Latest | undefined
  /** The open file with all members. Others see it only while it is at its path. */
  #file: number | undefined
  #temporary: string | undefined
  #isVisible = false
  #members: Member[] = []
  #size = 0
  /** The number of secrets that the session had learned when the oldest member was written. */
  #learned = Infinity
  #isStarted = false
  /** The text of the current run. It is written only if the process ends before the run does. */
  #run = new KeptText(MAX_MEMBER_BYTES)
  /** The text of earlier runs that isn't in the file yet. */
  #ended = new KeptText(MAX_MEMBER_BYTES)
  #encoder = new EventEncoder()
  #writtenAt = 0
  #spentMs = 0
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  constructor(path: string, shown: string, header: RecordHeader) {
    const known = fs.statSync(path, { throwIfNoEntry: false })
    if (known === undefined) makeFolder(dirname(path))
    else if (!known.isFile()) throw new CallsheetError(messages["report-failed"].notFile(shown))
    this.place = known === undefined ? path : fs.realpathSync(path)
    this.#header = gzipSync(`${JSON.stringify(header)}\n`)
    this.#create((known?.mode ?? 0o644) & 0o755)
    this.#mode = fs.fstatSync(this.#opened).mode & 0o777
    fs.fchmodSync(this.#opened, 0o600)
    try {
      this.#append(this.#header)
    } catch (error) {
      this.abandon()
      throw error
    }
  }

  get #opened(): number {
    if (this.#file === undefined) throw new Error("the record is closed")
    return this.#file
  }

  add(event: RunEvent, latest: Latest | undefined, position: number | undefined): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#latest = latest
    if (!this.#isStarted) this.#show()
    this.#isStarted = true
    this.#run.add(this.#encoder.add(event, position), this.#learnedNow)
    if (event.type !== "run.finished") return
    this.status = worstStatus(this.status, event)
    this.#ended.take(this.#run)
    this.#run = new KeptText(MAX_MEMBER_BYTES)
    this.#writeSoon()
  }

  /** Hides the file's runs, because they may contain a secret that the session just learned. */
  withdraw(): void {
    if (this.#members.length === 1) return
    this.#keepFailure(() => this.#hide())
  }

  finish(end: RecordEnd | undefined): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#run.add(this.#encoder.take(), this.#learnedNow)
    this.#ended.take(this.#run)
    this.#write(true)
    this.#show()
    this.#append(gzipSync(`${JSON.stringify({ end })}\n`))
    fs.fsyncSync(this.#opened)
    fs.fchmodSync(this.#opened, this.#mode)
    this.#close()
  }

  /** Keeps the finished runs of a session that didn't end. */
  abandon(): void {
    if (this.#file === undefined) return
    this.#run.add(this.#encoder.take(), this.#learnedNow)
    this.#ended.take(this.#run)
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

  get #learnedNow(): number {
    return this.#latest?.learned() ?? 0
  }

  #writeSoon(): void {
    const rest = this.#writtenAt + PAUSE_MS - monotonicMs()
    if (rest <= 0) return this.#write()
    const late = (): void => {
      this.#timer = undefined
      if (this.#file !== undefined) this.#keepFailure(() => this.#write())
    }
    this.#timer ??= setTimeout(late, rest).unref()
  }

  /** Appends the ended runs. Masks all runs again if a secret was learned since, unless that costs too much before the end. */
  #write(isLast = false): void {
    const text = this.#ended
    this.#ended = new KeptText(MAX_MEMBER_BYTES)
    for (const { bytes, learned } of text.members()) {
      if (learned < this.#learnedNow) this.#hide()
      this.#learned = Math.min(this.#learned, learned)
      this.#append(bytes)
    }
    const started = monotonicMs()
    if (this.#learned >= this.#learnedNow) fs.fsyncSync(this.#opened)
    else if (this.#run.isEmpty && (isLast || this.#spentMs <= (started - this.#openedAt) * MAX_SHARE))
      this.#rewrite()
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
      if (this.#isVisible && this.#learned < this.#learnedNow) fs.rmSync(this.place, { force: true })
    }
  }

  /** Leaves only the header at the path. The runs stay in a file that has no path. */
  #hide(): void {
    if (!this.#isVisible) return
    const [all, members, size] = [this.#file, this.#members, this.#size]
    this.#create()
    this.#append(this.#header)
    this.#show()
    fs.closeSync(this.#opened)
    this.#isVisible = false
    this.#file = all
    this.#members = members
    this.#size = size
  }

  /** Replaces the file by one that is masked with every secret known now. */
  #rewrite(): void {
    const [all, members] = [this.#opened, this.#members.slice(1)]
    this.#create()
    this.#append(this.#header)
    this.#encoder = new EventEncoder()
    this.#learned = this.#learnedNow
    const decode = createDecoder()
    for (const member of members) {
      const text = new KeptText(MAX_MEMBER_BYTES)
      for (const line of readMember(all, member).slice(0, -1).split("\n")) {
        const read = decode(line)
        if (read === undefined || !("event" in read)) continue
        // callsheet wrote this event, so it needs no check.
        const event = read.event as unknown as RunEvent
        text.add(this.#encoder.add(this.#latest?.event(event) ?? event, read.position), this.#learned)
      }
      text.add(this.#encoder.take(), this.#learned)
      for (const { bytes } of text.members()) this.#append(bytes)
    }
    fs.closeSync(all)
    fs.fsyncSync(this.#opened)
    this.#show()
  }

  /** Opens a new empty file next to the path. */
  #create(mode = 0o600): void {
    this.#temporary = temporaryPath(this.place)
    this.#file = fs.openSync(this.#temporary, "wx+", mode)
    this.#members = []
    this.#size = 0
  }

  /** Moves the open file to the path. */
  #show(): void {
    if (this.#temporary === undefined) return
    fs.renameSync(this.#temporary, this.place)
    this.#temporary = undefined
    this.#isVisible = true
  }

  #append(bytes: Buffer): void {
    const { length } = bytes
    for (let at = 0; at < length;) at += fs.writeSync(this.#opened, bytes, at, length - at, this.#size + at)
    this.#members.push({ at: this.#size, length })
    this.#size += length
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
