// The script port of a front: child processes and their pool are loaded with the first script, and not before.

import type { DescribeScript } from "@callsheet/language"
import type { ScriptPort } from "../ports.ts"
import type { ResolveImport } from "./script/import-resolver.ts"
import type { ScriptPortOptions } from "./script/script-port.ts"

/** A port that starts nothing, and loads nothing, before it is asked for a script. */
export function createLazyScriptPort(options: ScriptPortOptions): ScriptPort {
  let loading: Promise<ScriptPort> | undefined
  const load = (): Promise<ScriptPort> =>
    (loading ??= import("./script/script-port.ts").then(({ createScriptPort }) => createScriptPort(options)))
  return {
    describe: async (file) => (await load()).describe(file),
    call: async (call) => (await load()).call(call),
    prepare: async (signal) => (await load()).prepare?.(signal),
    close: async () => {
      if (loading !== undefined) await (await loading).close()
    },
  }
}

/** Where the loader of scripts finds what a file imports; it is loaded with the first question. */
export const createImportResolver = async (): Promise<ResolveImport> =>
  (await import("./script/import-resolver.ts")).createImportResolver()

/** Calls `use` with what parses a script and runs none, in a process that starts with the first one and is gone afterwards. */
export async function withScripts<T>(
  world: Pick<ScriptPortOptions, "root" | "scriptEntry" | "cacheFolder">,
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
