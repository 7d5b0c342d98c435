// `run --inspect-scripts`: a debugger attaches, stops at lines of the `.ts` files, and lets the run continue.

import { connect, createServer, type AddressInfo } from "node:net"
import { once } from "node:events"
import { realpath, rm } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, type CallResult } from "../harness/callsheet.ts"
import { attach, type Debugger, type Params } from "../harness/debugger.ts"
import { shopFiles } from "../run/shop-project.ts"

const timeoutMs = 40_000

const main = `import type { AssertContext, ScriptContext, TransformContext } from "@callsheet/sdk"
import { double } from "./money"

enum Kind {
  One = "one",
  Two = "two",
}

interface Plan {
  readonly total: number
}

export const plan = (ctx: TransformContext): Plan & { kind: Kind } => {
  const start: number = Number(ctx.inputs["start"] ?? 20)
  const total = double(start)
  return { total, kind: Kind.One }
}

export const check = (ctx: AssertContext): void => {
  const total = ctx.get("plan.total")
  debugger
  ctx.assert(total === 40, "the total is wrong")
}

export const pid = (ctx: ScriptContext): void => ctx.log(process.pid)

export const change = (ctx: ScriptContext): void => {
  Object.assign(globalThis, { changed: true })
  ctx.log(process.pid)
}

export const slow = async (ctx: ScriptContext): Promise<void> => {
  await ctx.sleep(300)
  ctx.log(process.pid)
}

export const exit = (): void => process.exit(3)
`

const money = `interface Money {
  amount: number
}

export const double = (amount: number): number => {
  const money: Money = { amount }
  return money.amount * 2
}
`

const script = (type: string, exportName: string, more: object = {}) => ({
  id: exportName,
  type,
  script: { name: "main", exportName },
  ...more,
})
const plan = script("transform", "plan")
const check = script("assert", "check")
const pid = script("script", "pid")
const send = { id: "send", type: "request", request: { api: "shop", operation: "echo" } }

let api: ApiServer
const folders: string[] = []

beforeAll(async () => {
  api = await startApi({ "*": { body: {} } })
})
afterAll(async () => {
  await api.close()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
})

async function project(blocks: readonly unknown[], workflow: object = {}): Promise<string> {
  const folder = await createFolder({
    ...shopFiles(api.url, blocks, { ...workflow }),
    "apis/workflow/scripts/w/main.ts": main,
    "apis/workflow/scripts/w/money.ts": money,
  })
  folders.push(folder)
  return realpath(folder)
}

const scriptUrl = (folder: string, name: string): string =>
  pathToFileURL(join(folder, "apis/workflow/scripts/w", name)).href

/** The addresses where processes wait for a debugger, from standard error. */
const addressesIn = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^Debugger listening on (ws:\S+)$/gm)].map(([, address]) => address ?? "")

interface Inspection {
  readonly folder: string
  readonly words?: readonly string[]
  /** The debugger's actions for each waiting process, from first to last. */
  readonly debug: (debug: Debugger, number: number, address: string) => Promise<void>
  readonly env?: Readonly<Record<string, string>>
}

/** Runs `w` with a debugger that attaches to every waiting process. */
async function inspect({ folder, words = [], debug, env = {} }: Inspection): Promise<CallResult> {
  const sessions: Promise<void>[] = []
  const attachTo = async (address: string, number: number): Promise<void> => {
    const attached = await attach(address)
    try {
      await attached.send("Runtime.enable")
      await attached.send("Debugger.enable")
      await debug(attached, number, address)
    } finally {
      attached.close()
    }
  }
  const result = await callsheet(["run", "w", "--json", "--inspect-scripts=0", ...words], {
    folder,
    timeoutMs,
    env,
    onStderr: (text) => {
      for (const address of addressesIn(text).slice(sessions.length)) {
        const session = attachTo(address, sessions.length)
        // The rejection is checked below. Don't report it as unhandled.
        session.catch(() => undefined)
        sessions.push(session)
      }
    },
  })
  await Promise.all(sessions)
  return result
}

const go = (debug: Debugger): Promise<unknown> => debug.send("Runtime.runIfWaitingForDebugger")
const breakAt = (debug: Debugger, url: string, line: number): Promise<Params> =>
  debug.send("Debugger.setBreakpointByUrl", { url, lineNumber: line - 1 })

