// Loaded before the command: records the path of each file call, one per line.

const fs = require("node:fs")
const { syncBuiltinESMExports } = require("node:module")

const append = fs.appendFileSync
const log = process.env.CALLSHEET_TEST_FILES
const note = (path) => {
  const text = path instanceof URL || Buffer.isBuffer(path) ? String(path) : path
  if (typeof text === "string" && text !== log) append(log, `${JSON.stringify(text)}\n`)
}

for (const holder of [fs, fs.promises]) {
  for (const [name, call] of Object.entries(holder)) {
    if (typeof call !== "function" || !/^[a-z]/.test(name)) continue
    if (/^(append|fs|close|f[a-z]+Sync|write$|writeSync|writev|read$|readSync|readv)/.test(name)) continue
    const noting = function (...given) {
      note(given[0])
      return call.apply(this, given)
    }
    holder[name] = Object.assign(noting, call)
  }
}
syncBuiltinESMExports()
