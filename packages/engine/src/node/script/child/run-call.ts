// Runs one call in the child: loads the module, calls the function, waits for unfinished work and checks the result.

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
  /** False if the script left something running: a timer, a connection or a process. */
  readonly isClean: boolean
}

/** How long a call waits for work that its function didn't await, so that errors in it are reported. */
const lingerMs = 1000
/** The part of the timeout that must be left after waiting. */
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
    // Wait only after success, because a failed call can't get worse.
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

/** Formats a path. Loads the format package only here, because it is large compared with what a call needs. */
async function pathText(path: readonly (string | number)[]): Promise<string> {
  const { formatPath } = await import("@callsheet/format")
  return formatPath(path)
}

/**
 * Waits until the call's own resources are gone or the time is over, then returns what still runs. If no timeout is
 * set, a debugger may pause the process, so only time spent waiting counts.
 */
async function linger(before: readonly string[], limitMs: number, isTimed: boolean): Promise<string[]> {
  // Wait one turn of the event loop, in which unhandled rejections are reported.
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

/** Returns the kinds of resources that were added since and keep the process alive. */
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
