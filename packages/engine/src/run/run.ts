// Runs a plan with the ports and emits its events.

import { documentedOperations } from "@callsheet/openapi"
import type { Scope } from "@callsheet/language"
import type { Block, BlockKind, EventOf, JsonValue, Listener, RunError } from "@callsheet/format"
import { runErrorOf, type Bugs } from "../session/bugs.ts"
import { runAssert } from "../blocks/assert.ts"
import { runCondition } from "../blocks/condition.ts"
import { runGroup } from "../blocks/group.ts"
import { runLoop } from "../blocks/loop.ts"
import { runRequest } from "../blocks/request.ts"
import { runScript } from "../blocks/script.ts"
import { runTransform } from "../blocks/transform.ts"
import {
  dynamicValuesOf,
  entered,
  keepFailure,
  type BlockRunner,
  type Frame,
  type ListOutcome,
  type RunContext,
  type RunTracing,
  type Running,
} from "./context.ts"
import { explainFailure } from "./explain-failure.ts"
import { failed, type BlockOutcome } from "./failure.ts"
import type { Limiter } from "./limiter.ts"
import type { Outlet } from "../outlet/outlet.ts"
import type { Plan } from "../plan/plan.ts"
import type { Ports } from "../ports.ts"
import { roundMs } from "./round-ms.ts"
import { createIterationRecorder, leaveLoops, scopeOf, type RunResults } from "./run-results.ts"
import { skipBlocks } from "./skip.ts"
import { endUndecided, undecidable, Undecided } from "./undecided.ts"

const runners: { readonly [K in BlockKind]: BlockRunner<Block<K>> } = {
  request: runRequest,
  assert: runAssert,
  transform: runTransform,
  condition: runCondition,
  loop: runLoop,
  group: runGroup,
  script: runScript,
}

export interface RunRequest {
  readonly plan: Plan
  readonly inputs: ReadonlyMap<string, JsonValue>
  /** The inputs whose values were read from secrets. */
  readonly secretInputs?: ReadonlySet<string> | undefined
  readonly ports: Ports
  readonly signal: AbortSignal
  readonly run: number
  /** The templates that earlier runs of the plan have made in this session. */
  readonly templates: RunContext["templates"]
  /** Limits the requests of all runs together. */
  readonly requests: Limiter
  readonly baseline?: RunContext["baseline"]
  readonly emit: Listener
  /** All runs of the session share this outlet: if one run captures a secret, later runs mask it. */
  readonly outlet: Outlet
  readonly bugs: Bugs
  readonly tracing?: RunTracing | undefined
  readonly inbox?: RunContext["inbox"]
  /** The results of an earlier run. Set only if a single block runs. */
  readonly before?: RunResults | undefined
  readonly onResults?: ((results: Omit<RunResults, "secrets">) => void) | undefined
}

interface PlanOutcome {
  readonly status: "passed" | "failed" | "error"
  readonly error?: RunError
}

/** Runs a plan's blocks. Emits the events between `run.started` and `run.finished`. */
export async function runPlan(request: RunRequest): Promise<PlanOutcome> {
  const { plan, ports, run, templates, requests, baseline, emit, outlet, bugs, tracing, before, onResults } =
    request
  const stop = plan.settings.unknown && new AbortController()
  const signal = stop === undefined ? request.signal : AbortSignal.any([request.signal, stop.signal])
  let error: RunError | undefined
  let blocks = 0
  const recorder =
    onResults === undefined
      ? undefined
      : createIterationRecorder(plan.part.isOnly ? before?.iterations : undefined)
  const context: RunContext = {
    plan,
    ports,
    emit,
    secrets: outlet.secrets,
    keepSecret: outlet.keepSecret,
    requests,
    baseline,
    run,
    nextBlock: () => blocks++,
    stop: (reason) => {
      error ??= reason
      stop?.abort()
    },
    noteBug: (thrown) => {
      const finding = bugs.note(thrown)
      error ??= runErrorOf(finding)
      return failed(finding)
    },
    warned: new Set(plan.warned),
    templates,
    tracing,
    inbox: request.inbox,
    ...(recorder === undefined ? {} : { recorder }),
  }
  if (plan.settings.coverage === true) emitDocumented(context)
  const scope = openScope(request)
  const outcome = await runBlocks(plan.part.blocks, { context, scope, signal, depth: 0, runBlocks })
  if (recorder !== undefined)
    onResults?.({ results: leaveLoops(scope, recorder).results, iterations: recorder.iterations })
  if (error !== undefined) return { status: "error", error }
  return { status: outcome === "passed" ? "passed" : "failed" }
}

