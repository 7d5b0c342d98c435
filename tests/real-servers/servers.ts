// Starts the two third-party servers, on loopback and a free port, and stops them.

import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("node_modules", import.meta.url))
const startsWithinMs = 60_000

export interface RunningServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * LoopBack's example: todos in memory. It sends requests only for a todo with `remindAtAddress`, which no workflow
 * sends.
 */
export async function startTodoServer(): Promise<RunningServer> {
  const port = await freePort()
  // Its storage is the file data/db.json in its working directory.
  const folder = mkdtempSync(join(tmpdir(), "callsheet-todo-"))
  mkdirSync(join(folder, "data"))
  const server = await start(join(modules, "@loopback/example-todo/dist/index.js"), {
    cwd: folder,
    environment: { PORT: String(port), HOST: "127.0.0.1" },
    ready: "Server is running at",
    url: `http://127.0.0.1:${port}`,
  })
  return withoutFolder(server, folder)
}

/** A script that listens on the port in PORT of its environment, and then prints `ready`. */
export async function startServer(script: string, ready: string): Promise<RunningServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return start(script, { cwd: tmpdir(), environment: { PORT: String(port) }, ready, url })
}

/** Prism's mock of an OpenAPI document. */
export async function startMock(document: string): Promise<RunningServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), "callsheet-mock-"))
  const file = join(folder, "openapi.json")
  writeFileSync(file, document)
  const server = await start(join(modules, "@stoplight/prism-cli/dist/index.js"), {
    parameters: ["mock", "--host", "127.0.0.1", "--port", String(port), file],
    cwd: folder,
    ready: "Prism is listening on",
    url: `http://127.0.0.1:${port}`,
  })
  return withoutFolder(server, folder)
}

const withoutFolder = ({ url, stop }: RunningServer, folder: string): RunningServer => ({
  url,
  stop: async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  },
})

interface Start {
  readonly parameters?: readonly string[]
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  /** The text that the server prints when it listens. */
  readonly ready: string
  readonly url: string
}

function start(
  script: string,
  { parameters = [], cwd, environment, ready, url }: Start,
): Promise<RunningServer> {
  const child = spawn(process.execPath, [script, ...parameters], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const killOnExit = (): void => void child.kill("SIGKILL")
  process.once("exit", killOnExit)
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      process.off("exit", killOnExit)
      resolve()
    })
  })
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL")
    await ended
  }
  return new Promise((resolve, reject) => {
    let output = ""
    const late = setTimeout(() => {
      void stop()
      reject(new Error(`${script} did not listen within ${startsWithinMs} ms\n${output}`))
    }, startsWithinMs)
    const hear = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-10_000)
      if (!output.includes(ready)) return
      clearTimeout(late)
      resolve({ url, stop })
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.on("close", (code) => {
      clearTimeout(late)
      reject(new Error(`${script} exited with ${code}\n${output}`))
    })
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => {
        if (address === null || typeof address === "string") reject(new Error("no port"))
        else resolve(address.port)
      })
    })
  })
}
