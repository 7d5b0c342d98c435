// The entry point of the bundled script process. Starts the guard thread first, and loads the rest in parallel.

import { Worker } from "node:worker_threads"
import { outOfMemoryMarker, type ChildSettings } from "./protocol.ts"

// A string, because the bundle is a single file. If the main thread is in an endless loop, only a changed parent id
// shows that the runner is gone.
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

/**
 * Starts a thread that ends this process when the runner is gone or memory runs out, even if the main thread is
 * blocked. Resolves when the thread is ready. User code must not run earlier.
 */
function startOrphanWatcher({ parentPid, maxResidentBytes }: ChildSettings): Promise<void> {
  const worker = new Worker(watch, {
    eval: true,
    workerData: { parentPid, maxResidentBytes, marker: outOfMemoryMarker },
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

const settings = JSON.parse(process.argv[2] ?? "") as ChildSettings
process.argv.length = 2
const watching = startOrphanWatcher(settings)
void import("./child/serve.ts").then(({ serve }) => serve(settings, watching))
