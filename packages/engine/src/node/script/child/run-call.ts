// Runs one call in the child: loads the module, calls the function, waits for unfinished work, and checks the result.

import { format, inspect } from "node:util"
import type { BaseContext, VariableValue } from "@callsheet/sdk"
import type { ScriptKind, ScriptOutcome } from "../../../ports.ts"
import { MAX_TIMER_MS } from "../../monotonic.ts"
import type { CallOrder, Question } from "../protocol.ts"
import type { Channel } from "./channel.ts"
import { checkResult, nameValue } from "./check-result.ts"
import { createExpect, type Called, type PlaceOf } from "./expect.ts"
import { childMessages } from "./messages.ts"
import type { ErrorDescriber } from "./describe-error.ts"
import type { LoadModule } from "./load-module.ts"
import { enterWorld, watchMembers, type World } from "./world.ts"

export interface CallTools {
  readonly channel: Channel
  readonly freshLoader: () => LoadModule
  readonly errors: ErrorDescriber
  readonly log: (text: string) => void
  /** Returns where the script calls a function of its context, and the text of the argument. */
  readonly placeOf: PlaceOf
}

export type RunningCall = ReturnType<typeof startCall>

interface FinishedCall {
  readonly outcome: ScriptOutcome
  /** False if the script left something running: a timer, a connection or a process. */
  readonly isClean: boolean
}

/** The time in milliseconds that a call waits for work that its function didn't await, to report errors in it. */
const lingerMs = 1000
/** The minimum time in milliseconds that must remain before the timeout after waiting. */
const marginMs = 100

const says = childMessages["script-error"]

// A script may replace the globals, so keep the originals.
const { setTimeout: startTimer, clearTimeout: stopTimer, setImmediate: startImmediate } = globalThis
const now = performance.now.bind(performance)
const activeResources = process.getActiveResourcesInfo.bind(process)

export function startCall(order: CallOrder, tools: CallTools) {
  const startedAt = now()
  const controller = new AbortController()
  const world = order.world === undefined ? undefined : enterWorld(order.world)
  let settle: (finished: FinishedCall) => void
  const finished = new Promise<FinishedCall>((resolve) => (settle = resolve))
  let isOver = false
  let readsWithheld = false
  let isUntranslated = false
  const end = (outcome: ScriptOutcome, isClean: boolean): void => {
    if (isOver) return
    isOver = true
    const known = world?.leave(outcome) ?? outcome
    settle({ outcome: readsWithheld ? { ...known, readsUnknown: true } : known, isClean })
  }
  const fail = (thrown: unknown, origin = ""): void => {
    const error = tools.errors.describe(thrown)
    const message = origin === "unhandledRejection" ? says.unhandled(error) : error
    end({ ok: false, code: "script-error", message }, false)
  }
  const work = async (): Promise<void> => {
    const before = activeResources()
    const outcome = await callFunction(order, tools, {
      ask: tools.channel.ask,
      log: tools.log,
      signal: controller.signal,
      isCurrent: () => !isOver,
      world,
      onWithheld: () => (readsWithheld = true),
      onUntranslated: () => (isUntranslated = true),
      placeOf: tools.placeOf,
    })
    if (isUntranslated) return end({ ok: true, isUntranslated }, false)
    const timeLeft = (order.timeoutMs ?? Infinity) - (now() - startedAt) - marginMs
    // A failed call can't get worse, so wait only after success.
    const limitMs = outcome.ok ? Math.min(lingerMs, timeLeft) : 0
    const left = await linger(before, limitMs, order.timeoutMs !== undefined)
    if (left.length > 0 && outcome.ok) tools.log(childMessages.log.leftRunning(left))
    end(outcome, left.length === 0)
  }
  work().catch((error: unknown) => fail(error))
  return {
    finished,
    fail,
    abort: (reason: "timeout" | "cancelled"): void => {
      const isLate = reason === "timeout"
      const message = isLate ? says.timeOver() : says.cancelled()
      controller.abort(new DOMException(message, isLate ? "TimeoutError" : "AbortError"))
    },
  }
}

async function callFunction(
  order: CallOrder,
  tools: CallTools,
  context: Parameters<typeof createContext>[1],
): Promise<ScriptOutcome> {
  try {
    const exports = await tools.freshLoader()(order.file)
    const called = Object.hasOwn(exports, order.exportName) ? exports[order.exportName] : undefined // own key
    if (typeof called !== "function") {
      const received = called === undefined ? undefined : nameValue(called)
      const message = says.notFunction(order.exportName, received)
      return { ok: false, code: "script-error", message }
    }
    const { context: given, unfinished } = createContext(order, context)
    const returned: unknown = await Reflect.apply(called, undefined, [given])
    const unchecked = unfinished()
    if (unchecked !== undefined) return refuseUnchecked(unchecked)
    const check = () => checkResult(order.kind, returned)
    const checked = context.world === undefined ? check() : context.world.unwatched(check)
    if (checked.ok) return checked
    const { at, returned: received, expected } = checked
    const { wrongResult, wrongOutput } = childMessages["script-result"]
    const message =
      expected === "JSON values"
        ? wrongOutput(received, at.length === 0 ? undefined : await pathText(at))
        : wrongResult(received, expected)
    return { ok: false, code: "script-result", message }
  } catch (error) {
    return { ok: false, code: "script-error", message: tools.errors.describe(error) }
  }
}

/** An expectation without a check would pass whatever the value is. */
function refuseUnchecked({ text = "…", place }: Called): ScriptOutcome {
  const at = place === undefined ? "" : `\n    at ${place.file}:${place.line}:${place.column}`
  return { ok: false, code: "script-error", message: `${says.unchecked(text)}${at}` }
}

