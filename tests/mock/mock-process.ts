// Starts `callsheet mock` in a process, sends it requests, and ends it as Ctrl-C does.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { onTestFinished } from "vitest"
import { codeCache, commandLine, createFolder, type Files } from "../harness/callsheet.ts"

export interface MockProcess {
  readonly folder: string
  readonly pid: number
  /** The URLs by API, as the first lines of the output say. */
  readonly urls: Readonly<Record<string, string>>
  /** Waits until standard output contains a text. */
  readonly said: (text: string) => Promise<void>
  /** Sends a signal and returns what the process wrote. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

interface Ended {
  readonly exitCode: number | null
  /** The lines of standard output after the URLs. */
  readonly lines: readonly string[]
  readonly stdout: string
  readonly stderr: string
}

export interface MockStart {
  readonly files?: Files
  /** A directory with a project. It is kept. */
  readonly folder?: string
  /** The number of APIs whose URLs to wait for. */
  readonly apis?: number
}

export async function startMock(
  words: readonly string[],
  { files, folder: own, apis = 1 }: MockStart,
): Promise<MockProcess> {
  const folder = own ?? (await createFolder(files))
  const child = spawn(...commandLine(["mock", ...words]), {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, ...codeCache },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const out = { stdout: "", stderr: "" }
  const exited = once(child, "exit") as Promise<[number | null]>
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await exited
    if (own === undefined) await rm(folder, { recursive: true, force: true })
  })
  const isJson = words.includes("--json")
  const isUp = (): boolean => out.stdout.split("\n").length > (isJson ? 1 : apis)
  child.stderr.setEncoding("utf8").on("data", (text: string) => (out.stderr += text))
  child.stdout.setEncoding("utf8")
  const up = new Promise<void>((resolve) => {
    child.stdout.on("data", (text: string) => {
      out.stdout += text
      if (isUp()) resolve()
    })
  })
  await Promise.race([up, exited])
  if (!isUp()) throw new Error(`the mock ended: ${out.stderr}`)
  const first = out.stdout.split("\n")
  const urls = isJson
    ? (JSON.parse(first[0] ?? "") as { apis: Record<string, string> }).apis
    : Object.fromEntries(first.slice(0, apis).map((line) => line.split(" ")))
  return {
    folder,
    pid: child.pid ?? 0,
    urls: urls as Readonly<Record<string, string>>,
    said: async (text) => {
      while (!out.stdout.includes(text)) await once(child.stdout, "data")
    },
    stop: async (signal = "SIGINT") => {
      child.kill(signal)
      const [exitCode] = await exited
      const lines = out.stdout.split("\n").slice(isJson ? 1 : apis, -1)
      return { exitCode, lines, ...out }
    },
  }
}

/** Sends a request. A body that isn't a string is sent as JSON. */
export async function send(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
) {
  const isText = typeof body === "string" || body === undefined
  const response = await fetch(url, {
    method,
    headers: { ...(isText ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /[/+]json\s*(?:;|$)/.test(response.headers.get("content-type") ?? "")
  const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, text, body: parsed }
}
