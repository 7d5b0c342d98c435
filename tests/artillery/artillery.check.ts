// The engine in a real Artillery: its metrics, failures, thresholds, and what it leaves behind.

import { spawn, type ChildProcess } from "node:child_process"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { load as parseYaml } from "js-yaml"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readSections } from "../docs/read-pages.ts"
import { createFolder, program } from "../harness/callsheet.ts"
import { artillery, installArtillery } from "./install.ts"

interface Result {
  readonly exitCode: number | null
  readonly text: string
  readonly counters: Readonly<Record<string, number>>
  readonly summaries: Readonly<Record<string, { readonly count: number; readonly p95: number }>>
}

let folder: string
let demo: ChildProcess

beforeAll(async () => {
  await installArtillery()
  folder = await createFolder()
  demo = spawn(process.execPath, [program, "demo", "shop", "--keep"], { cwd: folder })
  let text = ""
  await new Promise<void>((resolve, reject) => {
    demo.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes("Ctrl-C")) resolve()
    })
    demo.stderr?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes("Ctrl-C")) resolve()
    })
    demo.on("exit", () => reject(new Error(`the demo ended early\n${text}`)))
  })
})
afterAll(async () => {
  demo.removeAllListeners("exit")
  demo.kill("SIGINT")
  await rm(folder, { recursive: true, force: true })
})

