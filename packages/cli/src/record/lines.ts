// Reads the lines of a record: a header, the masked events in the order of the runs, large bodies once, and the end.
// docs/reference/record.md describes them for other programs.

import {
  isJsonObject,
  ownOf,
  parseJson,
  pointerKeys,
  readShape,
  setOwn,
  shapes,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"

export const RECORD_VERSION = "1.3"

const { any, array, enumOf, isoTime, MAX_TIME_MS, number, openObject, optional, required, string } = shapes

const text = string()
const texts = array(() => text)
const shardNumber = number({ integer: true, minimum: 1, maximum: 100_000 })

const headerShape = openObject({
  callsheetRecord: required(text, "The version of the format: `<major>.<minor>`."),
  id: required(text, "Distinguishes two records."),
  callsheet: required(text, "The version of callsheet."),
  project: required(text, "The digest of the project's files. Records of different files can't be merged."),
  command: required(
    openObject({
      suite: optional(text, "The suite, if the session ran one."),
      workflows: required(texts, "The selected workflows."),
      inputs: optional(texts, "The names of inputs that options set. Absent in records of version 1.0."),
      onFailure: optional(enumOf("halt", "continue"), "The option of this name."),
      until: optional(text, "The id of the last block that ran, if an option set it."),
    }),
    "The selection that was run. Contains no values of inputs or variables.",
  ),
  seed: optional(number({ integer: true, minimum: 0 }), "The seed that an option set."),
  startedAt: required(isoTime, "When the session started."),
  shard: optional(
    openObject({
      index: required(shardNumber, "Counts from 1."),
      count: required(shardNumber, "All shards."),
      plan: optional(text, "The digest of what each shard runs. Absent in records before version 1.3."),
    }),
    "The part of the session that this record contains.",
  ),
})

export type RecordHeader = shapes.TypeOf<typeof headerShape>

const endShape = openObject({
  status: required(enumOf("passed", "failed", "error"), "The status of the session."),
  verdict: optional(
    enumOf("failed"),
    "Set if an option such as `--strict` failed a session whose runs passed.",
  ),
  exitCode: required(number({ integer: true, minimum: 0, maximum: 255 }), "The exit code of the run."),
  durationMs: required(number({ minimum: 0, maximum: MAX_TIME_MS }), "The duration of the session."),
  documents: optional(
    any,
    "The digests of the documents that the session read. Absent in records before version 1.2. Recorded verdicts hold as long as they are the same.",
  ),
})

export type RecordEnd = shapes.TypeOf<typeof endShape>

export type RecordLine =
  /**
   * An event with its bodies, not checked. `position` is the place of the run in the whole session. Set on `run.started`
   * in a shard.
   */
  | { readonly event: JsonObject; readonly position: number | undefined }
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
    if (typeof value["type"] === "string") return withBodies(value, known)
    const { blob, end } = value
    if (typeof blob === "string" && value["value"] !== undefined && !known.has(blob))
      known.add(blob, line.length + 1, value["value"])
    return end === undefined ? undefined : { end: readAs(endShape, end) }
  }
}

/** Throws a SyntaxError for a value of another shape. */
function readAs<T>(shape: shapes.Shape<T>, value: JsonValue): T {
  const { value: read, findings } = readShape(shape, value)
  if (read === undefined) throw new SyntaxError(findings[0]?.message)
  return read
}

/** Reads the header. Throws a SyntaxError. */
export function readHeader(header: JsonObject): RecordHeader {
  const read = readAs(headerShape, header)
  const { index = 1, count = 1 } = read.shard ?? {}
  if (index > count) throw new SyntaxError(`shard ${index} of ${count} can't exist`)
  return read
}

export function parseLine(line: string): JsonObject {
  const parsed = parseJson(line, { allowDuplicateKeys: true })
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new SyntaxError("not a JSON object")
  return parsed.value
}

function withBodies(line: JsonObject, known: RecentBodies): RecordLine {
  // Most events have neither, and a copy takes as long as the rest.
  if (line["blobs"] === undefined && line["position"] === undefined)
    return { event: line, position: undefined }
  const { blobs, position, ...event } = line
  if (blobs !== undefined) {
    if (!isJsonObject(blobs)) throw new SyntaxError("blobs is not an object")
    for (const [pointer, hash] of Object.entries(blobs)) {
      const body = typeof hash === "string" ? known.get(hash) : undefined
      if (body === undefined) throw new SyntaxError("a body is missing")
      setAt(event, pointer, body)
    }
  }
  return { event, position: isNumber(position) ? position : undefined }
}

const isNumber = (value: JsonValue | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TIME_MS

/** Sets the value at a JSON pointer to an existing member. */
function setAt(event: JsonObject, pointer: string, value: JsonValue): void {
  const keys = [...pointerKeys(pointer)]
  const last = keys.pop()
  let at: JsonValue | undefined = event
  for (const key of keys) at = isJsonObject(at) ? ownOf(at, key) : undefined
  if (last === undefined || !isJsonObject(at) || !Object.hasOwn(at, last))
    throw new SyntaxError("a body has no place")
  setOwn(at, last, value)
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
