// Calls TypeScript functions in processes of their own. What it needs is loaded when the first script is met.

import type { ScriptCall, ScriptDescription, ScriptOutcome, ScriptPort } from "../../ports.ts"

export interface ScriptPortOptions {
  /** The project's root, absolute. */
  readonly root: string
  /** How many scripts may run at once. */
  readonly concurrency: number
  /** The bundled `child.ts`: a file that Node runs as it is. */
  readonly childEntry: URL | string
  /** One process that waits for a debugger on Node's usual port; scripts then have no time-out. */
  readonly inspect?: boolean
  /** Where compiled scripts are kept between runs. Default: the user's own cache folder. */
  readonly cacheFolder?: string
  /** Of one process. Default: 1024. */
  readonly maxHeapMiB?: number
}

type Host = ScriptPort

/**
 * Makes the port that runs scripts. No process is started before the first call.
 *
 * @example
 * ```ts
 * const scripts = createScriptPort({ root, concurrency: 32, childEntry: new URL("script-child.js", import.meta.url) })
 * ```
 */
export function createScriptPort(options: ScriptPortOptions): ScriptPort {
  let host: Promise<Host> | undefined
  const open = (): Promise<Host> =>
    (host ??= import("./script-host.ts").then((it) => it.createScriptHost(options)))
  return {
    describe: async (file: string): Promise<ScriptDescription> => (await open()).describe(file),
    call: async (call: ScriptCall): Promise<ScriptOutcome> => (await open()).call(call),
    close: async (): Promise<void> => {
      if (host !== undefined) await (await host).close()
    },
  }
}
