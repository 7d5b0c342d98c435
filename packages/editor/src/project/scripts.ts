// Parses scripts, saved or not, without running them. Keeps what it found until a script changes.

import { statSync } from "node:fs"
import { createLazyScriptPort } from "@callsheet/engine"
import { attempt } from "@callsheet/format"
import type { DescribeScript, ScriptDescription } from "@callsheet/language"
import { createScriptParser } from "@callsheet/server"

interface Kept {
  readonly state: string
  readonly description: Promise<ScriptDescription>
}

/** `unsavedText` returns the text that replaces a file on disk. */
export function createScripts(
  { root, scriptEntry }: { readonly root: string; readonly scriptEntry: URL },
  unsavedText: (path: string) => string | undefined,
) {
  const parser = createScriptParser(scriptEntry)
  const port = createLazyScriptPort({ root, scriptEntry, concurrency: 1, describesOnly: true })
  const kept = new Map<string, Kept>()
  const describe: DescribeScript = (path) => {
    const text = unsavedText(path)
    const state = text === undefined ? stampOf(path) : `text ${text}`
    const known = kept.get(path)
    if (known?.state === state) return known.description
    const description = text === undefined ? port.describe(path) : parser.describe(text)
    kept.set(path, { state, description })
    description.catch(() => kept.delete(path))
    return description
  }
  return {
    describe,
    close: async (): Promise<void> => {
      await Promise.allSettled([port.close(), parser.close()])
    },
  }
}

function stampOf(path: string): string {
  const found = attempt(() => statSync(path, { bigint: true }))
  return found === undefined ? "missing" : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ")
}