function openScope({ plan, inputs, secretInputs, outlet, before }: RunRequest): Scope {
  const { environments, workflow, part, settings } = plan
  const values = {
    inputs,
    environments,
    workflow,
    holdsSecret: outlet.secrets.occursIn,
    ...undecidable(settings, outlet.secrets, secretInputs),
  }
  return scopeOf(part, values, before)
}

/** Emits the documented operations, which are the basis of coverage. */
function emitDocumented({ plan, emit, run }: RunContext): void {
  for (const [api, { document }] of plan.apis) {
    if (document !== undefined)
      emit({ type: "api.documented", run, api, operations: documentedOperations(document) })
  }
}

async function runBlocks(blocks: readonly Block[], frame: Frame): Promise<ListOutcome> {
  // Async calls nest on the stack until one waits. 10,000 nested groups must not overflow it.
  if (frame.depth % 64 === 63) await Promise.resolve()
  let outcome: ListOutcome = "passed"
  let at = -1
  for (const block of blocks) {
    at++
    if (frame.signal.aborted) {
      skipBlocks(blocks.slice(at), frame, "cancelled")
      return outcome === "failed" ? "failed" : "cancelled"
    }
    const ended = await runBlock(block, frame)
    if (ended === "failed") {
      outcome = "failed"
      if (frame.context.plan.settings.onFailure === "halt") {
        skipBlocks(blocks.slice(at + 1), frame, frame.signal.aborted ? "cancelled" : "halted")
        return "failed"
      }
    }
    // The signal is aborted, so the next iteration stops for that reason.
    if (ended === "cancelled" && outcome === "passed") outcome = "cancelled"
  }
  return outcome
}

async function runBlock<K extends BlockKind>(block: Block<K>, frame: Frame): Promise<ListOutcome> {
  const { context } = frame
  const { elapsed } = context.ports.clock
  const event = entered("block.started", block, frame)
  const started = elapsed()
  const span = context.tracing?.openBlock(block, frame)
  context.emit(span === undefined ? event : { ...event, span })
  const times = context.ports.generated?.openTimes(event.block)
  const running: Running<Block<K>> = {
    block,
    id: event.id,
    number: event.block,
    frame,
    reader: { scope: frame.scope, dynamic: dynamicValuesOf(block.id, frame, times) },
    times,
    span,
  }
  let end: BlockOutcome
  let durationMs = 0
  try {
    const runner = runners[block.type as K] as BlockRunner<Block<K>>
    // Awaiting only promises saves a turn of the microtask queue per assertion.
    try {
      const ending = runner(running)
      end = ending instanceof Promise ? await ending : ending
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      end = endUndecided(running, error)
    }
    if (end.status === "failed") {
      keepFailure(running)
      end = explainFailure(running, end.failure)
    }
    durationMs = roundMs(elapsed() - started)
  } catch (error) {
    end = context.noteBug(error)
    keepFailure(running)
  }
  const finish = finished(end, { context, block: event.block, durationMs })
  context.emit(times?.read === undefined ? finish : { ...finish, times: times.read })
  return end.status === "untranslated" ? "passed" : end.status
}

interface Finished {
  readonly context: RunContext
  readonly block: number
  readonly durationMs: number
}

function finished(
  outcome: BlockOutcome,
  { context, block, durationMs }: Finished,
): EventOf<"block.finished"> {
  const { run } = context
  switch (outcome.status) {
    case "passed":
      return outcome.undecidable === undefined
        ? { type: "block.finished", run, block, status: "passed", durationMs }
        : {
            type: "block.finished",
            run,
            block,
            status: "passed",
            durationMs,
            undecidable: outcome.undecidable,
          }
    case "cancelled":
    case "untranslated":
      return { type: "block.finished", run, block, status: "skipped", reason: outcome.status, durationMs }
    case "failed": {
      const { exchanges = [], ...error } = outcome.failure
      const end = { type: "block.finished", run, block, status: "failed", durationMs, error } as const
      return exchanges.length === 0 ? end : { ...end, exchanges }
    }
  }
}
