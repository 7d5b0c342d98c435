// Turns the events of traced runs into spans of the OpenTelemetry Protocol (OTLP), in its JSON encoding.

import {
  stringifyJson,
  type EventOf,
  type JsonObject,
  type JsonValue,
  type RunEvent,
  type RunTrace,
} from "@callsheet/format"
import { version } from "../../version.ts"

/** The maximum number of spans per request. Collectors limit the size of a request, often to a few MiB. */
const MAX_SPANS = 1000
const MAX_TEXT = 2000

const KIND = { internal: 1, client: 3 } as const
const STATUS_ERROR = 2

type Attributes = Readonly<Record<string, string | number | undefined>>

interface Span {
  readonly id: string
  readonly parentId?: string | undefined
  readonly name: string
  readonly kind: keyof typeof KIND
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  /** Why the span failed. */
  readonly error?: string | undefined
  readonly link?: { readonly traceId: string; readonly id: string } | undefined
}

interface Request {
  readonly sent: EventOf<"request.sent">
  received?: EventOf<"response.received">
}

interface Block {
  readonly started: EventOf<"block.started">
  readonly parent: Block | undefined
  /** The requests of the block. A later one repeats the first, such as after a 401. */
  readonly requests: Request[]
}

/** Yields the bodies of requests to a collector. Yields nothing if no run was traced. */
export function* traceBodies(events: Iterable<RunEvent>): Generator<string, void> {
  const fold = new SpanFold()
  for (const event of events) {
    fold.apply(event)
    if (fold.spans.length >= MAX_SPANS) yield bodyOf(fold.spans.splice(0))
  }
  if (fold.spans.length > 0) yield bodyOf(fold.spans.splice(0))
}

class SpanFold {
  readonly spans: JsonObject[] = []
  readonly #runs = new Map<number, RunSpans>()
  /** When the first attempt of each workflow started, by the span of the workflow. */
  readonly #starts = new Map<string, number>()

  apply(event: RunEvent): void {
    if (event.type === "run.started") {
      if (event.trace === undefined || !hasIds(event.trace)) return
      const { rootId, startMs } = event.trace
      if (rootId !== undefined && !this.#starts.has(rootId)) this.#starts.set(rootId, startMs)
      this.#runs.set(event.run, new RunSpans(event, event.trace, this.spans))
      return
    }
    const run = this.#runs.get(event.run)
    if (event.type !== "run.finished") return run?.apply(event)
    if (run === undefined) return
    this.#runs.delete(event.run)
    run.end(event)
    const { rootId = "" } = run.trace
    const startMs = this.#starts.get(rootId)
    if (startMs === undefined || event.isRetried === true) return
    this.#starts.delete(rootId)
    run.endRoot(event, startMs)
  }
}

class RunSpans {
  readonly trace: RunTrace
  readonly #started: EventOf<"run.started">
  readonly #spans: JsonObject[]
  readonly #blocks = new Map<number, Block>()

  constructor(started: EventOf<"run.started">, trace: RunTrace, spans: JsonObject[]) {
    this.trace = trace
    this.#started = started
    this.#spans = spans
  }

  apply(event: Exclude<RunEvent, EventOf<"run.started" | "run.finished">>): void {
    if (event.type === "block.started") {
      const parent = event.parent === undefined ? undefined : this.#blocks.get(event.parent)
      this.#blocks.set(event.block, { started: event, parent, requests: [] })
      return
    }
    const block = "block" in event && event.block !== undefined ? this.#blocks.get(event.block) : undefined
    if (block === undefined) return
    if (event.type === "request.sent") block.requests.push({ sent: event })
    else if (event.type === "response.received") {
      const last = block.requests.at(-1)
      if (last !== undefined) last.received = event
    } else if (event.type === "token.requested") this.#addToken(block, event)
    else if (event.type === "block.finished") {
      this.#blocks.delete(event.block)
      this.#addBlock(block, event)
    }
  }

  end(event: EventOf<"run.finished">): void {
    const { spanId, rootId, parentId } = this.trace
    this.#addRun({ id: spanId, parentId: rootId ?? parentId, startMs: this.trace.startMs }, event)
  }

  /** Ends the span of a workflow, after its last attempt. */
  endRoot(event: EventOf<"run.finished">, startMs: number): void {
    this.#addRun({ id: this.trace.rootId ?? "", parentId: this.trace.parentId, startMs }, event)
  }

