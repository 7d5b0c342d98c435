// Keeps events as the lines of a record, until the session is over.

import { createHash } from "node:crypto"
import type { EventStore } from "@callsheet/engine"
import { ownOf, setOwn, stringifyJson, type EventOf, type RunEvent } from "@callsheet/format"
import { createDecoder, MAX_SHARED, RecentBodies } from "./lines.ts"
import { TextSpool } from "./text-spool.ts"

/** The length of the longest body that is written in its event. */
const MAX_BODY = 4096

/** Finds the position of a run in the whole session, for a shard. */
export type PositionOf = (event: EventOf<"run.started">) => number | undefined

export class EventSpool implements EventStore {
  readonly #text = new TextSpool()
  readonly #known = new RecentBodies()
  readonly #positionOf: PositionOf

  constructor(positionOf: PositionOf = () => undefined) {
    this.#positionOf = positionOf
  }

  push(event: RunEvent): void {
    const position = event.type === "run.started" ? this.#positionOf(event) : undefined
    const line = stringifyJson(position === undefined ? event : { ...event, position })
    this.#text.add(line.length <= MAX_BODY ? `${line}\n` : this.#separated(event, line))
  }

  *[Symbol.iterator](): Generator<RunEvent, void> {
    const decode = createDecoder()
    for (const text of this.#text)
      for (const line of text.slice(0, -1).split("\n")) {
        const read = decode(line)
        // callsheet wrote this event, so it needs no check.
        if (read !== undefined && "event" in read) yield read.event as unknown as RunEvent
      }
  }

  /** Yields the lines from a gzip member on. Each member is valid until the next one is requested. */
  members(from: number): Generator<Buffer, void> {
    return this.#text.members(from)
  }

  /** Returns the lines of an event whose line is long: those of its new bodies first. */
  #separated(event: RunEvent, line: string): string {
    if (event.type === "request.sent") {
      const { references, lines, rest } = separateBodies(event.request, "/request", this.#known)
      return `${lines}${stringifyJson({ ...event, request: rest, ...withBlobs(references) })}\n`
    }
    if (event.type === "response.received") {
      const response = separateBodies(event.response, "/response", this.#known)
      const own = separateBodies(event, "", this.#known)
      const blobs = { ...response.references, ...own.references }
      const line = { ...own.rest, response: response.rest, ...withBlobs(blobs) }
      return `${response.lines}${own.lines}${stringifyJson(line)}\n`
    }
    return `${line}\n`
  }
}

const withBlobs = (references: Readonly<Record<string, string>>): object =>
  Object.keys(references).length === 0 ? {} : { blobs: references }

/**
 * Replaces large bodies by null. Returns references to them, and the lines of bodies that aren't `known`. `pointer` is
 * that of the part in its event.
 */
function separateBodies(part: object, pointer: string, known: RecentBodies) {
  const references: Record<string, string> = {}
  let lines = ""
  const rest: Record<string, unknown> = { ...part }
  for (const member of ["body", "bodyText"]) {
    const value = ownOf(rest, member)
    const json = value === undefined ? "" : stringifyJson(value)
    if (json.length <= MAX_BODY) continue
    const hash = createHash("sha256").update(json).digest("hex")
    const line = `{"blob":"${hash}","value":${json}}\n`
    if (line.length > MAX_SHARED) continue
    if (!known.has(hash)) {
      known.add(hash, line.length, null)
      lines += line
    }
    setOwn(references, `${pointer}/${member}`, hash)
    setOwn(rest, member, null)
  }
  return { lines, rest, references }
}
