// The script port of a front: child processes and their pool are loaded with the first script, and not before.

import type { DescribeScript } from "@callsheet/language"
import type { ScriptPort } from "../ports.ts"
import type { InspectOptions } from "./script/inspector.ts"
import type { ScriptContents } from "./script/script-sources.ts"

export interface LazyScriptPortOptions {
  /** Absolute path of the project. */
  readonly root: string
  /** Scripts that may run at once. */
  readonly concurrency: number
  /** The bundled entry of the script process. */
  readonly scriptEntry: URL
  /** Where compiled scripts are kept; the user's own cache folder unless told. */
  readonly cacheFolder?: string
  /** Scripts run one at a time, in one process that waits for a debugger, and have no time-out. */
  readonly inspectScripts?: InspectOptions | undefined
  /** What is run of files that were read before; the others are read once, when they are wanted first. */
  readonly scriptContents?: ScriptContents | undefined
  /** Scripts are described again and again and none is called: nothing that was read is held. */
  readonly describesOnly?: boolean
}

/** A port that starts nothing, and loads nothing, before it is asked for a script. */
export function createLazyScriptPort(options: LazyScriptPortOptions): ScriptPort {
  const { root, concurrency, scriptEntry, cacheFolder, inspectScripts: inspect } = options
  const { scriptContents: contents, describesOnly = false } = options
  let loading: Promise<ScriptPort> | undefined
  const load = (): Promise<ScriptPort> =>
    (loading ??= import("./script/script-port.ts").then(({ createScriptPort }) =>
      createScriptPort({
        root,
        concurrency,
        childEntry: scriptEntry,
        describesOnly,
        ...(contents === undefined ? {} : { contents }),
        ...(cacheFolder === undefined ? {} : { cacheFolder }),
        ...(inspect === undefined ? {} : { inspect }),
      }),
    ))
  return {
    describe: async (file) => (await load()).describe(file),
    call: async (call) => (await load()).call(call),
    ...(inspect === undefined ? {} : { prepare: async (signal) => (await load()).prepare?.(signal) }),
    close: async () => {
      if (loading !== undefined) await (await loading).close()
    },
  }
}

/** What a check of a project may ask its scripts in. */
export interface ScriptWorld {
  /** Absolute path of the project. */
  readonly root: string
  /** The bundled entry of the script process. */
  readonly scriptEntry: URL
  /** Where compiled scripts are kept; the user's own cache folder unless told. */
  readonly cacheFolder?: string
}

/** Calls `use` with what parses a script and runs none, in a process that starts with the first one and is gone afterwards. */
export async function withScripts<T>(
  world: ScriptWorld,
  use: (describe: DescribeScript) => Promise<T>,
): Promise<T> {
  const scripts = createLazyScriptPort({ ...world, concurrency: 1 })
  // As in a run: script processes do not keep this one alive.
  const alive = setInterval(() => undefined, 2 ** 30)
  try {
    return await use(scripts.describe)
  } finally {
    await scripts.close().finally(() => clearInterval(alive))
  }
}
