// What a check of a project may ask of its scripts: what they export. None of them is run.

import type { DescribeScript } from "@callsheet/analysis"
import { createLazyScriptPort } from "@callsheet/engine"

export interface ScriptWorld {
  /** Absolute path of the project. */
  readonly root: string
  /** The bundled entry of the script process. */
  readonly scriptEntry: URL
}

/** Calls `use` with what parses a script, in a process that starts with the first one and is gone afterwards. */
export async function withScripts<T>(
  { root, scriptEntry }: ScriptWorld,
  use: (describe: DescribeScript) => Promise<T>,
): Promise<T> {
  const scripts = createLazyScriptPort({ root, scriptEntry, concurrency: 1 })
  // As in a run: script processes do not keep this one alive.
  const alive = setInterval(() => undefined, 2 ** 30)
  try {
    return await use(scripts.describe)
  } finally {
    await scripts.close().finally(() => clearInterval(alive))
  }
}
