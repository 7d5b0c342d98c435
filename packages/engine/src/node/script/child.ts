// The entry point of the bundled script process. Starts the guard thread first, and loads the rest in parallel.

import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { looksFd, outOfMemoryMarker, reportsFd, type ChildSettings } from "./protocol.ts"

// A string, because the bundle is a single file. If the main thread is in an endless loop, only a changed parent id
// shows that the runner is gone.
const watch = `
const { parentPort, workerData } = require("node:worker_threads")
const { writeSync } = require("node:fs")
const { Socket } = require("node:net")
const { serialize } = require("node:v8")
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
const files = []
parentPort.on("message", (file) => files.push(file))
const { position, looksFd, reportsFd } = workerData
new Socket({ fd: looksFd, readable: true, writable: false }).on("error", () => {}).on("data", () => {
  const body = serialize({ type: "running", file: files[position[0] - 1], line: position[1] })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  try { writeSync(reportsFd, Buffer.concat([length, body])) } catch {}
})
parentPort.postMessage("watching")
`

/**
 * Starts a thread that ends this process when the runner is gone or memory runs out, even if the main thread is
 * blocked. The thread also says which line is running.
 */
function startWatcher({ parentPid, maxResidentBytes }: ChildSettings): Worker {
  return new Worker(watch, {
    eval: true,
    workerData: { parentPid, maxResidentBytes, marker: outOfMemoryMarker, position, looksFd, reportsFd },
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  })
}

/** The number of the module whose line runs now, and the line. */
const position = new Int32Array(new SharedArrayBuffer(8))
const settings = JSON.parse(process.argv[2] ?? "") as ChildSettings
process.argv.length = 2
if (settings.nodeOptions === undefined) delete process.env["NODE_OPTIONS"]
else process.env["NODE_OPTIONS"] = settings.nodeOptions
const watcher = startWatcher(settings)
// User code must not run before the thread is ready.
const watching = once(watcher, "message").then(() => watcher.unref())
void import("./child/serve.ts").then(({ serve }) =>
  serve(settings, { position, addModule: (file) => watcher.postMessage(file, []) }, watching),
)