/** Formats a path. Loads the format package only now, because it is large for a call. */
async function pathText(path: readonly (string | number)[]): Promise<string> {
  const { formatPath } = await import("@callsheet/format")
  return formatPath(path)
}

/**
 * Waits until the call's own resources are gone or the time is over. Returns the resources that remain. Without a
 * timeout, a debugger may pause the process, so only time spent waiting counts.
 */
async function linger(before: readonly string[], limitMs: number, isTimed: boolean): Promise<string[]> {
  // Unhandled rejections are reported within one turn of the event loop.
  await new Promise<void>((resolve) => startImmediate(resolve))
  let leftMs = limitMs
  let left = added(before)
  for (let waitMs = 1; left.length > 0 && leftMs > 0; waitMs = Math.min(waitMs * 2, 20)) {
    const since = now()
    await new Promise<void>((resolve) => {
      startTimer(resolve, waitMs).unref()
    })
    leftMs -= isTimed ? now() - since : waitMs
    left = added(before)
  }
  return left
}

/** Returns the kinds of new resources that keep the process alive. */
function added(before: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const kind of before) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const left = new Set<string>()
  for (const kind of activeResources()) {
    const count = counts.get(kind) ?? 0
    if (count > 0) counts.set(kind, count - 1)
    else left.add(kind)
  }
  return [...left]
}

interface ContextTools {
  readonly ask: (question: Question) => unknown
  readonly log: (text: string) => void
  readonly signal: AbortSignal
  /** Returns false after the call has ended. The channel then belongs to another call. */
  readonly isCurrent: () => boolean
  readonly world: World | undefined
  /** Called when the script reads a withheld variable. */
  readonly onWithheld: () => void
  readonly onUntranslated: () => void
  readonly placeOf: CallTools["placeOf"]
}

/**
 * Creates the context that a script's function receives. Scripts may destructure it, so its functions don't use `this`.
 */
function createContext(order: CallOrder, tools: ContextTools) {
  const ask = (question: Question): unknown => {
    if (!tools.isCurrent()) throw new Error(says.contextEnded())
    const answer = tools.ask(question)
    return tools.world === undefined ? answer : tools.world.watch(answer)
  }
  tools.world?.watch(order.context)
  const { expect, unfinished } = createExpect({
    decide: (check) => ask({ type: "check", check }) as string | undefined,
    read: ({ subject: argument, text }) => ask({ type: "subject", argument, text }),
    placeOf: tools.placeOf,
    isReported: order.kind === "assert",
  })
  const base: BaseContext = {
    workflow: order.context.workflow,
    block: order.context.block,
    inputs: order.context.inputs,
    ...(order.context.iteration === undefined ? {} : { iteration: order.context.iteration }),
    get: ((path: string) => ask({ type: "get", path: text(path, "get") })) as BaseContext["get"],
    has: (path) => ask({ type: "has", path: text(path, "has") }) as boolean,
    env: (api) => {
      const variables = ask({ type: "environment", api: text(api, "env") })
      const names = order.withheld?.get(api) ?? []
      return watchMembers(variables as Readonly<Record<string, VariableValue>>, names, tools.onWithheld)
    },
    log: (...values) => tools.log(format(...values)),
    expect,
    signal: tools.signal,
    secret: (value) => {
      ask({ type: "secret", value: secretValue(value) })
      return value
    },
    sleep: (ms) => sleep(ms, tools),
  }
  const contexts: { readonly [K in ScriptKind]: () => BaseContext } = {
    assert: () => ({ ...base, assert }),
    script: () => ({ ...base, untranslated: () => stopUntranslated(tools) }),
    condition: () => base,
    transform: () => base,
  }
  return { context: contexts[order.kind](), unfinished }
}

function stopUntranslated({ onUntranslated }: ContextTools): never {
  onUntranslated()
  throw new Error(says.untranslated())
}

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value
  throw new TypeError(says.wrongText(name, inspect(value, { depth: 0 })))
}

/** The maximum length of a secret, enough for a key with its certificates. Masking takes 20 times the memory. */
const maxSecretCharacters = 64 * 1024

/** Returns a value that can be a secret, otherwise throws. The error never quotes the value. */
function secretValue(value: unknown): string | number | bigint {
  const isSecret = typeof value === "string" || typeof value === "number" || typeof value === "bigint"
  if (!isSecret || value === "" || Number.isNaN(value)) {
    const what = value === "" ? "an empty string" : isSecret ? "NaN" : nameKind(value)
    throw new TypeError(says.wrongSecret(what))
  }
  const { length } = typeof value === "string" ? value : value.toString(16)
  if (length <= maxSecretCharacters) return value
  throw new RangeError(says.longSecret(maxSecretCharacters, length))
}

function nameKind(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

function assert(condition: unknown, message: unknown = says.assertion()): void {
  if (condition) return
  const error = new Error(typeof message === "string" ? message : inspect(message))
  error.name = "AssertionError"
  // Start the stack at the line that calls `assert`.
  Error.captureStackTrace(error, assert)
  throw error
}

async function sleep(ms: number, { signal, world }: Pick<ContextTools, "signal" | "world">): Promise<void> {
  if (typeof ms !== "number" || !(ms >= 0)) {
    throw new TypeError(says.wrongSleep(inspect(ms, { depth: 0 })))
  }
  signal.throwIfAborted()
  if (world?.skip(ms) === true) return
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      stopTimer(timer)
      reject(signal.reason as Error)
    }
    const timer = startTimer(
      () => {
        signal.removeEventListener("abort", abort)
        resolve()
      },
      Math.min(ms, MAX_TIMER_MS),
    )
    signal.addEventListener("abort", abort, { once: true })
  })
}
