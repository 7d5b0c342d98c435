// The events of a mock's run: a block per operation, and an iteration per call.

import {
  getOrCreate,
  plural,
  type BlockError,
  type DocumentedOperation,
  type Listener,
  type RunEvent,
} from "@callsheet/format"
import type { MockCall } from "./mock-call.ts"

/** The name of the run in a record. */
const NAME = "mock"
const RUN = 0

export interface MockedApi {
  readonly name: string
  readonly url: string
  readonly operations: readonly DocumentedOperation[]
}

interface OpenOperation {
  readonly block: number
  /** The number of calls so far. */
  calls: number
  refused: number
}

export class MockRun {
  readonly #emit: Listener
  readonly #startedMs: number
  readonly #isAmbiguous: (name: string) => boolean
  readonly #open = new Map<string, OpenOperation>()
  #last = 0

  constructor(apis: readonly MockedApi[], emit: Listener, nowMs: number) {
    this.#emit = emit
    this.#startedMs = nowMs
    const counts = new Map<string, number>()
    for (const { operations } of apis)
      for (const { name } of operations) counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#isAmbiguous = (name) => (counts.get(name) ?? 0) > 1
    emit({
      type: "run.started",
      run: RUN,
      workflow: NAME,
      startedAt: new Date(nowMs).toISOString(),
      environments: Object.fromEntries(
        apis.map(({ name, url }) => [name, { name: "mock", level: "local", baseUrl: url }]),
      ),
      inputs: {},
    })
    for (const { name: api, operations } of apis) emit({ type: "api.documented", run: RUN, api, operations })
  }

  /** Adds a call as an iteration. Calls that overlap in time follow each other. */
  add(call: MockCall): void {
    const id = this.#idOf(call)
    const operation = getOrCreate(this.#open, id, () => this.#start(id))
    const index = operation.calls++
    const isFailed = call.refusal !== undefined
    if (isFailed) operation.refused++
    const parent = operation.block
    const block = ++this.#last
    this.#emit({ type: "iteration.started", run: RUN, block: parent, index })
    this.#emit({ type: "block.started", run: RUN, block, parent, iteration: index, id, kind: "request" })
    for (const event of eventsOf(call, block)) this.#emit(event)
    const status = isFailed ? "failed" : "passed"
    this.#emit({ type: "iteration.finished", run: RUN, block: parent, index, status })
  }

  /** Ends the run. Returns whether a request was refused. */
  finish(nowMs: number): boolean {
    const durationMs = Math.max(0, nowMs - this.#startedMs)
    let isAnyFailed = false
    for (const { block, calls, refused } of this.#open.values()) {
      isAnyFailed ||= refused > 0
      const message = `the mock refused ${refused} of ${plural(calls, "request")}`
      const ended =
        refused === 0
          ? ({ status: "passed" } as const)
          : ({ status: "failed", error: { code: "child-failed", message } } as const)
      this.#emit({ type: "block.finished", run: RUN, block, durationMs, ...ended })
    }
    this.#emit({ type: "run.finished", run: RUN, status: isAnyFailed ? "failed" : "passed", durationMs })
    return isAnyFailed
  }

  #idOf({ api, operation, method }: MockCall): string {
    if (operation === undefined) return `${method} (no operation)`
    return this.#isAmbiguous(operation.name) ? `${api} ${operation.name}` : operation.name
  }

  #start(id: string): OpenOperation {
    const block = ++this.#last
    this.#emit({ type: "block.started", run: RUN, block, id, kind: "loop" })
    return { block, calls: 0, refused: 0 }
  }
}

function* eventsOf(call: MockCall, block: number): Generator<RunEvent> {
  const { refusal, operation, contract, durationMs, startMs } = call
  const { request, response } = call.exchange()
  const problems = refusal?.problems ?? call.tolerated
  if (problems.length > 0) yield { type: "request.checked", run: RUN, block, problems }
  yield { type: "request.sent", run: RUN, block, startMs, request }
  // A refused request used no part of the API.
  const answers = operation === undefined || refusal !== undefined ? {} : { answers: operation }
  yield { type: "response.received", run: RUN, block, response, ...answers }
  if (contract !== undefined) yield { type: "contract.checked", run: RUN, block, contract }
  const ended = { type: "block.finished", run: RUN, block, durationMs } as const
  yield refusal === undefined
    ? { ...ended, status: "passed" }
    : { ...ended, status: "failed", error: errorOf(refusal) }
}

function errorOf({ code, message, problems }: NonNullable<MockCall["refusal"]>): BlockError {
  const [first] = problems
  if (first === undefined) return { code, message }
  const { file, line } = first
  return {
    code,
    message: first.message === message ? message : `${message}: ${first.path} ${first.message}`,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line, column: 1 }),
  }
}
