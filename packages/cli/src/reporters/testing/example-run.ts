// For tests: events of made-up runs, and the output of a reporter for them.

import type { MaskAgain } from "@callsheet/engine"
import {
  maskEvent,
  stringifyJson,
  type Arrival,
  type BlockKind,
  type JsonValue,
  type Mask,
  type RunEvent,
} from "@callsheet/format"
import { plain, type Output, type Style } from "../../screen.ts"
import type { CreateLive, FileReporter, ReporterClock, ReporterContext, SessionEnd } from "../reporter.ts"

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>
type Rest<T extends RunEvent["type"]> = Omit<EventOf<T>, "type" | "run" | "block">
type Finish = Partial<Rest<"block.finished">>
type RecordedEvent = Without<Arrival | EventOf<"iteration.started" | "iteration.finished">, "run" | "block">
type Without<E, K extends PropertyKey> = E extends unknown ? Omit<E, K> : never

export class RunRecorder {
  readonly events: RunEvent[] = []
  #next = 0
  readonly #run: number
  /** The time at which the next request is sent, in milliseconds since 1970. */
  #nowMs: number

  constructor(start: Partial<Rest<"run.started">> & { readonly run?: number } = {}) {
    const { run = 0, ...given } = start
    this.#run = run
    const startedAt = "2026-11-21T04:05:06.789Z"
    this.#nowMs = Date.parse(given.startedAt ?? startedAt)
    this.events.push({
      type: "run.started",
      run,
      workflow: "checkout",
      startedAt,
      environments: {},
      inputs: {},
      ...given,
    })
  }

  warn(warning: Omit<EventOf<"warning.raised">["warning"], "severity">, block?: number): void {
    this.events.push({
      type: "warning.raised",
      run: this.#run,
      ...(block === undefined ? {} : { block }),
      warning: { severity: "warning", ...warning },
    })
  }

