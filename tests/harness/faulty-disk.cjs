// Loaded into the command under test (`node --require`). Makes chosen file calls fail or lie, or sends a signal.

const fs = require("node:fs")
const { syncBuiltinESMExports } = require("node:module")

const paths = new Map()
const openSync = fs.openSync
fs.openSync = (path, ...rest) => {
  const descriptor = openSync(path, ...rest)
  paths.set(descriptor, String(path))
  return descriptor
}

/** `{ umask }`, or calls to intercept: see `DiskFault` in faulty-disk.ts. */
const { umask, faults } = JSON.parse(process.env.CALLSHEET_TEST_DISK)
if (umask !== undefined) process.umask(umask)

for (const { call, on, nth, error, result, signal, plant, mode, tell, waitMs } of faults) {
  const real = fs[call]
  let met = 0
  fs[call] = (...args) => {
    const [first] = args
    const path = typeof first === "number" ? (paths.get(first) ?? "") : String(first)
    const isMeant = new RegExp(on).test(path) && (nth === undefined || ++met === nth)
    if (!isMeant) return real(...args)
    if (mode) process.stderr.write(`mode ${(fs.fstatSync(first).mode & 0o777).toString(8)}\n`)
    if (tell !== undefined) process.stderr.write(tell)
    if (waitMs !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
    if (signal !== undefined) process.kill(process.pid, signal)
    if (plant !== undefined) fs.symlinkSync(plant, path)
    if (error !== undefined) throw Object.assign(new Error(`${error}: ${path}`), { code: error })
    return result ?? real(...args)
  }
}
syncBuiltinESMExports()
