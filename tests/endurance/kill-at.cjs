// Preloaded into a callsheet process: counts the calls that change or sync the disk, and kills the process before the
// call whose number is in ENDURANCE_KILL_AT (0: none). ENDURANCE_CALLS names a file for the names of the counted calls.

const fs = require("node:fs")
const { syncBuiltinESMExports } = require("node:module")

const killAt = Number(process.env.ENDURANCE_KILL_AT ?? 0)
const { openSync, writeSync, closeSync } = fs
const log = process.env.ENDURANCE_CALLS
const logDescriptor = log === undefined ? undefined : openSync(log, "w")
let count = 0

function beforeCall(name) {
  count++
  if (count === killAt) process.kill(process.pid, "SIGKILL")
  if (logDescriptor !== undefined) writeSync(logDescriptor, `${name}\n`)
}

const changing =
  /^(?:appendFile|chmod|chown|copyFile|cp|fchmod|fchown|fdatasync|fsync|ftruncate|futimes|lchmod|lchown|link|lutimes|mkdir|mkdtemp|rename|rm|rmdir|symlink|truncate|unlink|utimes|write|writev)(?:Sync)?$/

/** Standard output and error are not on the disk. */
const isScreen = (target) => typeof target === "number" && target <= 2

function wrap(owner, name, label) {
  const call = owner[name]
  owner[name] = function (...words) {
    if (!isScreen(words[0])) beforeCall(label)
    return call.apply(this, words)
  }
}

for (const name of Object.keys(fs)) if (changing.test(name)) wrap(fs, name, name)
for (const name of Object.keys(fs.promises)) {
  if (changing.test(name) || name === "writeFile") wrap(fs.promises, name, `promises.${name}`)
}

// Opening for reading changes nothing, and neither does closing such a file.
const written = new Set()
fs.openSync = (file, flags, ...more) => {
  const isChange = flags !== "r" && flags !== undefined && !(typeof flags === "number" && (flags & 3) === 0)
  if (isChange) beforeCall("openSync")
  const descriptor = openSync(file, flags, ...more)
  if (isChange) written.add(descriptor)
  return descriptor
}
fs.closeSync = (descriptor) => {
  if (written.delete(descriptor)) beforeCall("closeSync")
  closeSync(descriptor)
}

// One call may make several system calls, and a process can die between them.
fs.writeFileSync = (file, data, options) => {
  const { flag = "w", mode = 0o666 } = typeof options === "object" && options !== null ? options : {}
  const descriptor = fs.openSync(file, flag, mode)
  try {
    const bytes = Buffer.from(data)
    let at = 0
    while (at < bytes.length) at += fs.writeSync(descriptor, bytes, at)
  } finally {
    fs.closeSync(descriptor)
  }
}

syncBuiltinESMExports()