  start(
    kind: BlockKind,
    id: string,
    place: { readonly parent?: number; readonly iteration?: number } = {},
  ): number {
    const block = this.#next++
    this.events.push({ type: "block.started", run: this.#run, block, id, kind, ...place })
    return block
  }

  skip(
    kind: BlockKind,
    id: string,
    place: { readonly parent?: number; readonly iteration?: number } = {},
    reason: EventOf<"block.skipped">["reason"] = "halted",
  ): number {
    const block = this.#next++
    this.events.push({ type: "block.skipped", run: this.#run, block, id, kind, reason, ...place })
    return block
  }

  add(block: number, event: RecordedEvent): void {
    const sent = event.type === "request.sent" ? { startMs: this.#nowMs } : {}
    this.events.push({ ...sent, ...event, run: this.#run, block })
  }

  finish(block: number, rest: Finish = {}): void {
    this.events.push({
      type: "block.finished",
      run: this.#run,
      block,
      status: "passed",
      durationMs: 3,
      ...rest,
    })
  }

  request(
    id: string,
    status: number,
    place: { readonly parent?: number; readonly iteration?: number } = {},
  ): void {
    const block = this.start("request", id, place)
    this.add(block, {
      type: "request.sent",
      request: { method: "GET", url: `http://127.0.0.1:4010/${id}?a=1` },
    })
    this.add(block, { type: "response.received", response: { status, durationMs: 12, sizeBytes: 2 } })
    this.#nowMs += 12
    this.finish(block, { durationMs: 12 })
  }

  end(rest: Partial<Rest<"run.finished">> = {}): RunEvent[] {
    this.events.push({ type: "run.finished", run: this.#run, status: "passed", durationMs: 1234, ...rest })
    return this.events
  }
}

/** Returns a run with nested blocks, a skipped branch, a loop, and a failed assertion with its exchange. */
export function exampleRun(): RunEvent[] {
  const run = new RunRecorder({
    environments: { shop: { name: "staging", level: "staging" }, pay: { name: "local", level: "local" } },
    inputs: { sku: "A-1" },
  })
  run.warn({
    code: "level-unset",
    message: "the environment has no level",
    file: "apis/shop/environments/prod.json",
  })
  run.request("login", 200)
  const setup = run.start("group", "setup")
  run.request("create", 201, { parent: setup })
  const names = run.start("transform", "names", { parent: setup })
  run.add(names, { type: "outputs.made", outputs: { orderId: 17, total: 42 } })
  run.finish(names)
  run.finish(setup, { durationMs: 20 })
  const branch = run.start("condition", "is-paid")
  run.request("receipt", 404, { parent: branch })
  run.skip("request", "pay", { parent: branch }, "branch")
  run.finish(branch)
  const loop = run.start("loop", "lines")
  for (let index = 0; index < 3; index++) {
    run.add(loop, { type: "iteration.started", index, value: index })
    run.request(`line-${index}`, 200, { parent: loop, iteration: index })
    run.add(loop, { type: "iteration.finished", index, status: "passed" })
  }
  run.finish(loop, { durationMs: 40 })
  failCheck(run)
  run.skip("request", "clean-up")
  return run.end({ status: "failed" })
}

function failCheck(run: RunRecorder): void {
  const check = run.start("assert", "check-order")
  run.add(check, {
    type: "assertions.checked",
    assertions: [
      { source: "create.response.status", operator: "equals", expected: 201, actual: 201, status: "passed" },
      {
        source: "create.response.body.total",
        operator: "equals",
        expected: 42,
        actual: 41,
        status: "failed",
      },
      {
        source: "create.response.body.lines",
        operator: "equals",
        expected: [{ sku: "A-1", count: 2 }],
        actual: [{ sku: "A-1", count: 3, note: "gift" }],
        status: "failed",
      },
    ],
  })
  run.finish(check, {
    status: "failed",
    error: { code: "assertion-failed", message: "2 of 3 assertions do not hold" },
    exchanges: [
      {
        block: "create",
        request: {
          method: "POST",
          url: "http://127.0.0.1:4010/orders",
          headers: { "content-type": "application/json", authorization: "Bearer ***" },
          body: { lines: [{ sku: "A-1", count: 2 }] },
        },
        response: {
          status: 201,
          headers: { "content-type": "application/json", "set-cookie": ["sid=***", "theme=dark"] },
          body: { id: 17, total: 41, lines: [{ sku: "A-1", count: 3, note: "gift" }] },
          durationMs: 18,
          sizeBytes: 81,
        },
      },
    ],
  })
}

interface Played {
  readonly text: string
  readonly writes: number
}

interface PlayOptions extends Partial<Pick<ReporterContext, "isFile" | "root" | "summary">> {
  readonly isLive?: boolean
  readonly style?: Style
  readonly columns?: number
  readonly maskAgain?: MaskAgain
  readonly ticks?: boolean
}

const end: SessionEnd = { exitCode: 0, durationMs: 1234 }

function contextOf(options: PlayOptions, texts: string[], clock: ReporterClock): ReporterContext {
  const output: Output = {
    write: (text) => void texts.push(text),
    isTerminal: options.isLive ?? false,
    isLive: options.isLive ?? false,
    columns: () => options.columns ?? 80,
    style: options.style ?? plain,
  }
  const { isFile = true, root = ".", summary } = options
  return { output, clock, isFile, root, processEnvironment: {}, summary }
}

/** Returns the text of a report. */
export function render(
  reporter: FileReporter,
  events: readonly RunEvent[],
  options: PlayOptions = {},
): string {
  const clock = { now: () => 0, every: () => () => undefined }
  return [...reporter(events, { ...contextOf(options, [], clock), end })].join("")
}

/** Passes events to a live reporter and returns what it wrote. */
export function play(create: CreateLive, events: readonly RunEvent[], options: PlayOptions = {}): Played {
  const texts: string[] = []
  let now = 0
  const ticks = new Set<() => void>()
  const clock: ReporterClock = {
    now: () => now,
    every: (_ms, tick) => {
      ticks.add(tick)
      return () => ticks.delete(tick)
    },
  }
  const { maskAgain = (event) => event } = options
  const reporter = create(contextOf(options, texts, clock))
  for (const event of events) {
    reporter.onProgress?.(event, maskAgain)
    reporter.onEvent(event, maskAgain)
    if (options.ticks !== true) continue
    now += 100
    for (const tick of ticks) tick()
  }
  reporter.finish(end)
  return { text: texts.join(""), writes: texts.length }
}

/** Returns the events after a JSON round trip. */
export const throughJson = (events: readonly RunEvent[]): RunEvent[] =>
  events.map((event) => JSON.parse(JSON.stringify(event)) as RunEvent)

/** Masks these strings everywhere, as if they had just become secret. */
export function maskWithout(secrets: readonly string[]): MaskAgain {
  const text = (from: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), from)
  const value = (from: JsonValue): JsonValue => JSON.parse(text(stringifyJson(from))) as JsonValue
  const mask: Mask = {
    text,
    name: text,
    url: text,
    body: text,
    header: text,
    value,
    excerpt: value,
    detail: value,
  }
  return (event) => maskEvent(event, mask)
}