  #addRun(place: Pick<Span, "id" | "parentId" | "startMs">, event: EventOf<"run.finished">): void {
    const { workflow, suite, entry, role, row, repeat, attempt } = this.#started
    const { status, durationMs, error } = event
    const isRoot = place.id !== this.trace.spanId
    this.#add({
      ...place,
      name: isRoot || attempt === undefined ? workflow : `${workflow} attempt ${attempt}`,
      kind: "internal",
      endMs: this.trace.startMs + durationMs,
      attributes: {
        "callsheet.workflow": workflow,
        "callsheet.suite": suite,
        "callsheet.entry": entry,
        "callsheet.role": role,
        "callsheet.row": row,
        "callsheet.repeat": repeat,
        "callsheet.attempt": isRoot ? undefined : attempt,
        "callsheet.status": status,
        "error.type": error?.code,
      },
      error:
        status === "failed" || status === "error" ? (error?.message ?? "the workflow failed") : undefined,
    })
  }

  #addToken(
    block: Block,
    { spanId, startMs, durationMs, status, ...request }: EventOf<"token.requested">,
  ): void {
    const isFailed = status === undefined || status >= 400
    this.#add({
      id: spanId,
      parentId: this.#idAround(block),
      name: `${request.method} token`,
      kind: "client",
      startMs,
      endMs: startMs + durationMs,
      attributes: httpAttributes(request, status),
      error: isFailed ? "the request for a token failed" : undefined,
    })
  }

  #addBlock(
    { started, parent, requests }: Block,
    { status, durationMs, error }: EventOf<"block.finished">,
  ): void {
    const { id, kind, iteration, span } = started
    if (span === undefined) return
    const endMs = span.startMs + durationMs
    const [first, ...repeated] = requests
    const own = first?.sent.span?.traceId === undefined ? undefined : first.sent.span
    const answered = (repeated.length === 0 ? first : undefined)?.received?.response.status
    this.#add({
      id: span.id,
      parentId: parent === undefined ? this.trace.spanId : this.#idAround(parent),
      name: id,
      kind: first === undefined ? "internal" : "client",
      startMs: span.startMs,
      endMs,
      attributes: {
        "callsheet.block.type": kind,
        "callsheet.iteration": iteration,
        "error.type": error?.code,
        ...(first === undefined ? {} : httpAttributes(first.sent.request, answered)),
      },
      error: status === "failed" ? (error?.message ?? "the block failed") : undefined,
      link: own?.traceId === undefined ? undefined : { traceId: own.traceId, id: own.id },
    })
    for (const [at, { sent, received }] of repeated.entries()) {
      const startMs = sent.startMs ?? span.startMs
      this.#add({
        id: sent.span?.id ?? "",
        parentId: span.id,
        name: id,
        kind: "client",
        startMs,
        endMs: received === undefined ? endMs : startMs + received.response.durationMs,
        attributes: {
          ...httpAttributes(sent.request, received?.response.status),
          "http.request.resend_count": at + 1,
        },
      })
    }
  }

  /** Returns the span of a block or, if it has none, of what contains it. */
  #idAround(block: Block): string {
    for (let at: Block | undefined = block; at !== undefined; at = at.parent)
      if (at.started.span !== undefined) return at.started.span.id
    return this.trace.spanId
  }

  #add(span: Span): void {
    if (!isSpanId(span.id)) return
    const { traceId, flags, state } = this.trace
    const { parentId, link, error } = span
    const hasLink = link !== undefined && isTraceId(link.traceId) && isSpanId(link.id)
    this.#spans.push({
      traceId,
      spanId: span.id,
      ...(state === undefined ? {} : { traceState: state }),
      ...(parentId === undefined || !isSpanId(parentId) ? {} : { parentSpanId: parentId }),
      flags,
      name: cut(span.name),
      kind: KIND[span.kind],
      startTimeUnixNano: nanoseconds(span.startMs),
      endTimeUnixNano: nanoseconds(Math.max(span.startMs, span.endMs)),
      attributes: attributesOf(span.attributes),
      ...(hasLink ? { links: [{ traceId: link.traceId, spanId: link.id }] } : {}),
      ...(error === undefined ? {} : { status: { code: STATUS_ERROR, message: cut(error) } }),
    })
  }
}

function bodyOf(spans: JsonObject[]): string {
  const resource = { attributes: attributesOf({ "service.name": "callsheet", "service.version": version }) }
  return stringifyJson({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "callsheet", version }, spans }] }],
  })
}

/** Names attributes as the semantic conventions for HTTP clients do. The URL is masked. */
function httpAttributes(
  { method, url }: { readonly method: string; readonly url: string },
  status: number | undefined,
): Attributes {
  const target = URL.canParse(url) ? new URL(url) : undefined
  const usualPort = target?.protocol === "https:" ? 443 : 80
  return {
    "http.request.method": method,
    "url.full": url,
    "server.address": target?.hostname,
    "server.port": target && (target.port === "" ? usualPort : Number(target.port)),
    "http.response.status_code": status,
  }
}

const attributesOf = (attributes: Attributes): JsonValue[] =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    // The JSON encoding of a 64-bit integer is a string.
    const text = typeof value === "number" ? { intValue: String(value) } : { stringValue: cut(value) }
    return [{ key, value: text }]
  })

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n)
const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)

// A masked id is not an id, and a record may contain anything.
const isTraceId = (text: string): boolean => /^(?!0+$)[0-9a-f]{32}$/.test(text)
const isSpanId = (text: string): boolean => /^(?!0+$)[0-9a-f]{16}$/.test(text)
const hasIds = ({ traceId, spanId }: RunTrace): boolean => isTraceId(traceId) && isSpanId(spanId)
