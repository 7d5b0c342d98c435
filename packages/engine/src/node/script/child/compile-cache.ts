// Caches compiled scripts between runs. Uses the user's own directory, because the cached code is executed.

import type { ScriptModule } from "@callsheet/language"
import { join } from "node:path"
import { readOwnEntry, shortKey, writeCacheEntry } from "../../cache-folder.ts"

export interface CompiledScript {
  /** An entry is valid only for exactly this source. */
  readonly source: string
  /** Ends with the source map. */
  readonly code: string
  readonly module: ScriptModule
}

/** Increase this if the shape of an entry or the options of the compiler change. */
const version = 6

/** Creates the cache. Never fails: without a writable directory, it caches nothing. */
export function createCompileCache(folder: string | undefined) {
  if (folder === undefined) return { read: () => undefined, write: () => undefined }
  const entryOf = (file: string): string => join(folder, `${shortKey(file)}.json`)
  return {
    read: (file: string, source: string): CompiledScript | undefined => {
      const entry = readEntry(entryOf(file))
      return entry?.version === version && entry.file === file && entry.source === source ? entry : undefined
    },
    write: (file: string, script: CompiledScript): void =>
      writeCacheEntry(entryOf(file), JSON.stringify({ version, file, ...script })),
  }
}

function readEntry(path: string): (CompiledScript & { version: number; file: string }) | undefined {
  try {
    const text = readOwnEntry(path)?.content.toString()
    return text === undefined ? undefined : (JSON.parse(text) as ReturnType<typeof readEntry>)
  } catch {
    return undefined
  }
}
