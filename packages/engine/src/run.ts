// Plan + ports -> events. The only loop that runs blocks; terminal, program and application all come through here.

import { secretValues, type Block, type BlockKind, type Listener, type RunStatus } from "@callsheet/format"
import { runAssert } from "./blocks/assert.ts"
import { runCondition } from "./blocks/condition.ts"
import { runGroup } from "./blocks/group.ts"
import { runLoop } from "./blocks/loop.ts"
import { runRequest } from "./blocks/request.ts"
import { runScript } from "./blocks/script.ts"
import { runTransform } from "./blocks/transform.ts"
import {
  dynamicValuesOf,
  entered,
  expandId,
  type BlockRunner,
  type Lane,
  type ListOutcome,
  type RunContext,
  type Running,
} from "./context.ts"
import type { BlockOutcome, Failure } from "./failure.ts"
import { createLimiter } from "./limiter.ts"
import { createMasker, type Masker } from "./mask.ts"
import type { Plan } from "./plan.ts"
import type { Ports } from "./ports.ts"
import { roundMs } from "./round-ms.ts"
import { createRunScope } from "./scope.ts"
import { skipBlocks } from "./skip.ts"
import { previewExchange } from "./view.ts"

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
  readonly ports: Ports
  readonly listen: Listener
  readonly signal: AbortSignal
  /** The number of the run in its session. */
  readonly run: number
}

/** The masker of everything secret that a plan's environments resolve. */
export const maskerOf = (environments: Plan["environments"]): Masker =>
  createMasker(
    [...environments.values()].flatMap((environment) => secretValues(environment).map(({ value }) => value)),
  )

/** Runs a plan's blocks; emits everything between, and without, `run.started` and `run.finished`. */
export async function runPlan({
  plan,
  ports,
  listen,
  signal,
  run,
}: RunRequest): Promise<Exclude<RunStatus, "error">> {
  let blocks = 0
  const context: RunContext = {
    plan,
    ports,
    mask: maskerOf(plan.environments),
    requests: createLimiter(plan.settings.concurrency),
    emit: listen,
    run,
    nextBlock: () => blocks++,
    warned: new Set(),
  }
  const scope = createRunScope({ inputs: plan.inputs, environments: plan.environments })
  const outcome = await runBlocks(plan.workflow.blocks, { context, scope, signal, depth: 0, runBlocks })
  return outcome === "passed" ? "passed" : "failed"
}

async function runBlocks(blocks: readonly Block[], lane: Lane): Promise<ListOutcome> {
  // Async calls nest on the stack until one of them waits; 10,000 nested groups must not overflow it.
  if (lane.depth % 64 === 63) await Promise.resolve()
  let outcome: ListOutcome = "passed"
  for (let at = 0; at < blocks.length; at++) {
    if (lane.signal.aborted) {
      skipBlocks(blocks.slice(at), lane, "cancelled")
      return outcome === "failed" ? "failed" : "cancelled"
    }
    const ended = await runBlock(blocks[at]!, lane)
    if (ended === "failed") {
      outcome = "failed"
      if (lane.context.plan.settings.onFailure === "halt") {
        skipBlocks(blocks.slice(at + 1), lane, lane.signal.aborted ? "cancelled" : "halted")
        return "failed"
      }
    }
    // A block that was cancelled while its list went on: the signal is aborted, and the loop sees it next.
    if (ended === "cancelled" && outcome === "passed") outcome = "cancelled"
  }
  return outcome
}

async function runBlock<K extends BlockKind>(block: Block<K>, lane: Lane): Promise<ListOutcome> {
  const { context } = lane
  const id = expandId(block.id, lane)
  const event = entered(block, id, lane)
  context.emit({ type: "block.started", ...event })
  const started = context.ports.clock.elapsed()
  const running: Running<Block<K>> = {
    block,
    id,
    number: event.block,
    lane,
    reader: { scope: lane.scope, dynamic: dynamicValuesOf(block.id, lane) },
  }
  const runner = runners[block.type as K] as BlockRunner<Block<K>>
  const outcome = await runner(running)
  context.emit({
    type: "block.finished",
    run: context.run,
    block: event.block,
    ...describeOutcome(outcome, context.mask),
    durationMs: roundMs(context.ports.clock.elapsed() - started),
  })
  return outcome.status
}

function describeOutcome(outcome: BlockOutcome, mask: Masker) {
  switch (outcome.status) {
    case "passed":
      return { status: "passed" } as const
    case "cancelled":
      return { status: "skipped", reason: "cancelled" } as const
    case "failed":
      return { status: "failed", ...describeFailure(outcome.failure, mask) } as const
  }
}

function describeFailure({ code, message, hint, exchanges }: Failure, mask: Masker) {
  return {
    error: { code, message: mask.text(message), ...(hint === undefined ? {} : { hint: mask.text(hint) }) },
    ...(exchanges === undefined || exchanges.length === 0
      ? {}
      : { exchanges: exchanges.map((exchange) => previewExchange(exchange, mask)) }),
  }
}
