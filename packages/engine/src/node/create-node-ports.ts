// Creates the ports of a run in a Node process. Loads only what a run uses.

import type { Clock, FilePort, Ports } from "../ports.ts"
import { createHttpPort, type HttpPortOptions } from "./http/create-http-port.ts"
import { createLazyScriptPort } from "./lazy-script-port.ts"
import { createOutlineStore } from "./outline-store.ts"
import { systemRandom } from "./random.ts"
import type { ScriptPortOptions } from "./script/script-port.ts"
import { monotonicMs } from "./monotonic.ts"

interface NodePortsOptions extends HttpPortOptions, ScriptPortOptions {
  /** Maximum requests, and scripts, at once. */
  readonly concurrency: number
  readonly files: FilePort
  readonly userAgent: string
  readonly scriptEntry: URL
}

export function createNodePorts(options: NodePortsOptions): Ports {
  return {
    http: createHttpPort(options),
    scripts: createLazyScriptPort(options),
    files: options.files,
    clock: systemClock,
    random: systemRandom,
    outlines: createOutlineStore(),
  }
}

/** The longest delay of a timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** `sleep` takes any number of milliseconds; more than a timer's limit is split. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: monotonicMs,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve()
        return
      }
      let remaining = ms
      let timer: NodeJS.Timeout
      const finish = (): void => {
        clearTimeout(timer)
        signal.removeEventListener("abort", finish)
        resolve()
      }
      const wait = (): void => {
        const part = Math.min(remaining, MAX_TIMER_MS)
        remaining -= part
        timer = setTimeout(remaining > 0 ? wait : finish, part)
      }
      signal.addEventListener("abort", finish, { once: true })
      wait()
    }),
}
