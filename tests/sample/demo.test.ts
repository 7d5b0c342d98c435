// The sample project as a user runs it: with `callsheet demo`, and by hand against a running server.

import { cp, readdir, rm } from "node:fs/promises"
import type { BlockReport, Report } from "@callsheet/format"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startSampleApi, type SampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"
import { sampleRoot } from "./document.ts"

const secrets = ["kettle-lantern-47", "pk_sample_9f2b61c07d3e", "ledger-biscuit-88"]
const timeoutMs = 60_000

describe("the sample project", () => {
  let api: SampleApi
  let folder: string

  beforeAll(async () => {
    api = await startSampleApi()
    folder = await createFolder()
    await cp(sampleRoot, folder, { recursive: true })
  })
  afterAll(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })

  const run = async (...words: readonly string[]): Promise<Report> => {
    const where = [
      `--var=shop.baseUrl=${api.shopUrl}`,
      `--var=payments.baseUrl=${api.paymentsUrl}`,
      "--env=local",
    ]
    const { report, stderr, exitCode } = await callsheet(
      ["run", ...words, ...where, "--json", "--verify-no-leak"],
      {
        folder,
        timeoutMs,
      },
    )
    if (report === undefined || exitCode === 2 || stderr !== "") throw new Error(stderr)
    return report
  }

  it("passes completely, and every response matches its document", async () => {
    const report = await run("--all")
    expect(report.runs.map(({ workflow, status }) => `${workflow} ${status}`)).toEqual([
      "catalog passed",
      "checkout passed",
      "documents passed",
      "negative passed",
      "refund passed",
      "returns passed",
      "sessions passed",
      "smoke passed",
    ])
    const contracts = report.runs
      .flatMap(({ blocks }) => [...nested(blocks)])
      .filter(({ type }) => type === "request")
      .map(({ contract }) => contract?.status)
    expect(new Set(contracts)).toEqual(new Set(["passed"]))
  }, 60_000)

  it("accepts inputs", async () => {
    const report = await run(
      "checkout",
      "--input",
      "quantity=7",
      "--input",
      "sku=TLS-05",
      "--input",
      "express=true",
    )
    expect(report.status).toBe("passed")
    const blocks = [...nested(report.runs[0]!.blocks)]
    const order = blocks.find(({ id }) => id === "order")!.response!.body
    expect(order).toMatchObject({ express: true, lines: [{ sku: "TLS-05", quantity: 7 }, {}, {}] })
  })

  it("takes the other branches on request", async () => {
    const [returns, refund] = await Promise.all([
      run("returns", "--input", "minimum=1000000"),
      run("refund", "--input", "keep=true"),
    ])
    expect([returns.status, statusOf(returns, "kept"), statusOf(returns, "return")]).toEqual([
      "passed",
      "passed",
      "skipped",
    ])
    expect([refund.status, statusOf(refund, "parts")]).toEqual(["passed", "skipped"])
  })

  it("lets many runs share a server", async () => {
    const reports = await Promise.all(["checkout", "refund", "sessions", "checkout"].map((name) => run(name)))
    expect(reports.map(({ status }) => status)).toEqual(["passed", "passed", "passed", "passed"])
  }, 60_000)

  it("leaves no data in the shop", async () => {
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ email: "ada@shop.example", password: secrets[0] })
    const session = await fetch(`${api.shopUrl}/sessions`, { method: "POST", headers, body })
    const { token } = (await session.json()) as { token: string }
    const orders = await fetch(`${api.shopUrl}/orders`, { headers: { authorization: `Bearer ${token}` } })
    expect(await orders.json()).toEqual({ items: [] })
  })

  it("asks before it uses production, and has no secrets for it", async () => {
    const { exitCode, stderr } = await callsheet(["run", "smoke", "--env", "production"], { folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("CALLSHEET_VAR__SHOP__PASSWORD")
    const env = { CALLSHEET_VAR__SHOP__PASSWORD: "one-1111", CALLSHEET_VAR__PAYMENTS__API_KEY: "two-2222" }
    const asked = await callsheet(["run", "smoke", "--env", "production"], { folder, env })
    expect(asked.exitCode).toBe(2)
    expect(asked.stderr).toContain("(confirm-required)")
  })
})

describe("callsheet demo", () => {
  it("passes every workflow, over TLS too, suggests the next step, shows no secret and leaves no directory", async () => {
    // Use a separate temporary directory, because other demos may run on this machine.
    const temporary = await createFolder()
    const { exitCode, stdout, stderr } = await callsheet(["demo"], { timeoutMs, env: { TMPDIR: temporary } })
    expect([exitCode, stderr]).toEqual([0, ""])
    expect(stdout).toContain("8 workflows: 8 passed")
    expect(stdout).toContain("shop → tls")
    expect(stdout).toContain("What next\n  callsheet demo my-shop --keep")
    for (const secret of secrets) expect(stdout).not.toContain(secret)
    const left = (await readdir(temporary)).filter((name) => name.startsWith("callsheet-demo-"))
    expect(left).toEqual([])
    await rm(temporary, { recursive: true })
  }, 60_000)

  it("keeps the project if a directory is given, with its secrets out of git", async () => {
    const folder = await createFolder()
    try {
      const { exitCode } = await callsheet(["demo", "my-shop"], { folder, timeoutMs })
      expect(exitCode).toBe(0)
      expect(await readText(folder, "my-shop/.gitignore")).toBe("*.secrets.env\n")
      expect(await readText(folder, "my-shop/apis/workflow/checkout.json")).toContain("sign-in")
      expect(await readdir(`${folder}/my-shop`)).not.toContain("server")
      const again = await callsheet(["demo", "my-shop"], { folder })
      expect(again.exitCode).toBe(2)
      expect(again.stderr).toContain("is not empty (usage)")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }, 60_000)

  it("says which option of Node keeps its servers from starting", async () => {
    const env = { NODE_OPTIONS: "--disallow-code-generation-from-strings" }
    const { exitCode, stderr } = await callsheet(["demo"], { env, timeoutMs })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--disallow-code-generation-from-strings forbids (usage)")
  }, 60_000)

  it("with --keep runs the servers until Ctrl-C, and says how to use them", async () => {
    const signal = { name: "SIGINT", after: "until Ctrl-C" } as const
    const { exitCode, stdout } = await callsheet(["demo", "--keep"], { signal, timeoutMs })
    expect(exitCode).toBe(0)
    expect(stdout).toContain("\n  callsheet run checkout --env local")
  }, 60_000)
})

const statusOf = (report: Report, id: string) =>
  [...nested(report.runs[0]!.blocks)].find((block) => block.id === id)?.status

// The temporary directory belongs to the machine: other files there don't count.
function* nested(blocks: readonly BlockReport[]): Generator<BlockReport> {
  for (const block of blocks) {
    yield block
    yield* nested(block.blocks ?? [])
    for (const iteration of block.iterations ?? []) yield* nested(iteration.blocks)
  }
}