/** Runs a load test in the project of the sample API. */
async function load(
  script: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const file = join(folder, "shop/load.json")
  const output = join(folder, "shop/result.json")
  await rm(output, { force: true })
  await writeFile(file, JSON.stringify(script))
  const child = spawn(artillery.node, [artillery.program, "run", "--output", output, file], {
    cwd: folder,
    env: {
      ...process.env,
      ...env,
      ARTILLERY_DISABLE_TELEMETRY: "true",
      PATH: `${artillery.node.replace(/\/node$/, "")}:${process.env["PATH"]}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let text = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()))
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve))
  const written = await readFile(output, "utf8").catch(() => "{}")
  const { aggregate } = JSON.parse(written) as { aggregate?: Pick<Result, "counters" | "summaries"> }
  return { exitCode, text, counters: aggregate?.counters ?? {}, summaries: aggregate?.summaries ?? {} }
}

const script = (
  scenario: Readonly<Record<string, unknown>>,
  { count = 5, duration = 1, ...config }: Readonly<Record<string, unknown>> = {},
) => ({
  config: {
    target: "unused",
    phases: [{ duration, arrivalCount: count }],
    engines: { callsheet: { env: "local", timeoutMs: 60_000 } },
    ...config,
  },
  scenarios: [{ engine: "callsheet", ...scenario }],
})

const secrets = async (): Promise<readonly string[]> => {
  const files = [
    "shop/apis/shop/environments/local.secrets.env",
    "shop/apis/payments/environments/local.secrets.env",
  ]
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8").catch(() => "")))
  return texts.flatMap((text) =>
    [...text.matchAll(/^\w+=(.+)$/gm)].map((match) => match[1]!.replaceAll(/["']/g, "")),
  )
}

describe("artillery-engine-callsheet", () => {
  it("runs 200 virtual users of a workflow, counts by operation, and shows no secret", async () => {
    const { exitCode, text, counters, summaries } = await load(
      script({ workflow: "checkout" }, { count: 200, duration: 10 }),
    )
    expect(exitCode, text).toBe(0)
    expect(counters).toMatchObject({ "vusers.created": 200, "vusers.completed": 200, "vusers.failed": 0 })
    expect(counters["callsheet.requests"]).toBeGreaterThanOrEqual(200 * 20)
    expect(counters["callsheet.codes.shop.createOrder.201"]).toBe(200)
    expect(summaries["callsheet.response_time.shop.createOrder"]?.count).toBe(200)
    expect(summaries["callsheet.workflow_time.checkout"]?.count).toBe(200)
    const known = await secrets()
    expect(known.length).toBeGreaterThan(0)
    const shown = text + JSON.stringify([counters, summaries])
    for (const secret of known) expect(shown).not.toContain(secret)
  })

  it("runs the load test of the guide", async () => {
    const blocks = readSections("docs/guide/scale.md").flatMap((section) => section.blocks)
    const fileOf = (title: string): string =>
      blocks.find(({ attributes }) => attributes["title"] === title)?.text ?? ""
    await writeFile(join(folder, "shop/rows.csv"), fileOf("rows.csv"))
    const { text, counters } = await load(parseYaml(fileOf("load.yml")) as Readonly<Record<string, unknown>>)
    // Its limit of the response time is for an idle machine.
    expect(text).toContain("ok: vusers.failed == 0")
    expect(counters["vusers.completed"]).toBeGreaterThan(50)
    expect(counters["callsheet.codes.shop.createOrder.201"]).toBe(counters["vusers.completed"])
  })

  it("leaves no script process behind", async () => {
    const pids = join(folder, "pids")
    await writeFile(
      join(folder, "shop/apis/workflow/pids.json"),
      JSON.stringify({
        version: 1,
        blocks: [{ id: "note", type: "script", script: { name: "note", exportName: "note" } }],
      }),
    )
    await createScript(
      "pids/note.ts",
      `import { appendFileSync } from "node:fs"\nexport const note = () => appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n")\n`,
    )
    const { exitCode, counters, text } = await load(script({ workflow: "pids" }))
    expect(exitCode, text).toBe(0)
    expect(counters["vusers.completed"]).toBe(5)
    const started = [...new Set((await readFile(pids, "utf8")).trim().split("\n").map(Number))]
    expect(started.length).toBeGreaterThan(0)
    await expect.poll(() => started.filter(isAlive), { timeout: 10_000 }).toEqual([])
  })

  it("reports failures by their codes, and fails by thresholds", async () => {
    await writeFile(
      join(folder, "shop/apis/workflow/fails.json"),
      JSON.stringify({
        version: 1,
        inputs: { size: { type: "number", required: true } },
        blocks: [
          {
            id: "list",
            type: "request",
            request: {
              api: "shop",
              operation: "listProducts",
              overrides: { params: { query: { size: "{{size}}" } } },
            },
          },
          {
            id: "check",
            type: "assert",
            assertions: [{ source: "list.response.status", operator: "equals", value: 404 }],
          },
        ],
      }),
    )
    const { exitCode, counters } = await load(
      script(
        { workflow: "fails", inputs: { size: "{{ size }}" } },
        {
          variables: { size: ["2"] },
          plugins: {
            ensure: {
              thresholds: [{ "callsheet.response_time.p95": 60_000 }],
              conditions: [{ expression: "vusers.failed == 0" }],
            },
          },
        },
      ),
    )
    expect(exitCode).toBe(1)
    expect(counters).toMatchObject({
      "vusers.failed": 5,
      "errors.assertion-failed": 5,
      "callsheet.failures.assertion-failed": 5,
      "callsheet.codes.shop.listProducts.200": 5,
    })
  })

  it("runs against production only if an environment variable allows it", async () => {
    const live = { extends: "local", level: "production" }
    await writeFile(join(folder, "shop/apis/shop/environments/live.json"), JSON.stringify(live))
    const engines = { callsheet: { env: { shop: "live", payments: "local" } } }
    const refused = await load(script({ workflow: "smoke" }, { engines }))
    expect(refused.text).toContain("set the environment variable CALLSHEET_YES=1")
    expect(refused.exitCode).toBe(2)
    expect(refused.counters).toMatchObject({ "errors.confirm-required": 5 })
    expect(refused.counters["callsheet.requests"]).toBeUndefined()
    const allowed = await load(script({ workflow: "smoke" }, { engines }), { CALLSHEET_YES: "1" })
    expect(allowed.exitCode, allowed.text).toBe(0)
    expect(allowed.counters).toMatchObject({ "vusers.completed": 5 })
  })

  it.each([
    ["a workflow that doesn't exist", { workflow: "chekout" }, {}, /chekout/],
    ["no workflow", {}, {}, /set "workflow" to the name of a callsheet workflow/],
    [
      "an unknown setting",
      { workflow: "smoke" },
      { engines: { callsheet: { env1: "local" } } },
      /unknown settings: env1/,
    ],
    [
      "a confirmation in the file",
      { workflow: "smoke" },
      { engines: { callsheet: { env: "local", yes: true } } },
      /remove it \(to allow production, set the environment variable CALLSHEET_YES=1\)/,
    ],
  ])("explains %s, and ends", async (_what, scenario, config, message) => {
    const { exitCode, text, counters } = await load(script(scenario, config))
    expect(text).toMatch(message)
    expect(counters["vusers.completed"]).toBeUndefined()
    expect(exitCode).toBe(2)
  })
})

async function createScript(path: string, text: string): Promise<void> {
  const { mkdir } = await import("node:fs/promises")
  const file = join(folder, "shop/apis/workflow/scripts", path)
  await mkdir(join(file, ".."), { recursive: true })
  await writeFile(file, text)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
