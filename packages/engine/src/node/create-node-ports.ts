// The ports of a run in a Node process. What a run does not use is not loaded.

import type { FilePort, Ports } from "../ports.ts"
import { systemClock } from "./clock.ts"
import type { Cookies } from "./http/cookies.ts"
import { createHttpPort } from "./http/create-http-port.ts"
import { createLazyScriptPort } from "./lazy-script-port.ts"
import { createOutlineStore } from "./outline-store.ts"
import type { InspectOptions } from "./script/inspector.ts"
import type { ScriptContents } from "./script/script-sources.ts"
import { systemRandom } from "./random.ts"

export interface NodePortsOptions {
  /** Absolute path of the project. */
  readonly root: string
  /** Requests and scripts that may be under way at once. */
  readonly concurrency: number
  /** Where proxies are named: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`. */
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly files: FilePort
  /** What requests call themselves, `callsheet/1.2.3`, where they do not say otherwise. */
  readonly userAgent: string
  /** The bundled entry of the script process. */
  readonly scriptEntry: URL
  /** Scripts run one at a time, in one process that waits for a debugger, and have no time-out. */
  readonly inspectScripts?: InspectOptions | undefined
  /** What is run of scripts that were read before; the others are read once, when they are wanted first. */
  readonly scriptContents?: ScriptContents | undefined
  /** Those of a run before, for one that goes on with them. */
  readonly cookies?: Cookies | undefined
}

export function createNodePorts(options: NodePortsOptions): Ports {
  const { concurrency, processEnvironment, files, userAgent, cookies } = options
  return {
    http: createHttpPort({
      concurrency,
      processEnvironment,
      userAgent,
      ...(cookies === undefined ? {} : { cookies }),
    }),
    scripts: createLazyScriptPort(options),
    files,
    clock: systemClock,
    random: systemRandom,
    outlines: createOutlineStore(),
  }
}
