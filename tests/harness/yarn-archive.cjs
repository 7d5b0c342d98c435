// Loaded into the command under test (`node --require`). Lists directories as Yarn does inside the archives in which it
// keeps packages: the parents of entries are relative if `recursive` asks for all levels at once.

const fs = require("node:fs")
const { syncBuiltinESMExports } = require("node:module")
const system = require("node:path")

const { readdirSync } = fs

fs.readdirSync = (path, options) => {
  const entries = readdirSync(path, options)
  if (options?.recursive === true && options.withFileTypes === true)
    for (const entry of entries) entry.parentPath = system.relative(path, entry.parentPath) || "."
  return entries
}
syncBuiltinESMExports()
