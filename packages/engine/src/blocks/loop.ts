// Runs a loop block: `times` and `forEach`, sequential or parallel, and `until`.

import {
  blockDefaults,
  describeType,
  differenceWindows,
  isJsonArray,
  type Exchange,
  type JsonValue,
  type LoopBlock,
  type LoopOf,
  toText,
} from "@callsheet/format"
import {
  describeBrokenBody,
  enterIteration,
  leaveIteration,
  ResultsOfHighestIndex,
  type Scope,
} from "@callsheet/language"
import { checkAssertion, describeAssertion, warnOfSource } from "../run/check.ts"
import type { BlockRunner, Frame, ListOutcome, Running } from "../run/context.ts"
import { expandPath } from "../run/expand.ts"
import { windowText } from "../run/excerpt.ts"
import { exchangesAt, readsOf } from "../run/explain-failure.ts"
import { cancelled, failed, passed, type BlockOutcome } from "../run/failure.ts"
import { messages } from "../messages.ts"
import { Undecided } from "../run/undecided.ts"
import { callScript } from "./script.ts"

export const runLoop: BlockRunner<LoopBlock> = (running) => {
  const { block } = running
  running.frame.context.recorder?.forget(block.id)
  switch (block.mode) {
    case "times":
      return repeat(running, { length: block.count, valueAt: (index) => index })
    case "forEach":
      return runForEach(running, block.source)
    case "until":
      return runUntil(running, block)
  }
}

const runsOnce = ({ block, frame }: Running<LoopBlock>): boolean => frame.context.plan.part.once.has(block)

async function runForEach(running: Running<LoopBlock>, source: string): Promise<BlockOutcome> {
  const { frame } = running
  const read = expandPath(source, running.reader)
  if (!read.ok) return failed(read.finding)
  const { path, found } = read
  const { unknown } = frame.scope.run
  if (found.isUnknown === true || (unknown !== undefined && found.found && found.value === unknown.text))
    throw new Undecided("course", "the source of the loop")
  if (!found.found) return failed(messages["loop-source"].unresolved(path, found.reason))
  const items = found.value
  if (!isJsonArray(items)) {
    const broken = describeBrokenBody(found.from) ?? `is ${describeType(items)}`
    return failed(messages["loop-source"].notArray(path, broken))
  }
  return repeat(running, { length: items.length, valueAt: (index) => items[index] ?? null })
}

interface Items {
  readonly length: number
  readonly valueAt: (index: number) => JsonValue
}

function repeat(running: Running<LoopBlock>, items: Items): Promise<BlockOutcome> {
  if (runsOnce(running)) return repeatInTurn(running, { ...items, length: Math.min(items.length, 1) })
  return running.block.execution === "parallel"
    ? repeatInParallel(running, items)
    : repeatInTurn(running, items)
}

async function repeatInTurn(running: Running<LoopBlock>, items: Items): Promise<BlockOutcome> {
  const { frame } = running
  let broken = 0
  for (let index = 0; index < items.length; index++) {
    if (frame.signal.aborted) return broken > 0 ? childFailed(broken, index) : cancelled
    const { outcome, scope } = await runIteration(running, { index, value: items.valueAt(index) }, frame)
    leaveIteration(scope)
    if (outcome === "cancelled") return broken > 0 ? childFailed(broken, index + 1) : cancelled
    if (outcome === "failed") {
      broken++
      if (halts(frame)) return childFailed(broken, index + 1)
    }
    if (isTimeToBreathe(index)) await breathe(frame)
  }
  return broken > 0 ? childFailed(broken, items.length) : passed
}

const halts = ({ context }: Frame): boolean => context.plan.settings.onFailure === "halt"

const childFailed = (broken: number, ran: number): BlockOutcome =>
  failed(messages["child-failed"].iterations(broken, ran))

// Iterations that send no request never leave the microtask queue. Without a pause, Ctrl-C would have no effect.
const isTimeToBreathe = (index: number): boolean => index % 256 === 255

const breathe = ({ context, signal }: Frame): Promise<void> => context.ports.clock.sleep(0, signal)

async function repeatInParallel(running: Running<LoopBlock>, items: Items): Promise<BlockOutcome> {
  const { frame } = running
  const stop = new AbortController()
  const stopWithRun = () => stop.abort()
  if (frame.signal.aborted) return cancelled
  frame.signal.addEventListener("abort", stopWithRun, { once: true })
  const inner: Frame = { ...frame, signal: stop.signal }
  const results = new ResultsOfHighestIndex()
  const tally = { next: 0, broken: 0, cancelled: 0 }
  const work = async (): Promise<void> => {
    while (tally.next < items.length && !stop.signal.aborted) {
      const index = tally.next++
      const { outcome, scope } = await runIteration(running, { index, value: items.valueAt(index) }, inner)
      results.keep(scope, index)
      if (outcome === "cancelled") tally.cancelled++
      if (outcome === "failed") {
        tally.broken++
        if (halts(frame)) stop.abort()
      }
      if (isTimeToBreathe(index)) await breathe(inner)
    }
  }
  const frames = Math.min(items.length, frame.context.plan.settings.concurrency)
  const ends = await Promise.allSettled(Array.from({ length: frames }, work))
  frame.signal.removeEventListener("abort", stopWithRun)
  // An unexpected error must not end the loop while other iterations still run.
  for (const end of ends) if (end.status === "rejected") throw end.reason
  results.handTo(frame.scope)
  if (tally.broken > 0) return childFailed(tally.broken, tally.next)
  return tally.cancelled > 0 || frame.signal.aborted ? cancelled : passed
}

