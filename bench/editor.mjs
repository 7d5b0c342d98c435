// Measures `callsheet lsp` in the project of `impact.mjs` with a document of 13 MB: its first answer, its answer after a
// key, and its memory. Writes the messages by hand, because editors differ.

import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { writeLargeDocument } from "./impact.mjs"
import { median } from "./measure.mjs"

const keys = 20

/** Returns the rows. */
export async function measureEditor({ folder, program, rounds, progress }) {
  await writeLargeDocument(folder)
  const what = "(v) an editor: a document of 13 MB, 500 workflows"
  const samples = []
  for (let round = 0; round < rounds; round++) {
    samples.push(await measureOnce(folder, program))
    progress(`${what}: ${round + 1} of ${rounds}`)
  }
  progress("")
  const row = (measured, unit, most) => {
    const value = median(samples.map((sample) => sample[measured]))
    const ours = `${value.toFixed(0)} ${unit}`
    return { what, measured, ours, baseline: `at most ${most} ${unit}`, ratio: value / most, goal: 1 }
  }
  return [row("first answer", "ms", 3_000), row("after a key", "ms", 200), row("memory", "MiB", 300)]
}

async function measureOnce(folder, [command, ...words]) {
  const start = performance.now()
  const child = spawn(command, [...words, "lsp", "--stdio"], { cwd: folder, stdio: "pipe" })
  const { ask, tell } = speak(child)
  const uri = pathToFileURL(join(folder, "apis/workflow/w7.json")).href
  const text = await readFile(join(folder, "apis/workflow/w7.json"), "utf8")
  const textDocument = { uri, languageId: "json", version: 1 }
  await ask("initialize", {
    processId: process.pid,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "bench" }],
    capabilities: { textDocument: { diagnostic: {} } },
  })
  tell("initialized", {})
  tell("textDocument/didOpen", { textDocument: { ...textDocument, text } })
  await ask("textDocument/diagnostic", { textDocument: { uri } })
  const firstMs = performance.now() - start
  await ask("workspace/diagnostic", { previousResultIds: [] })
  const times = []
  for (let version = 2; version < keys + 2; version++) {
    const typed = text.replace('"version": 1', `"version": 1${" ".repeat(version)}`)
    tell("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text: typed }] })
    const before = performance.now()
    await ask("textDocument/diagnostic", { textDocument: { uri } })
    times.push(performance.now() - before)
    await ask("workspace/diagnostic", { previousResultIds: [] })
  }
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "")
  const [, kib = 0] = /VmRSS:\s+(\d+)/.exec(status) ?? []
  await ask("shutdown")
  tell("exit")
  const slowest = times.sort((a, b) => a - b).at(Math.ceil(keys * 0.95) - 1)
  return { "first answer": firstMs, "after a key": slowest, memory: kib / 1024 }
}

/** Sends messages, and reads the answers. */
function speak(child) {
  const waiting = new Map()
  let id = 0
  let rest = Buffer.alloc(0)
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
    child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]))
  }
  child.stdout.on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const [head, length] =
        /^Content-Length: (\d+)\r\n\r\n/.exec(rest.subarray(0, 60).toString("latin1")) ?? []
      if (head === undefined || rest.length < head.length + Number(length)) return
      const message = JSON.parse(rest.subarray(head.length, head.length + Number(length)).toString())
      rest = rest.subarray(head.length + Number(length))
      if (message.method === undefined) waiting.get(message.id)?.(message.result)
    }
  })
  return {
    tell: (method, params) => send({ method, params }),
    ask: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++id, resolve)
        send({ id, method, params })
      }),
  }
}
