// Calls TypeScript functions in separate processes. Checks that a file can be a script, and chooses a process.

import type { ScriptDescription } from "@callsheet/language"
import {
  formatMessages,
  CallsheetError,
  conflictMarkerAt,
  getOrCreate,
  type Finding,
} from "@callsheet/format"
import { setMaxListeners } from "node:events"
import { realpathSync } from "node:fs"
import { join, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { messages } from "../../messages.ts"
import type { ScriptCall, ScriptOutcome, ScriptPort } from "../../ports.ts"
import { callInChild, cancelled, describeInChild } from "./call-in-child.ts"
import { ChildPool } from "./child-pool.ts"
import { ScriptChild, type ChildOptions, type Ending } from "./child-process.ts"
import { cacheFolder as userCacheFolder } from "../cache-folder.ts"
import { createCompileCache } from "./child/compile-cache.ts"
import type { InspectOptions } from "./inspector.ts"
import { readScript } from "./read-script.ts"
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

/** Creates the port that runs scripts. Starts no process before the first call. */
export function createScriptPort(options: ScriptPortOptions): ScriptPort {
  const { scriptEntry, inspectScripts, describesOnly = false } = options
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
  const pool = new ChildPool(childOptions, options.concurrency)
  const inspected =
    inspectScripts === undefined ? undefined : createInspectedChild(childOptions, inspectScripts)
  const cache = createCompileCache(cacheFolder)
  const problemOf = createFileCheck(root)

  const describe = async (file: string): Promise<ScriptDescription> => {
    const problem = await problemOf(file)
    if (problem !== undefined) return { ok: false, message: problem.message }
    const read = describesOnly ? readScript(realpathSync(file)) : sources.read(file)
    if (!read.ok) return { ok: false, code: read.finding.code, message: read.finding.message }
    const known = cache.read(file, read.text)
    if (known !== undefined) return { ok: true, ...known.module }
    let description: ScriptDescription = { ok: false, message: messages.cancelled.run().message }
    const ending = await pool.lend(async (child) => {
      description = await describeInChild(child, { file, source: read.text })
      return true
    })
    if (ending !== undefined) return { ok: false, message: ending.message }
    const isConflict = !description.ok && conflictMarkerAt(read.text) !== undefined
    return isConflict ? { ok: false, ...formatMessages["file-conflict"].conflictMarkers() } : description
  }

  const call = async (call: ScriptCall): Promise<ScriptOutcome> => {
    const problem = await problemOf(call.file)
    if (problem !== undefined) return { ok: false, ...problem }
    // All scripts of a run share one signal, so more than ten listeners are normal.
    setMaxListeners(0, call.signal)
    return callInLent(inspected ?? pool, call, inspected === undefined)
  }
  if (inspected === undefined) return { describe, call, close: pool.close }
  return {
    describe,
    call,
    prepare: async (signal) => {
      const ending = await inspected.open(signal)
      if (ending !== undefined) throw new CallsheetError(messages.usage.debugger(ending.message))
    },
    close: async () => {
      await Promise.all([pool.close(), inspected.close()])
    },
  }
}

/**
 * Calls a script in a child of the pool. Resolves with the outcome, even if the child is still checking for leftovers.
 */
function callInLent(
  pool: Pick<ChildPool, "lend">,
  call: ScriptCall,
  limited: boolean,
): Promise<ScriptOutcome> {
  return new Promise((resolve, reject) => {
    const lent = pool.lend(async (child, onServed) => {
      const { outcome, reusable } = await callInChild(child, call, limited)
      onServed()
      resolve(outcome)
      return reusable
    }, call.signal)
    // If the pool has no child to lend, this settles the call. Otherwise, it has no effect.
    const onEnding = (ending: Ending | undefined): void =>
      resolve(ending === undefined ? cancelled : { ok: false, ...ending })
    lent.then(onEnding, reject)
  })
}

/** Creates a function that checks that a script exists, and that no link leads it out of the scripts' directory. */
function createFileCheck(root: string): (file: string) => Promise<Finding<"script-error"> | undefined> {
  const check = async (file: string): Promise<Finding<"script-error"> | undefined> => {
    try {
      const scripts = realpathSync(join(root, "apis", "workflow", "scripts"))
      if (!realpathSync(file).startsWith(scripts + sep)) return messages["script-error"].outside()
      return undefined
    } catch {
      return messages["script-error"].missing()
    }
  }
  const checked = new Map<string, ReturnType<typeof check>>()
  return (file) => getOrCreate(checked, file, check)
}

/** Manages the process to which a debugger attaches. It serves all calls, so that the debugger attaches only once. */
function createInspectedChild(options: ChildOptions, inspect: InspectOptions) {
  let { port } = inspect
  let child: ScriptChild | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const start = async (signal: AbortSignal | undefined): Promise<ScriptChild | Ending | undefined> => {
    const isOver = (): boolean => isClosed || signal?.aborted === true
    if (isOver()) return undefined
    if (child?.isAlive === true) return child
    const onWaiting = (address: string): void => {
      // The debugger expects the next process on the same port.
      port = Number(new URL(address).port)
      inspect.onWaiting(address)
    }
    const started = (child = new ScriptChild({ ...options, inspect: { port, onWaiting } }))
    const stop = (): void => started.kill()
    signal?.addEventListener("abort", stop, { once: true })
    const ending = await started.ready
    signal?.removeEventListener("abort", stop)
    if (ending === undefined) return started
    return isOver() ? undefined : ending
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  const lend: ChildPool["lend"] = (use, signal) =>
    inTurn(async () => {
      const lent = await start(signal)
      if (!(lent instanceof ScriptChild)) return lent
      if (await use(lent, () => undefined)) return undefined
      lent.kill()
      // The port is free only after the process has ended.
      await lent.ended
      return undefined
    })
  return {
    lend,
    /** Starts the process and waits for a debugger. Resolves with an ending if that fails. */
    open: (signal: AbortSignal | undefined): Promise<Ending | undefined> =>
      inTurn(async () => {
        const started = await start(signal)
        return started instanceof ScriptChild ? undefined : started
      }),
    close: async (): Promise<void> => {
      isClosed = true
      child?.kill()
      await child?.ended
    },
  }
}
