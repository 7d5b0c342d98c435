// Loaded into the command under test (`node --require`). Makes the disk ignore case and keep it, as those of Windows and
// macOS do: every call on a path reaches the entry whose name differs only in case.

const fs = require("node:fs")
const { syncBuiltinESMExports } = require("node:module")
const system = require("node:path")

const { existsSync, readdirSync, realpathSync, renameSync, unlinkSync } = fs
const keyOf = (name) => name.normalize("NFC").toLowerCase()

/** Returns the path as the disk spells it. Names that don't exist stay. */
function spelled(path) {
  const { root } = system.parse(path)
  let found = root
  for (const name of path.slice(root.length).split("/")) {
    const exact = system.join(found, name)
    const names = existsSync(exact) || !existsSync(found) ? [] : readdirSync(found)
    found = system.join(found, names.find((one) => keyOf(one) === keyOf(name)) ?? name)
  }
  return found
}

const isPath = (value) => typeof value === "string"
const folded = (path) => (isPath(path) ? spelled(system.resolve(path)) : path)

/** The calls of one path, and those of two. */
const onePath =
  /^(?:access|chmod|cp|exists|lstat|mkdir|open|opendir|readFile|readdir|readlink|rm|rmdir|stat|unlink|utimes|watch|writeFile)(?:Sync)?$/
const twoPaths = /^(?:copyFile|link)(?:Sync)?$/

for (const owner of [fs, fs.promises])
  for (const name of Object.keys(owner)) {
    const real = owner[name]
    if (onePath.test(name)) owner[name] = (path, ...rest) => real(folded(path), ...rest)
    if (twoPaths.test(name)) owner[name] = (from, to, ...rest) => real(folded(from), folded(to), ...rest)
  }

// A rename gives the entry the new spelling, whether it replaces another entry or itself.
fs.renameSync = (from, to) => {
  const [source, target] = [folded(from), folded(to)]
  if (source !== target && system.basename(target) !== system.basename(to) && existsSync(target))
    unlinkSync(target)
  renameSync(source, system.join(system.dirname(target), system.basename(to)))
}

// Like Node's, keeps the caller's spelling of everything that isn't behind a link.
const spelling =
  (real) =>
  (path, ...rest) => {
    const found = real(folded(path), ...rest)
    return found === folded(path) ? system.resolve(path) : found
  }
const native = realpathSync.native
fs.realpathSync = Object.assign(spelling(realpathSync), { native: (path) => native(folded(path)) })
fs.promises.realpath = spelling(realpathSync)
syncBuiltinESMExports()
