// The ports of a replay: the recorded responses, clock and seed of each run. Nothing else reaches the outside world.

import {
  createOfflineHttpPort,
  MASK,
  monotonicMs,
  type BlockTimes,
  type ComparedRequest,
  type Comparison,
  type LiveListener,
  type OpenService,
  type Ports,
  type PortsPlace,
} from "@callsheet/engine"
import {
  essence,
  getOrCreate,
  isJsonArray,
  isJsonType,
  once,
  ownOf,
  pointerKeys,
  resolveSegments,
  setOwn,
  streamFormatOf,
  streamItems,
  streamText,
  type BlockError,
  type EventOf,
  type JsonObject,
  type JsonValue,
  type RequestView,
  type RunEvent,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { compareRequests, differsUnmasked } from "./compare-requests.ts"
import {
  BlockPlaces,
  placeKey,
  runKey,
  type BlockPlace,
  type RecordedBlock,
  type RecordedRun,
  type RecordedSession,
} from "./recorded-session.ts"

interface ReplayedItem {
  readonly index: number
  readonly elapsedMs: number
  readonly value: JsonValue
}

type SendOutcome = Awaited<ReturnType<Ports["http"]["send"]>>

interface ReplayWorld extends Omit<Ports, "clock" | "http">, Comparing {}

interface Comparing {
  /** The APIs whose documents didn't change since the recording. */
  readonly unchanged: ReadonlySet<string>
  readonly isStrict: boolean
}

/** Opens the ports of a replay. It has no secrets to authorize requests with. `watch` must receive every event at once. */
export function createReplayPorts(session: RecordedSession, { unchanged, isStrict, ...world }: ReplayWorld) {
  const { header } = session
  const runs = new Map<string, RecordedRun[]>()
  for (const run of session.runs) getOrCreate(runs, runKey(run.started), () => []).push(run)
  const replays = new Map<number, RunReplay>()
  let opened = new RunReplay(undefined)
  const open = (replay: RunReplay, run: RecordedRun | undefined, hasRetry: boolean): Ports => {
    const now = (): number => Date.parse(run?.started.startedAt ?? header.startedAt)
    return {
      ...world,
      clock: { now, elapsed: monotonicMs, sleep: () => new Promise((resolve) => setImmediate(resolve)) },
      http: createOfflineHttpPort({
        userAgent: `callsheet/${header.callsheet}`,
        answer: (block) => replay.answer(block),
        itemsOf: (block) => replay.itemsOf(block),
        now,
      }),
      services: { open: ({ api }) => Promise.resolve(recordedService(run, api)) },
      earlier: { compare: (request) => replay.compare(request, { unchanged, isStrict }) },
      generated: {
        seed: run?.started.recorded?.seed ?? 0,
        hasRetry,
        openTimes: (block) => replay.timesOf(block, now),
      },
    }
  }
  const forRun = (place: PortsPlace): Ports => {
    const run = runs.get(runKey(place))?.shift()
    const next = runs.get(runKey({ ...place, attempt: (place.attempt ?? 1) + 1 })) ?? []
    opened = new RunReplay(run)
    return open(opened, run, next.length > 0)
  }
  const watch: LiveListener = (event) => {
    // A run starts as soon as its ports are open.
    if (event.type === "run.started") replays.set(event.run, opened)
    else if (event.type === "run.finished") replays.delete(event.run)
    else replays.get(event.run)?.hear(event)
  }
  return { ports: { ...open(opened, undefined, false), forRun }, watch }
}

/** Returns the recorded addresses of a service, which no request of a replay reaches. */
function recordedService(run: RecordedRun | undefined, api: string): OpenService {
  const { baseUrl = `http://${MASK}`, service } = ownOf(run?.started.environments ?? {}, api) ?? {}
  return { baseUrl, address: service?.address ?? baseUrl, close: () => Promise.resolve() }
}

/** Pairs the blocks of one run with the recorded ones. */
class RunReplay {
  readonly #run: RecordedRun | undefined
  readonly #places = new BlockPlaces()
  readonly #recorded = new Map<number, RecordedBlock>()
  readonly #sent = new Map<number, RequestView>()
  /** The number of blocks so far at each place. */
  readonly #taken = new Map<string, number>()
  #knowsCookies = true

  constructor(run: RecordedRun | undefined) {
    this.#run = run
  }

  hear(event: RunEvent): void {
    if (event.type === "block.started") {
      const key = placeKey(this.#places.add(event))
      const taken = this.#taken.get(key) ?? 0
      this.#taken.set(key, taken + 1)
      const recorded = this.#run?.blocks.get(key)?.[taken]
      if (recorded !== undefined) this.#recorded.set(event.block, recorded)
    } else if (event.type === "request.sent") this.#sent.set(event.block, event.request)
    else if (event.type === "block.finished") {
      this.#recorded.delete(event.block)
      this.#sent.delete(event.block)
    }
  }

  timesOf(block: number, startOfRun: () => number): BlockTimes {
    const recorded = this.#recorded.get(block)
    const now = (): number => recorded?.sent?.startMs ?? startOfRun()
    return { recorded: recorded?.ended?.times, now }
  }

  answer(block = -1): SendOutcome {
    const recorded = this.#recorded.get(block)
    const answer = recorded && (responseOf(recorded) ?? failureOf(recorded))
    if (answer !== undefined) return answer
    return { ok: false, ...missing(this.#places.get(block) ?? { id: "", iterations: [] }), redirects: [] }
  }

  /** Returns the recorded items of a stream with their times. */
  itemsOf(block = -1): readonly ReplayedItem[] {
    const { items = [] } = this.#recorded.get(block) ?? {}
    return items.map(({ index, elapsedMs, item = null }) => ({ index, elapsedMs, value: item }))
  }

  compare(request: ComparedRequest, { unchanged, isStrict }: Comparing): Comparison | undefined {
    const recorded = this.#recorded.get(request.block)
    const now = this.#sent.get(request.block)
    if (recorded?.sent === undefined || now === undefined) return undefined
    const { isAuthorized, secrets } = request
    const knowsCookies = this.#knowsCookies
    const found = compareRequests(this.#withoutTrace(recorded.sent), now, { knowsCookies, isAuthorized })
    if ((recorded.received?.response.redirects ?? []).length > 0) this.#knowsCookies = false
    if (found.length === 0 && unchanged.has(request.api))
      return { differences: [], verdicts: verdictsOf(recorded, request) }
    const differences = found.filter((one) => differsUnmasked(one, secrets))
    const isFailed = isStrict && differences.length > 0
    return {
      differences,
      failure: isFailed ? messages["replay-different"].request(differences.length) : undefined,
    }
  }

  /** Returns a request without the headers of its trace, because a replay has none. Keeps those that it set itself. */
  #withoutTrace({ request, span }: EventOf<"request.sent">): RequestView {
    if (span === undefined || span.traceId !== undefined || request.headers === undefined) return request
    const { traceparent: _, tracestate, ...headers } = request.headers
    const isOwn = tracestate !== undefined && tracestate !== this.#run?.started.trace?.state
    return { ...request, headers: isOwn ? { ...headers, tracestate } : headers }
  }
}

/** Returns the recorded verdicts, unless they are those of another operation. */
function verdictsOf(
  { received, contract, found, checked }: RecordedBlock,
  { api, operation: now }: ComparedRequest,
): Comparison["verdicts"] {
  const operation = received?.answers
  if (contract === undefined || operation === undefined || now === undefined) return undefined
  const isSame = api === operation.api && now.method === operation.method && now.path === operation.path
  return isSame ? { request: checked ?? { problems: [] }, response: contract, found } : undefined
}

const missing = ({ id, iterations }: BlockPlace) => messages["replay-missing"].request(id, iterations)

function responseOf({
  received,
  ended,
  warnings,
}: RecordedBlock): Extract<SendOutcome, { ok: true }> | undefined {
  // A response that couldn't be read has a status, too.
  if (received === undefined || failureCode(ended?.error) !== undefined) return undefined
  const { status, headers = {}, body, durationMs, sizeBytes, redirects = [] } = received.response
  const isText = typeof body === "string"
  const type = essence([headers["content-type"] ?? ""].flat()[0] ?? "")
  const isJson = isJsonType(type)
  const isWellFormed = !isText || !isJson || sizeBytes === Buffer.byteLength(JSON.stringify(body))
  const value = body === undefined ? {} : { value: withBigIntegers(body, received.bigIntegers ?? []) }
  const base = { status, headers, durationMs, redirects, warnings }
  const stream = streamOf(received, type)
  const parsed = { ...value, isWellFormed, ...stream?.parsed }
  const response = { ...base, body: { length: sizeBytes, parsed }, stream: stream?.ended }
  return { ok: true, response }
}

/** Returns a recorded stream. Records of older versions have its text as the body. */
function streamOf({ response, bodyText }: EventOf<"response.received">, type: string) {
  const format = streamFormatOf(type)
  if (format === undefined) return undefined
  const { body = "", endedBy = "server" } = response
  const isOld = typeof body === "string"
  const items = isOld ? streamItems(format, body, ({ value }) => value) : isJsonArray(body) ? body : []
  const text = once(() => bodyText ?? (isOld ? body : streamText(format, items)))
  return { parsed: { value: items, text }, ended: { endedBy, items: items.length } }
}

const failureCodes = ["request-failed", "request-timeout", "too-many-redirects"] as const

const failureCode = (error: BlockError | undefined) => failureCodes.find((code) => code === error?.code)

/** Returns the failure of a request that got no response. */
function failureOf({ sent, received, ended }: RecordedBlock): SendOutcome | undefined {
  const code = failureCode(ended?.error)
  if (code === undefined || ended?.error === undefined || sent === undefined) return undefined
  const { message, hint } = ended.error
  const failure = { ok: false, code, message, hint, redirects: [] } as const
  if (received === undefined) return failure
  const { status, headers = {}, durationMs, sizeBytes, redirects = [] } = received.response
  return { ...failure, partial: { status, headers, durationMs, redirects, body: { length: sizeBytes } } }
}

/** Restores the integers that an older version has written as text. */
function withBigIntegers(body: JsonValue, pointers: readonly string[]): JsonValue {
  const root: { body: JsonValue } = { body }
  for (const pointer of pointers) {
    const keys = ["body", ...pointerKeys(pointer)]
    const last = keys.pop() ?? ""
    const holder = resolveSegments(root, keys)
    const text = holder.found ? ownOf(holder.value as JsonObject, last) : undefined
    if (holder.found && typeof text === "string" && /^-?\d{1,1000}$/.test(text))
      setOwn(holder.value as Record<string, JsonValue>, last, BigInt(text))
  }
  return root.body
}
