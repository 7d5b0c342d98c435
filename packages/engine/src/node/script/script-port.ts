// Calls TypeScript functions in separate processes. Checks that a file can be a script, and chooses a process.

import type { ScriptDescription } from "@callsheet/language"
import { formatMessages, conflictMarkerAt, getOrCreate, isWithin, type Finding } from "@callsheet/format"
import { setMaxListeners } from "node:events"
import { realpathSync } from "node:fs"
import * as system from "node:path"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { messages } from "../../messages.ts"
import type { ScriptCall, ScriptOutcome, ScriptPort } from "../../ports.ts"
import { cacheFolder as userCacheFolder } from "../cache-folder.ts"
import { createCompileCache } from "./child/compile-cache.ts"
import type { InspectOptions } from "./inspector.ts"
import { readScript } from "./read-script.ts"
import { createScriptProcesses } from "./script-processes.ts"
import { createScriptSources, type ScriptContents } from "./script-sources.ts"

export interface ScriptPortOptions {
  readonly root: string
  readonly concurrency: number
  /** The bundled `child.ts`. Node can run it directly. */
  readonly scriptEntry: URL | string
  /** If set, all scripts run one by one, without a timeout, in one process that waits for a debugger. */
  readonly inspectScripts?: InspectOptions | undefined
  /** The directory of compiled scripts. By default, in the user's cache directory. */
  readonly cacheFolder?: string
  /** The heap limit of each process. By default, 1024. */
  readonly maxHeapMiB?: number
  /** Contents to run instead of the files on disk. Other files are read once, on first use. */
  readonly scriptContents?: ScriptContents | undefined
  /** True if scripts are only described. Nothing is cached then, because files may change in between. */
  readonly describesOnly?: boolean
}

/** The scripts that any port is parsing, by their text. The app checks a file for several views at the same time. */
const parsing = new Map<string, Promise<ScriptDescription>>()

/** Creates the port that runs scripts. Starts a process only when a script needs it. */
export function createScriptPort(options: ScriptPortOptions): ScriptPort {
  const { scriptEntry, concurrency, inspectScripts, describesOnly = false } = options
  const root = resolve(options.root)
  const cacheFolder = options.cacheFolder ?? userCacheFolder("scripts")
  const sources = createScriptSources(root, options.scriptContents)
  const childOptions = {
    sources,
    entry: scriptEntry instanceof URL ? fileURLToPath(scriptEntry) : scriptEntry,
    root,
    cacheFolder,
    maxHeapMiB: options.maxHeapMiB ?? 1024,
  }
  const processes = createScriptProcesses(childOptions, { concurrency, inspect: inspectScripts })
  const cache = createCompileCache(cacheFolder)
  const problemOf = createFileCheck(root)

  const describe = async (path: string): Promise<ScriptDescription> => {
    // Runs write paths with `/`.
    const file = resolve(path)
    const problem = await problemOf(file)
    if (problem !== undefined) return { ok: false, message: problem.message }
    const read = describesOnly ? readScript(realpathSync(file)) : sources.read(file)
    if (!read.ok) return { ok: false, code: read.finding.code, message: read.finding.message }
    return withTodos(await parse(file, read.text), read.text)
  }

  const parse = async (file: string, text: string): Promise<ScriptDescription> => {
    const known = cache.read(file, text)
    if (known !== undefined) return { ok: true, ...known.module }
    // A failure may belong to the other port: its process may end before it responds.
    const shared = parsing.has(text) ? await parsing.get(text)?.catch(() => undefined) : undefined
    if (shared?.ok === true) return shared
    const parsed = processes.describe(file, text)
    parsing.set(text, parsed)
    const description = await parsed.finally(() => parsing.delete(text))
    const isConflict = !description.ok && conflictMarkerAt(text) !== undefined
    return isConflict ? { ok: false, ...formatMessages["file-conflict"].conflictMarkers() } : description
  }

  const call = async (asked: ScriptCall): Promise<ScriptOutcome> => {
    const call = { ...asked, file: resolve(asked.file) }
    const problem = await problemOf(call.file)
    if (problem !== undefined) return { ok: false, ...problem }
    // All scripts of a run share one signal, so more than ten listeners are normal.
    setMaxListeners(0, call.signal)
    return processes.call(call)
  }
  const { warmUp, close } = processes
  return { describe, call, close, ...(inspectScripts === undefined ? {} : { warmUp }) }
}

/** Creates a function that checks that a script exists, and that no link leads it out of the scripts' directory. */
function createFileCheck(root: string): (file: string) => Promise<Finding<"script-error"> | undefined> {
  const check = async (file: string): Promise<Finding<"script-error"> | undefined> => {
    try {
      const scripts = realpathSync(join(root, "apis", "workflow", "scripts"))
      if (!isWithin(scripts, realpathSync(file), system)) return messages["script-error"].outside()
      return undefined
    } catch {
      return messages["script-error"].missing()
    }
  }
  const checked = new Map<string, ReturnType<typeof check>>()
  return (file) => getOrCreate(checked, file, check)
}

/** Adds the lines where `callsheet import` left code to translate. */
function withTodos(description: ScriptDescription, text: string): ScriptDescription {
  const lines = text.split("\n")
  const todos = lines.flatMap((line, at) => (/^\s*\/\/ TODO: Translate\b/.test(line) ? [at + 1] : []))
  return description.ok && todos.length > 0 ? { ...description, todos } : description
}