interface Stop {
  readonly url: string
  readonly line: number
  readonly functionName: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Waits until the process pauses, returns where, and resumes it. */
async function stopAndGo(debug: Debugger, urls: ReadonlyMap<string, string>): Promise<Stop> {
  const { callFrames } = (await debug.next("Debugger.paused")) as unknown as { callFrames: readonly Frame[] }
  const { location, functionName, scopeChain } = callFrames[0]!
  const { objectId } = scopeChain[0]!.object
  const { result } = (await debug.send("Runtime.getProperties", { objectId })) as unknown as {
    result: readonly { name: string; value?: { value?: unknown } }[]
  }
  // The process may end before it responds. If it shouldn't have, the next request to it fails.
  await debug.send("Debugger.resume").catch(() => undefined)
  return {
    url: urls.get(location.scriptId) ?? location.scriptId,
    line: location.lineNumber + 1,
    functionName,
    variables: Object.fromEntries(result.map(({ name, value }) => [name, value?.value])),
  }
}

interface Frame {
  readonly functionName: string
  readonly location: { readonly scriptId: string; readonly lineNumber: number }
  readonly scopeChain: readonly { readonly object: { readonly objectId: string } }[]
}

/** Collects the scripts until those files are among them. */
async function scriptsOf(debug: Debugger, files: readonly string[]): Promise<Map<string, Params>> {
  const found = new Map<string, Params>()
  while (found.size < files.length) {
    const parsed = await debug.next("Debugger.scriptParsed")
    if (files.includes(String(parsed["url"]))) found.set(String(parsed["url"]), parsed)
  }
  return found
}

const urlsById = (scripts: ReadonlyMap<string, Params>): ReadonlyMap<string, string> =>
  new Map([...scripts].map(([url, parsed]) => [String(parsed["scriptId"]), url]))

const logsOf = ({ report }: CallResult): readonly string[] =>
  report?.runs[0]?.blocks.flatMap((block) => [
    ...(block.logs ?? []),
    ...(block.iterations ?? []).flatMap(({ blocks }) => blocks.flatMap(({ logs }) => logs ?? [])),
  ]) ?? []

describe("run --inspect-scripts", () => {
  it(
    "stops at lines of the script and its imports, and at its debugger statement",
    { timeout: timeoutMs },
    async () => {
      const folder = await project([plan, check])
      const [mainUrl, moneyUrl] = [scriptUrl(folder, "main.ts"), scriptUrl(folder, "money.ts")]
      const stops: Stop[] = []
      let mapped: unknown
      const result = await inspect({
        folder,
        debug: async (debug) => {
          await breakAt(debug, mainUrl, 15)
          await breakAt(debug, moneyUrl, 7)
          await go(debug)
          const scripts = await scriptsOf(debug, [mainUrl, moneyUrl])
          mapped = readMap(String(scripts.get(mainUrl)?.["sourceMapURL"]))
          for (let stop = 0; stop < 3; stop++) stops.push(await stopAndGo(debug, urlsById(scripts)))
        },
      })
      expect(stops).toMatchObject([
        { url: mainUrl, line: 15, functionName: "plan", variables: { start: 20 } },
        { url: moneyUrl, line: 7, functionName: "double", variables: { amount: 20 } },
        { url: mainUrl, line: 21, functionName: "check", variables: { total: 40 } },
      ])
      expect(mapped).toEqual({ sources: [mainUrl], sourcesContent: [main] })
      expect(result).toMatchObject({ exitCode: 0, report: { status: "passed" } })
      expect(logsOf(result)).toEqual([])
    },
  )

  it(
    "runs all scripts in one process, one at a time and without timeouts, whatever they change",
    { timeout: timeoutMs },
    async () => {
      const slow = script("script", "slow", { timeoutMs: 100 })
      const loop = {
        id: "loop",
        type: "loop",
        mode: "times",
        count: 4,
        execution: "parallel",
        blocks: [slow],
      }
      const folder = await project([script("script", "change"), loop, pid])
      const result = await inspect({
        folder,
        words: ["--concurrency", "8"],
        debug: async (debug) => void (await go(debug)),
      })
      expect(result).toMatchObject({ exitCode: 0, report: { status: "passed" } })
      const pids = logsOf(result)
      expect(pids).toHaveLength(6)
      expect(new Set(pids).size).toBe(1)
      expect(result.stderr).toMatch(
        /^scripts wait for a debugger to attach to 127\.0\.0\.1:\d+; .* without a time limit$/m,
      )
    },
  )

  it("waits on the same port again when a script has ended the process", { timeout: timeoutMs }, async () => {
    const folder = await project([script("script", "exit"), plan], { onFailure: "continue" })
    const attached: number[] = []
    const result = await inspect({
      folder,
      debug: async (debug, number) => {
        attached.push(number)
        await go(debug)
        // Wait until the process has ended, because a debugger doesn't detach by itself.
        await debug.next("never").catch(() => undefined)
      },
    })
    expect(attached).toEqual([0, 1])
    const [first, second] = addressesIn(result.stderr).map((address) => new URL(address).port)
    expect(second).toBe(first)
    expect(result.report?.runs[0]?.blocks).toMatchObject([
      { status: "failed", error: { message: expect.stringContaining("exit code 3") as string } },
      { status: "passed" },
    ])
  })

  it(
    "sends nothing before a debugger attaches, and nothing at all if interrupted before",
    { timeout: timeoutMs },
    async () => {
      const folder = await project([send, plan])
      const before = api.requests.length
      const waiting = { name: "SIGINT", after: "scripts wait" } as const
      const result = await callsheet(["run", "w", "--json", "--inspect-scripts=0"], {
        folder,
        timeoutMs,
        signal: waiting,
      })
      expect(result).toMatchObject({ exitCode: 130, report: { runs: [{ status: "failed" }] } })
      expect(api.requests.length).toBe(before)
      await expect(attach(addressesIn(result.stderr)[0] ?? "")).rejects.toThrow("no debugger can attach")
    },
  )

  it("ends on Ctrl-C while a script is paused at a breakpoint", { timeout: timeoutMs }, async () => {
    const folder = await project([plan, check])
    let paused = false
    const debug = async (attached: Debugger): Promise<void> => {
      await go(attached)
      await attached.next("Debugger.paused")
      paused = true
      await attached.send("Runtime.evaluate", { expression: `process.kill(process.ppid, "SIGINT")` })
      await attached.next("never").catch(() => undefined)
    }
    const result = await inspect({ folder, debug })
    expect(paused).toBe(true)
    expect(result).toMatchObject({ exitCode: 130 })
  })

  it("reports that the port is taken, and sends nothing", { timeout: timeoutMs }, async () => {
    const folder = await project([send, plan])
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const { port } = taken.address() as AddressInfo
    const before = api.requests.length
    const result = await callsheet(["run", "w", "--json", `--inspect-scripts=${port}`], { folder, timeoutMs })
    taken.close()
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(
      `can't wait for a debugger on port ${port} of 127.0.0.1: another program listens there`,
    )
    expect(result.stderr).toContain("--inspect-scripts=0")
    expect(api.requests.length).toBe(before)
  })

  it("listens only on 127.0.0.1", { timeout: timeoutMs }, async () => {
    const reached: string[] = []
    const result = await inspect({
      folder: await project([plan]),
      debug: async (debug, _number, address) => {
        const { hostname, port } = new URL(address)
        // All of 127.0.0.0/8 is this machine, so a server on all addresses would respond at the second too.
        reached.push(hostname, await reach(hostname, port), await reach("127.0.0.2", port))
        await go(debug)
      },
    })
    expect(reached).toEqual(["127.0.0.1", "reached", "refused"])
    expect(result.exitCode).toBe(0)
  })

  it(
    "never listens without the flag, even if NODE_OPTIONS made the command listen",
    { timeout: timeoutMs },
    async () => {
      const asks = `import { url } from "node:inspector"
export const fn = (ctx) => ctx.log(url() ?? "no debugger", process.env.NODE_OPTIONS)`
      const block = { id: "ask", type: "script", script: { name: "ask", exportName: "fn" } }
      const files = { ...shopFiles(api.url, [block]), "apis/workflow/scripts/w/ask.ts": asks }
      const result = await callsheet(["run", "w", "--json"], {
        files,
        timeoutMs,
        env: { NODE_OPTIONS: "--inspect=127.0.0.1:0 --max-http-header-size=20000 --inspect-port=0" },
      })
      expect(result.exitCode).toBe(0)
      expect(logsOf(result)).toEqual(["no debugger --max-http-header-size=20000"])
    },
  )

  it(
    "doesn't wait if an editor's terminal has already attached to the process",
    { timeout: timeoutMs },
    async () => {
      const folder = await project([plan])
      const opens = `const { isMainThread } = require("node:worker_threads")
        if (isMainThread && process.argv.some((word) => word.endsWith("script-child.js"))) require("node:inspector").open(0, "127.0.0.1")`
      const preload = await createFolder({ "preload.cjs": opens })
      folders.push(preload)
      const result = await callsheet(["run", "w", "--json", "--inspect-scripts=0"], {
        folder,
        timeoutMs,
        env: { NODE_OPTIONS: `--require ${join(preload, "preload.cjs")}` },
      })
      expect(result).toMatchObject({ exitCode: 0, stderr: "" })
    },
  )

  it("reports problems of the files first, without waiting", { timeout: timeoutMs }, async () => {
    const folder = await project([plan, { ...plan, id: "other", script: { name: "nope", exportName: "fn" } }])
    const result = await callsheet(["run", "w", "--json", "--inspect-scripts=0"], { folder, timeoutMs })
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("script-missing")
    expect(addressesIn(result.stderr)).toEqual([])
  })

  it(
    "reports that there is nothing to wait for if the workflow has no scripts",
    { timeout: timeoutMs },
    async () => {
      const files = shopFiles(api.url, [send])
      const result = await callsheet(["run", "w", "--json", "--inspect-scripts"], { files, timeoutMs })
      expect(result.exitCode).toBe(0)
      expect(result.stderr).toMatch(/^warning: .*the workflow has no scripts/m)
    },
  )
})

function readMap(url: string): unknown {
  const { sources, sourcesContent } = JSON.parse(
    Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString(),
  ) as { sources: unknown; sourcesContent: unknown }
  return { sources, sourcesContent }
}

async function reach(host: string, port: string): Promise<string> {
  const socket = connect(Number(port), host)
  try {
    await once(socket, "connect")
    return "reached"
  } catch {
    return "refused"
  } finally {
    socket.destroy()
  }
}
