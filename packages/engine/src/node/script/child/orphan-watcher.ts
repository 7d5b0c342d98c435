// A thread that ends this process, whatever its main thread is doing, when the runner is gone or memory runs out.

import { Worker } from "node:worker_threads"

interface OrphanWatcherOptions {
  readonly parentPid: number
  readonly maxResidentBytes: number
}

/** What the thread writes to standard error before it ends a process that holds too much memory. */
export const outOfMemoryMarker = "callsheet: out of memory"

// Text, because a thread wants a file or a text, and the bundle is one file. A killed runner takes nothing with it that a
// process in an endless loop could notice; the parent's id is the one thing that changes.
const watch = `
const { parentPort, workerData } = require("node:worker_threads")
const { writeSync } = require("node:fs")
const end = () => {
  if (process.platform !== "win32") try { process.kill(-process.pid, "SIGKILL") } catch {}
  process.kill(process.pid, "SIGKILL")
}
setInterval(() => {
  if (process.ppid !== workerData.parentPid) end()
  if (process.memoryUsage.rss() > workerData.maxResidentBytes) {
    writeSync(2, workerData.marker + "\\n")
    end()
  }
}, 250)
parentPort.postMessage("watching")
`

/** Resolves when the thread watches: no code of a user may run before. */
export function startOrphanWatcher(options: OrphanWatcherOptions): Promise<void> {
  const worker = new Worker(watch, {
    eval: true,
    workerData: { ...options, marker: outOfMemoryMarker },
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  })
  return new Promise((resolve, reject) => {
    worker.once("error", reject)
    worker.once("message", () => {
      worker.removeAllListeners()
      worker.unref()
      resolve()
    })
  })
}
