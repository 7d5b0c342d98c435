// Starts Windows' Node in the place of Node: `node start-node.mjs <programs as JSON> <script> <word>…`. Wine gives
// standard streams to a Windows program only as files, so this copies what the files contain.

import { spawn } from "node:child_process"
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { constants, tmpdir } from "node:os"
import { join } from "node:path"

const [, , programs, ...words] = process.argv
const { wine, node, env } = JSON.parse(programs)
/** The time between two looks at a file that a Windows program writes. Wine reports no changes of it. */
const PAUSE_MS = 20

const folder = mkdtempSync(join(tmpdir(), "windows-node-"))
const files = ["stdin", "stdout", "stderr"].map((name) => openSync(join(folder, name), "w+"))
const readFiles = files.map((_file, at) => openSync(join(folder, ["stdin", "stdout", "stderr"][at]), "r"))
for await (const chunk of process.stdin) writeSync(files[0], chunk)

// Tests kill this process, and nothing can pass on SIGKILL. The system then ends the Windows program too.
const child = spawn("setpriv", ["--pdeathsig", "KILL", wine, node, ...words.map(toWindows)], {
  env: {
    ...process.env,
    ...env,
    NODE_OPTIONS: process.env["WINDOWS_NODE_OPTIONS"] ?? process.env["NODE_OPTIONS"] ?? "",
  },
  stdio: [readFiles[0], files[1], files[2]],
})
const timer = setInterval(copyAll, PAUSE_MS)
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.once("exit", (code, signal) => {
  clearInterval(timer)
  copyAll()
  rmSync(folder, { recursive: true })
  process.exitCode = code ?? 128 + constants.signals[signal]
})

/** Gives an absolute path its drive. Other words stay, as a user would type them. */
function toWindows(word) {
  return /^\/\w/.test(word) ? `Z:${word.replaceAll("/", "\\")}` : word
}

function copyAll() {
  for (const at of [1, 2]) copy(readFiles[at], at)
}

function copy(file, target) {
  const buffer = Buffer.alloc(64 * 1024)
  for (let size; (size = readSync(file, buffer, 0, buffer.length, null)) > 0;) {
    for (let from = 0; from < size;) from += writeSync(target, buffer, from, size - from)
  }
}
