// Creates the context object that a script's function receives.

import { format, inspect } from "node:util"
import type { AssertContext, BaseContext, VariableValue } from "@callsheet/sdk"
import type { CallOrder, Question } from "../protocol.ts"
import { childMessages } from "./messages.ts"

interface ContextTools {
  readonly ask: (question: Question) => unknown
  readonly log: (text: string) => void
  readonly signal: AbortSignal
  /** Returns false once the call has ended, because the channel then belongs to another call. */
  readonly isCurrent: () => boolean
}

// Keep the originals, because a script may replace the globals.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis
const longestTimer = 2 ** 31 - 1

const says = childMessages["script-error"]

/** Creates a context whose functions don't use `this`, because scripts destructure it. */
export function createContext(order: CallOrder, tools: ContextTools): BaseContext | AssertContext {
  const ask = (question: Question): unknown => {
    if (!tools.isCurrent()) throw new Error(says.contextEnded())
    return tools.ask(question)
  }
  const base: BaseContext = {
    workflow: order.context.workflow,
    block: order.context.block,
    inputs: order.context.inputs,
    ...(order.context.iteration === undefined ? {} : { iteration: order.context.iteration }),
    get: ((path: string) => ask({ type: "get", path: text(path, "get") })) as BaseContext["get"],
    has: (path) => ask({ type: "has", path: text(path, "has") }) as boolean,
    env: (api) =>
      ask({ type: "environment", api: text(api, "env") }) as Readonly<Record<string, VariableValue>>,
    log: (...values) => tools.log(format(...values)),
    signal: tools.signal,
    secret: (value) => {
      ask({ type: "secret", value: secretValue(value) })
      return value
    },
    sleep: (ms) => sleep(ms, tools.signal),
  }
  return order.kind === "assert" ? { ...base, assert } : base
}

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value
  throw new TypeError(says.wrongText(name, inspect(value, { depth: 0 })))
}

/** The maximum length of a secret. A key with all its certificates is shorter. Masking takes 20 times the memory. */
const maxSecretCharacters = 64 * 1024

/** Returns a value that can be a secret, or throws. The error never quotes the value. */
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

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (typeof ms !== "number" || !(ms >= 0)) {
    throw new TypeError(says.wrongSleep(inspect(ms, { depth: 0 })))
  }
  signal.throwIfAborted()
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
      Math.min(ms, longestTimer),
    )
    signal.addEventListener("abort", abort, { once: true })
  })
}
