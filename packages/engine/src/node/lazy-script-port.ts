// Implements the script port. Loads the code for child processes when the first script runs.

import type { DescribeScript } from "@callsheet/language"
import type { ScriptPort } from "../ports.ts"
import type { ResolveImport } from "./script/import-resolver.ts"
import type { ScriptPortOptions } from "./script/script-port.ts"

export function createLazyScriptPort(options: ScriptPortOptions): ScriptPort {
  let loading: Promise<ScriptPort> | undefined
  const load = (): Promise<ScriptPort> =>
    (loading ??= import("./script/script-port.ts").then(({ createScriptPort }) => createScriptPort(options)))
  return {
    describe: async (file) => (await load()).describe(file),
    call: async (call) => (await load()).call(call),
    warmUp: async (signal) => (await load()).warmUp?.(signal),
    close: async () => {
      if (loading !== undefined) await (await loading).close()
    },
  }
}

/** Creates an import resolver. Its code is loaded only now. */
export const createImportResolver = async (): Promise<ResolveImport> =>
  (await import("./script/import-resolver.ts")).createImportResolver()

/** Calls `use` with a function that parses scripts without running them. Ends the parsing process afterwards. */
export async function withScripts<T>(
  world: Pick<ScriptPortOptions, "root" | "scriptEntry" | "cacheFolder">,
  use: (describe: DescribeScript) => Promise<T>,
): Promise<T> {
  const scripts = createLazyScriptPort({ ...world, concurrency: 1 })
  // Script processes don't keep this process alive, so a timer does.
  const alive = setInterval(() => undefined, 2 ** 30)
  try {
    return await use(scripts.describe)
  } finally {
    await scripts.close().finally(() => clearInterval(alive))
  }
}
