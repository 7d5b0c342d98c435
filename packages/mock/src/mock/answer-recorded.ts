// Answers requests with the responses of a record.

import {
  essence,
  getOrCreate,
  isJsonType,
  isTextType,
  matchesMasked,
  matchesMaskedText,
  stringifyJson,
  type Headers,
  type JsonValue,
  type RequestView,
  type ResponseView,
} from "@callsheet/format"
import { readQuery } from "@callsheet/openapi"
import { refuse, type Answer } from "./answer.ts"
import { canSend } from "./documented-answers.ts"
import { encodeBody } from "./encode-body.ts"
import { readContent, type Incoming } from "./incoming.ts"
import { messages } from "./messages.ts"

/** A request of a record with its response. Both are masked. */
export interface RecordedExchange {
  readonly request: RequestView
  readonly response: ResponseView
}

/** Finds the operation and the problems of a request, which a record answers all the same. */
export type InspectIncoming = (
  incoming: Incoming,
  isSecret: (text: string) => boolean,
) => Promise<Pick<Answer, "operation" | "tolerated">>

interface Recorded {
  readonly path: string
  readonly query: ReadonlyMap<string, readonly string[]>
  readonly body: JsonValue | undefined
  /** The answers to equal requests, in order. The last one repeats. */
  readonly answers: ResponseView[]
  next: number
}

/** Where the recorded requests of an API begin, and those to the mock. */
interface RecordedPlace {
  /** The recorded base URL. Empty if each operation had its own server. */
  readonly baseUrl: string
  readonly basePath: string
}

/** Returns answers from a record. Requests are equal if method, path, query and body are. */
export function answerRecorded(index: RecordIndex, inspect: InspectIncoming | undefined) {
  return async (incoming: Incoming, isSecret: (text: string) => boolean): Promise<Answer> => {
    const seen = (await inspect?.(incoming, isSecret)) ?? {}
    const found = index.find(incoming)
    if (typeof found === "object") return { ...answerOf(found), ...seen }
    const { method, path } = incoming
    const texts = messages["mock-unrecorded"]
    const finding = found === "other" ? texts.operation(method, path) : texts.request(method, path)
    return refuse({ status: 404, finding, operation: seen.operation })
  }
}

/** The recorded requests of an API, and which answer to each is next. */
export class RecordIndex {
  /** By method and number of segments. */
  readonly #recorded = new Map<string, Recorded[]>()

  constructor(exchanges: readonly RecordedExchange[], place: RecordedPlace) {
    for (const { request, response } of exchanges) {
      const target = targetOf(request.url, place)
      const list = getOrCreate(this.#recorded, keyOf(request.method, target.path), () => [])
      const same = list.find((one) => isSameRequest(one, target, request.body))
      if (same === undefined) list.push({ ...target, body: request.body, answers: [response], next: 0 })
      else same.answers.push(response)
    }
  }

  /** Returns the next answer to a request. `other` if only its query or body was not recorded. */
  find(incoming: Incoming): ResponseView | "other" | undefined {
    const all = this.#recorded.get(keyOf(incoming.method, incoming.path)) ?? []
    const ofPath = all.filter(({ path }) => matchesMaskedText(path, incoming.path))
    if (ofPath.length === 0) return undefined
    const query = readQuery(incoming.query)
    const content = readContent(incoming)
    const body = content.is === "none" ? undefined : content.value
    const matching = ofPath.filter((one) => matchesQuery(one.query, query) && matchesBody(one.body, body))
    // An exact one matches better than one with masks.
    const found = matching.find((one) => one.path === incoming.path) ?? matching[0]
    if (found === undefined) return "other"
    const answer = found.answers[Math.min(found.next, found.answers.length - 1)]
    found.next++
    return answer
  }
}

const keyOf = (method: string, path: string): string => `${method} ${path.split("/").length}`

function targetOf(url: string, { baseUrl, basePath }: RecordedPlace) {
  const base = baseUrl.replace(/[?#].*$/s, "").replace(/\/+$/, "")
  const isBelow = base !== "" && url.startsWith(base)
  const below = isBelow ? url.slice(base.length) : url.replace(/^[a-z]+:\/\/[^/?#]*/i, "")
  const whole = below.replace(/[?#].*$/s, "")
  const path = !isBelow && whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : whole
  return { path: path === "" ? "/" : path, query: readQuery(url) }
}

const isSameRequest = (
  one: Recorded,
  other: Pick<Recorded, "path" | "query">,
  body: JsonValue | undefined,
): boolean =>
  one.path === other.path &&
  stringifyJson([...one.query].map(([name, values]) => [name, values])) ===
    stringifyJson([...other.query].map(([name, values]) => [name, values])) &&
  stringifyJson(one.body ?? null) === stringifyJson(body ?? null)

function matchesQuery(recorded: Recorded["query"], query: Recorded["query"]): boolean {
  if (recorded.size !== query.size) return false
  return [...recorded].every(([name, values]) => {
    const own = query.get(name)
    return (
      own !== undefined &&
      own.length === values.length &&
      values.every((value, at) => matchesMaskedText(value, own[at] ?? ""))
    )
  })
}

const matchesBody = (recorded: JsonValue | undefined, body: JsonValue | undefined): boolean =>
  recorded === undefined || body === undefined ? recorded === body : matchesMasked(recorded, body)

/** Headers that describe the recorded connection, or an encoding that the record has undone. */
const dropped = new Set(
  "connection content-encoding content-length date keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
)

function answerOf({ status, headers = {}, body, sizeBytes }: ResponseView): Answer {
  const kept: Headers = Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !dropped.has(name) && [value].flat().every((one) => canSend(name, one)),
    ),
  )
  const type = [headers["content-type"] ?? ""].flat()[0] ?? ""
  return { status, headers: kept, bytes: bytesOf(body, type, sizeBytes), body }
}

function bytesOf(body: JsonValue | undefined, type: string, sizeBytes: number): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (typeof body !== "string") return encodeBody(body, type)
  const name = essence(type)
  if (isTextType(name)) return Buffer.from(body)
  if (!isJsonType(name)) return Buffer.from(body, "base64")
  // A text is a JSON string, or a body that isn't JSON.
  const json = stringifyJson(body)
  return Buffer.from(Buffer.byteLength(json) === sizeBytes || body === "***" ? json : body)
}
