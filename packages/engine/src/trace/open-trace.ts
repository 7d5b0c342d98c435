// The trace of one run: the spans of its blocks and requests, and the headers that carry them.

import { hasResponse, type Block, type BlockSpan, type RunTrace } from "@callsheet/format"
import { iterationPath, type Frame, type Running, type RunTracing } from "../run/context.ts"
import { roundMs } from "../run/round-ms.ts"
import type { Clock, SendOutcome, SpanOpener, WireRequest } from "../ports.ts"
import { readTraceParent, writeTraceParent } from "./trace-parent.ts"

/** Creates an id: the last digits of 32. With a seed, it depends only on the path. */
export type CreateId = (path: string, digits: 16 | 32) => string

interface OpenTraceOptions {
  readonly view: RunTrace
  /** The path of the run, from which ids are derived. */
  readonly path: string
  readonly createId: CreateId
  readonly clock: Clock
  /** True if requests to environments of level production are traced, too. */
  readonly tracesProduction: boolean
}

export class OpenTrace implements RunTracing {
  readonly view: RunTrace
  readonly #options: OpenTraceOptions
  /** Milliseconds between 1970 and the start of the monotonic clock, which is finer. */
  readonly #epochMs: number

  constructor(options: OpenTraceOptions) {
    this.view = options.view
    this.#options = options
    this.#epochMs = options.view.startMs - options.clock.elapsed()
  }

  openBlock(block: Block, frame: Frame): BlockSpan | undefined {
    const { tracesProduction } = this.#options
    if (!tracesProduction && hasResponse(block)) {
      const environment = frame.context.plan.environments.get(block.request.api)
      if (environment?.level === "production") return undefined
    }
    return { id: this.#idOf(iterationPath(block.id, frame)), startMs: this.#now() }
  }

  stamp({ block, frame, span: blockSpan }: Running, request: WireRequest, count: number) {
    if (blockSpan === undefined) return { request, span: undefined }
    const own = headerOf(request, "traceparent")
    if (own !== undefined) {
      const parent = readTraceParent(own)
      return { request, span: parent && { id: parent.spanId, traceId: parent.traceId } }
    }
    const path = `${iterationPath(block.id, frame)}\nrequest ${count + 1}`
    const id = count === 0 ? blockSpan.id : this.#idOf(path)
    const state = headerOf(request, "tracestate") === undefined ? this.view.state : undefined
    return { request: withTrace(request, this.#headersOf(id, state)), span: { id } }
  }

  tokenSpans({ block, frame, number, span: blockSpan }: Running): SpanOpener | undefined {
    if (blockSpan === undefined) return undefined
    const { emit, run } = frame.context
    let count = 0
    return (request) => {
      const spanId = this.#idOf(`${iterationPath(block.id, frame)}\ntoken ${++count}`)
      const startMs = this.#now()
      return {
        request: withTrace(request, this.#headersOf(spanId, this.view.state)),
        end: (outcome) => {
          const { method, url, secretBase } = request
          const status = statusOf(outcome)
          emit({
            type: "token.requested",
            run,
            block: number,
            spanId,
            startMs,
            durationMs: roundMs(this.#now() - startMs),
            method,
            url: secretBase?.url(url) ?? url,
            ...(status === undefined ? {} : { status }),
          })
        },
      }
    }
  }

  #idOf(path: string): string {
    return this.#options.createId(`${this.#options.path}\n${path}`, 16)
  }

  #headersOf(spanId: string, state: string | undefined): WireRequest["headers"] {
    const parent = ["traceparent", writeTraceParent(this.view, spanId)] as const
    return state === undefined ? [parent] : [parent, ["tracestate", state]]
  }

  #now(): number {
    return Math.round((this.#epochMs + this.#options.clock.elapsed()) * 1000) / 1000
  }
}

const withTrace = (request: WireRequest, headers: WireRequest["headers"]): WireRequest => ({
  ...request,
  headers: [...request.headers, ...headers],
  isTraced: true,
})

const headerOf = ({ headers }: WireRequest, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const statusOf = (outcome: SendOutcome): number | undefined =>
  outcome.ok ? outcome.response.status : outcome.partial?.status
