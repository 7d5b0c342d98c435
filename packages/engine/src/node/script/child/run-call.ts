// Runs one call in the child: loads the module, calls the function, waits for leftover work and checks the result.

import type { ScriptOutcome } from "../../../ports.ts"
import type { CallOrder } from "../protocol.ts"
import type { Channel } from "./channel.ts"
import { checkResult, nameValue } from "./check-result.ts"
import { createContext } from "./create-context.ts"
import { childMessages } from "./messages.ts"
import type { ErrorDescriber } from "./describe-error.ts"
import type { LoadModule } from "./load-module.ts"

export interface CallTools {
  readonly channel: Channel
  readonly freshLoader: () => LoadModule
  readonly errors: ErrorDescriber
  readonly log: (text: string) => void
}

export type RunningCall = ReturnType<typeof startCall>

interface FinishedCall {
  readonly outcome: ScriptOutcome
  /** False if something still runs: a timer, a connection, a process of the script. */
  readonly isClean: boolean
}

/** The time a call waits for work that its function started and did not await: an error in it must not be lost. */
const lingerMs = 1000
/** The part of the timeout that lingering must not use. */
const marginMs = 100

const says = childMessages["script-error"]

const { setTimeout: startTimer, setImmediate: startImmediate } = globalThis
const now = performance.now.bind(performance)
const activeResources = process.getActiveResourcesInfo.bind(process)

export function startCall(order: CallOrder, tools: CallTools) {
  const startedAt = now()
  const controller = new AbortController()
  let settle: (finished: FinishedCall) => void
  const finished = new Promise<FinishedCall>((resolve) => (settle = resolve))
  let isOver = false
  const end = (outcome: ScriptOutcome, isClean: boolean): void => {
    isOver = true
    settle({ outcome, isClean })
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
    })
    const timeLeft = (order.timeoutMs ?? Infinity) - (now() - startedAt) - marginMs
    // A failed call can't get worse, so only a successful one lingers.
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
    const called = Object.hasOwn(exports, order.exportName) ? exports[order.exportName] : undefined
    if (typeof called !== "function") {
      const received = called === undefined ? undefined : nameValue(called)
      const message = says.notFunction(order.exportName, received)
      return { ok: false, code: "script-error", message }
    }
    const returned: unknown = await Reflect.apply(called, undefined, [createContext(order, context)])
    const checked = checkResult(order.kind, returned)
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

/** Loaded only for messages: the format's library is large compared with what a call needs. */
async function pathText(path: readonly (string | number)[]): Promise<string> {
  const { formatPath } = await import("@callsheet/format")
  return formatPath(path)
}

/**
 * Waits until only earlier resources are left or the time is over. Returns what still runs. Without a timeout a debugger may
 * hold the process: then only the time spent waiting counts.
 */
async function linger(before: readonly string[], limitMs: number, isTimed: boolean): Promise<string[]> {
  // One turn of the loop, in which unhandled rejections are reported.
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