async function runIteration(
  { block, number }: Running<LoopBlock>,
  { index, value }: { readonly index: number; readonly value: JsonValue },
  frame: Frame,
): Promise<{ readonly outcome: ListOutcome; readonly scope: Scope }> {
  const { context } = frame
  const scope = enterIteration(frame.scope, block, { index, value })
  const { run, emit, plan } = context
  const isShown = plan.settings.exchanges
  emit(
    isShown
      ? { type: "iteration.started", run, block: number, index, value }
      : { type: "iteration.started", run, block: number, index },
  )
  // Avoids a spread, which takes a tenth of an iteration's time.
  const { signal, depth, runBlocks } = frame
  const inner: Frame = {
    context,
    scope,
    signal,
    parent: number,
    iteration: index,
    depth: depth + 1,
    runBlocks,
  }
  const outcome = await runBlocks(block.blocks, inner)
  context.recorder?.record(scope)
  emit({
    type: "iteration.finished",
    run,
    block: number,
    index,
    status: outcome === "cancelled" ? "skipped" : outcome,
  })
  return { outcome, scope }
}

async function runUntil(running: Running<LoopBlock>, block: LoopOf<"until">): Promise<BlockOutcome> {
  const { frame } = running
  const { maxIterations = blockDefaults.maxIterations, delayMs = blockDefaults.delayMs } = block
  let broken = 0
  let last: UntilCheck | undefined
  for (let index = 0; index < maxIterations; index++) {
    if (index > 0) await frame.context.ports.clock.sleep(delayMs, frame.signal)
    if (frame.signal.aborted) return broken > 0 ? childFailed(broken, index) : cancelled
    const { outcome, scope } = await runIteration(running, { index, value: index }, frame)
    leaveIteration(scope)
    if (outcome === "failed") broken++
    if (outcome === "cancelled" || (outcome === "failed" && halts(frame)))
      return outcome === "failed" || broken > 0 ? childFailed(broken, index + 1) : cancelled
    if (runsOnce(running)) return broken > 0 ? childFailed(broken, index + 1) : passed
    last = await checkUntil(running, block, scope)
    if (last.stop !== undefined)
      return broken > 0 && last.stop.status === "cancelled" ? childFailed(broken, index + 1) : last.stop
    if (last.passed) return broken > 0 ? childFailed(broken, index + 1) : passed
  }
  if (broken > 0) return childFailed(broken, maxIterations)
  const exhausted = messages["until-exhausted"]
  const finding =
    last?.expected === undefined
      ? exhausted.script(maxIterations)
      : exhausted.assertion(maxIterations, last.expected, last)
  const { inbox } = frame.context
  const hint =
    inbox === undefined ? undefined : (await import("./describe-arrivals.ts")).describeArrivals(running)
  return failed({ ...finding, hint }, { exchanges: last?.exchanges() })
}

interface UntilCheck {
  readonly passed: boolean
  /** The outcome that ends the loop, set if the check can't be made. */
  readonly stop?: BlockOutcome
  /** The checked assertion. Absent for a script. */
  readonly expected?: string
  readonly received?: string | undefined
  readonly unresolved?: string | undefined
  /** Builds the exchanges that the check read. */
  readonly exchanges: () => readonly Exchange[]
}

const course = "the condition of the loop"

async function checkUntil(
  running: Running<LoopBlock>,
  block: LoopOf<"until">,
  scope: Scope,
): Promise<UntilCheck> {
  const { frame, reader } = running
  const inside = { ...running, frame: { ...frame, scope }, reader: { ...reader, scope } }
  if (block.until === undefined) {
    const { outcome, result, paths, readsUnknown } = await callScript(inside, "condition", block.script)
    const exchanges = (): readonly Exchange[] => exchangesAt(paths, scope)
    if (readsUnknown) throw new Undecided("course", course)
    return outcome.status === "passed"
      ? { passed: result === true, exchanges }
      : { passed: false, stop: outcome, exchanges }
  }
  const check = checkAssertion(block.until, inside.reader, course)
  const exchanges = (): readonly Exchange[] =>
    exchangesAt(readsOf(inside, ([field]) => field === "until").paths, scope)
  if (!check.made) {
    const stop = failed(check.finding, { exchanges: exchanges(), at: ["until"] })
    return { passed: false, stop, exchanges }
  }
  // The value might not exist yet while the loop polls, so warn only after the check has passed.
  if (check.passed) warnOfSource(running, ["until"], check)
  const { view, unresolved } = check
  // Mask the values before they are cut: part of a secret can't be recognized.
  const show = (value: JsonValue = ""): string => toText(frame.context.secrets.value(value))
  const [wanted = "", received] = cutTexts(show(view.expected), show(view.actual))
  return {
    passed: check.passed,
    expected: describeAssertion(view, wanted),
    received: view.actual === undefined ? undefined : received,
    unresolved,
    exchanges,
  }
}

const MAX_TEXT = 200

/** Cuts two texts, if one is long, to where they differ. */
const cutTexts = (left: string, right: string): readonly string[] =>
  left.length <= MAX_TEXT && right.length <= MAX_TEXT
    ? [left, right]
    : differenceWindows(left, right, MAX_TEXT).map(windowText)
