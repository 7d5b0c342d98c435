// Starts `callsheet mcp` for a project, with a client of the official SDK or with lines written by hand.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { Client, type CallToolResult } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { codeCache, commandLine, createFolder, type Files } from "../harness/callsheet.ts"

interface Served {
  readonly client: Client
  readonly folder: string
  /** Calls a tool. Returns its structured result. Throws the text of an error. */
  readonly call: <T = Result>(name: string, args?: object) => Promise<T>
  /** Calls a tool that must refuse. Returns the text of the error. */
  readonly refused: (name: string, args?: object) => Promise<string>
  readonly close: () => Promise<void>
}

/** A result of any tool. Tests look at the fields that they expect. */
// oxlint-disable-next-line typescript/no-explicit-any
type Result = any

const environmentOf = (folder: string, env: Readonly<Record<string, string>>) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  ...codeCache,
  ...env,
})

/** Starts the server in a fresh directory with these files. `prepare` may change it first. */
export async function serve(
  files: Files,
  env: Readonly<Record<string, string>> = {},
  prepare: (folder: string) => void = () => undefined,
): Promise<Served> {
  const folder = await createFolder(files)
  prepare(folder)
  const client = new Client({ name: "tests", version: "1" })
  const [command, args] = commandLine(["mcp"])
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args],
      cwd: folder,
      env: environmentOf(folder, env),
      stderr: "ignore",
    }),
  )
  const ask = (name: string, args: object = {}): Promise<CallToolResult> =>
    client.callTool({ name, arguments: { ...args } })
  return {
    client,
    folder,
    call: async (name, args) => {
      const result = await ask(name, args)
      if (result.isError === true) throw new Error(joinText(result))
      return result.structuredContent as Result
    },
    refused: async (name, args) => {
      const result = await ask(name, args)
      if (result.isError !== true) throw new Error(`not refused: ${joinText(result)}`)
      return joinText(result)
    },
    close: async () => {
      await client.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const joinText = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n")

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Result
  readonly result?: Result
  readonly error?: { readonly code: number; readonly message: string }
}

/** Starts the server and a session with a 2025 version of the protocol. `write` sends a line unchanged. */
export async function serveRaw(files: Files, env: Readonly<Record<string, string>> = {}) {
  const folder = await createFolder(files)
  const child = spawn(...commandLine(["mcp"]), { cwd: folder, env: environmentOf(folder, env) })
  const closed = once(child, "close") as Promise<[code: number | null, signal: string | null]>
  child.stdin.on("error", () => undefined)
  const messages: Message[] = []
  const listeners = new Set<() => void>()
  let output = ""
  let errors = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text
    for (const listener of listeners) listener()
  })
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
    const lines = output.split("\n")
    messages.push(...lines.slice(messages.length, -1).map((line) => JSON.parse(line) as Message))
    for (const listener of listeners) listener()
  })
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find()
        if (found === undefined) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      look()
    })
  const write = (line: string): void => void child.stdin.write(`${line}\n`)
  const send = (message: object): void => write(JSON.stringify({ jsonrpc: "2.0", ...message }))
  const answer = (id: number) => until(() => messages.find((message) => message.id === id))
  send({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  })
  await answer(0)
  send({ method: "notifications/initialized" })
  return {
    folder,
    messages,
    write,
    send,
    answer,
    until,
    call: (id: number, name: string, args: object, meta?: object) =>
      send({ id, method: "tools/call", params: { name, arguments: args, ...(meta && { _meta: meta }) } }),
    output: () => output,
    errors: () => errors,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    end: () => child.stdin.end(),
    /** Resolves with the exit code. */
    closed: closed.then(([code]) => code),
    remove: async () => {
      child.kill("SIGKILL")
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }
}
