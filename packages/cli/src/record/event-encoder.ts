// Writes the events of a record as lines. Small events wait until many can be written at once, because each call of
// `JSON.stringify` takes about 1 µs, and more in between other work. Templates per type of event would take half as long,
// but V8 spends that time again on optimizing them.

import { createHash, randomUUID } from "node:crypto"
import { stringifyJson, type JsonValue, type RunEvent, setOwn, ownOf } from "@callsheet/format"
import { MAX_SHARED, RecentBodies } from "./lines.ts"

/** The length of the longest body that is written in its event. */
const MAX_BODY = 4096
const MAX_WAITING = 256
/** The maximum size of a body, and of text, in an event that waits. */
const MAX_SMALL_BYTES = 8 * 1024
const MAX_SMALL_CHARACTERS = 256

/** An item between two events. No event contains it, because it is random. */
const between = randomUUID()
const betweenText = `,"${between}",`

export class EventEncoder {
  readonly #known = new RecentBodies()
  #waiting: (RunEvent | string)[] = []

  /**
   * Returns the lines of an event, and those of earlier ones. Returns no text if the event has to wait. `position` is that
   * of a run that starts in a shard.
   */
  add(event: RunEvent, position?: number): string {
    if (isSmall(event)) {
      this.#waiting.push(event, between)
      return this.#waiting.length < 2 * MAX_WAITING ? "" : this.take()
    }
    return this.take() + this.#encode(event, position)
  }

  /** Returns the lines of all events that wait. */
  take(): string {
    if (this.#waiting.length === 0) return ""
    const events = this.#waiting.slice(0, -1)
    this.#waiting = []
    const lines = stringifyJson(events).slice(1, -1).split(betweenText)
    return lines
      .map((line, at) => (line.length <= MAX_BODY ? `${line}\n` : this.#encode(events[2 * at] as RunEvent)))
      .join("")
  }

  #encode(event: RunEvent, position?: number): string {
    const text = stringifyJson(position === undefined ? event : { ...event, position })
    if (text.length <= MAX_BODY) return `${text}\n`
    if (event.type === "request.sent") {
      const { bodies, lines, rest } = separateBodies(event.request, "request", this.#known)
      return `${lines}${stringifyJson({ ...event, request: rest, ...bodies })}\n`
    }
    if (event.type === "response.received") {
      const { bodies, lines, rest } = separateBodies(event.response, "response", this.#known)
      return `${lines}${stringifyJson({ ...event, response: rest, ...bodies })}\n`
    }
    return `${text}\n`
  }
}

/** Returns whether the text of an event is short. Most events are. */
function isSmall(event: RunEvent): boolean {
  switch (event.type) {
    case "block.started":
    case "iteration.finished":
      return true
    case "iteration.started":
      return isSmallValue(event.value)
    case "request.sent": {
      const { headers, body, bodyText } = event.request
      return (
        (body === undefined && bodyText === undefined) ||
        Number(headers?.["content-length"]) <= MAX_SMALL_BYTES
      )
    }
    case "response.received":
      return event.response.sizeBytes <= MAX_SMALL_BYTES
    case "assertions.checked":
      return event.assertions.every(({ expected, actual }) => isSmallValue(expected) && isSmallValue(actual))
    case "block.finished":
      return event.error === undefined && event.exchanges === undefined
    default:
      return false
  }
}

const isSmallValue = (value: JsonValue | undefined): boolean =>
  typeof value === "string"
    ? value.length <= MAX_SMALL_CHARACTERS
    : typeof value !== "object" || value === null

/** Replaces large bodies by null. Returns references to them, and the lines of bodies that aren't `known`. */
function separateBodies(part: object, name: string, known: RecentBodies) {
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
    setOwn(references, `/${name}/${member}`, hash)
    setOwn(rest, member, null)
  }
  return {
    lines,
    rest,
    bodies: lines === "" && Object.keys(references).length === 0 ? {} : { blobs: references },
  }
}
