// A thread that ends this process, whatever its main thread does, when the runner is gone or memory runs out.

import { Worker } from "node:worker_threads"
import { outOfMemoryMarker } from "../protocol.ts"

interface OrphanWatcherOptions {
  readonly parentPid: number
  readonly maxResidentBytes: number
}

// Text, because a thread needs a file or a text, and the bundle is one file. A process in an endless loop can't notice
// that its runner was killed, except by its parent's id, which changes.
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

/** Resolves when the thread watches: no user code may run before. */
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
