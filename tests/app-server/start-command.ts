// `callsheet app` as a process that runs until a test ends it.

import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { callsheet, codeCache, commandLine } from "../harness/callsheet.ts"
import { requestText, sendRaw, type RawAnswer } from "./raw-client.ts"
import { json, secretOf } from "./start-test-app.ts"

export interface RunningCommand {
  readonly child: ChildProcess
  readonly link: string
  /** Returns the link that the app printed, and another one each time after. A link works once. */
  readonly nextLink: () => Promise<string>
  readonly port: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** Opens a session by the link, once. */
  readonly enter: () => Promise<readonly (readonly [string, string])[]>
  readonly post: (
    target: string,
    body: unknown,
    headers?: readonly (readonly [string, string])[],
  ) => Promise<RawAnswer>
  /** Sends a signal, and returns the exit code when the process has ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

export interface CommandOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly words?: readonly string[]
}

const PATIENCE_MS = 60_000

/** Starts it and waits for its link. */
export async function startCommand({ cwd, env, words = [] }: CommandOptions): Promise<RunningCommand> {
  const child = spawn(...commandLine(["app", ...words]), {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", ...codeCache, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = once(child, "close") as Promise<[number | null]>
  const out = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (out[name] += text))
  const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS)
  await Promise.race([once(child.stdout, "data"), ended])
  clearTimeout(late)
  const link = out.stdout.trim()
  const port = Number(/:(\d+)\//.exec(link)?.[1])
  if (Number.isNaN(port)) throw new Error(`no link was printed\n${out.stdout}\n${out.stderr}`)
  let isUsed = false
  const nextLink = async (): Promise<string> => {
    if (isUsed) return (await callsheet(["app", "--print-link"], { folder: cwd, env })).stdout.trim()
    isUsed = true
    return link
  }
  const post: RunningCommand["post"] = async (target, body, headers = []) => {
    const all = [["host", `127.0.0.1:${port}`] as const, json, ...headers]
    return sendRaw(port, requestText({ method: "POST", target, body: JSON.stringify(body), headers: all }))
  }
  return {
    child,
    link,
    nextLink,
    port,
    stdout: () => out.stdout,
    stderr: () => out.stderr,
    enter: async () => {
      const answer = await post("/session", { link: secretOf(link) })
      const { key } = JSON.parse(answer.body) as { key: string }
      return [
        ["cookie", answer.headers["set-cookie"]?.split(";")[0] ?? ""],
        ["x-callsheet-key", key],
      ]
    },
    post,
    end: async (signal) => {
      child.kill(signal)
      return (await ended)[0]
    },
  }
}
