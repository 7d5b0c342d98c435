// Checks `callsheet run --suite`: the order of entries, the results that they share, and that cleanup always runs.

import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { RunReport } from "@callsheet/format"
import { startApi, type Answer, type ApiServer } from "../harness/api-server.ts"
import { callsheet, type CallOptions, type Files } from "../harness/callsheet.ts"
import { assert, document, echo, request, shopFiles } from "./shop-project.ts"

let api: ApiServer
let failing: string | undefined
/** The ids of the orders that exist. */
let orders: Set<string>

beforeEach(async () => {
  failing = undefined
  orders = new Set()
  let last = 0
  const create = (): Answer => {
    const id = `o${++last}`
    if (failing === "/orders") return { status: 500, body: {} }
    orders.add(id)
    if (failing === "after the order") return { status: 500, body: { id } }
    return { status: 201, body: { id } }
  }
  api = await startApi({
    "POST /orders": create,
    "/slow": () => undefined,
    "*": ({ method, path }) => {
      if (path === failing) return { status: 500, body: {} }
      const id = path.replace("/items/", "")
      if (method === "DELETE") return { status: orders.delete(id) ? 204 : 404 }
      return { body: { path } }
    },
  })
})
afterEach(async () => await api.close())

const workflow = (blocks: readonly unknown[], inputs?: Record<string, unknown>) => ({
  version: 1,
  inputs,
  blocks,
})
const path = (id: string, at: string) => request(id, { operation: at.slice(1) })
const pathItem = (operationId: string) => ({
  get: { operationId, tags: ["steps"], responses: { default: { description: "Any." } } },
})
const steps = ["login", "first", "second", "slow"]
const shop = {
  ...document,
  paths: { ...document.paths, ...Object.fromEntries(steps.map((step) => [`/${step}`, pathItem(step)])) },
}
const passes = (id: string, block: string, status: number) =>
  assert(id, [`${block}.response.status`, "equals", status])

const files = (suite: Readonly<Record<string, unknown>>, more: Files = {}): Files => ({
  ...shopFiles(api.url, [echo("get")]),
  "apis/shop/openapi.json": shop,
  "apis/workflow/sign-in.json": workflow([path("login", "/login"), passes("ok", "login", 200)]),
  "apis/workflow/checkout.json": workflow([
    path("first", "/first"),
    passes("first-ok", "first", 200),
    request("order", { operation: "create" }),
    path("second", "/second"),
    passes("second-ok", "second", 200),
  ]),
  "apis/workflow/cancel.json": workflow(
    [
      request("drop", { operation: "deleteItem", overrides: { params: { path: { id: "{{orderId}}" } } } }),
      passes("dropped", "drop", 204),
    ],
    { orderId: { type: "string", required: true } },
  ),
  "apis/workflow/browse.json": workflow(
    [request("look", { operation: "echo", overrides: { params: { query: { at: "{{where}}" } } } })],
    { where: { type: "string", default: "home" } },
  ),
  "callsheet.json": { version: 1, suites: { nightly: suite } },
  ...more,
})

const checkout = {
  workflow: "checkout",
  finally: [{ workflow: "cancel", inputs: { orderId: "{{order.response.body.id}}" } }],
}

async function run(given: Files, words: readonly string[] = [], options: CallOptions = {}) {
  const result = await callsheet(["run", "--suite", "nightly", "--json", ...words], {
    files: given,
    ...options,
  })
  return { ...result, runs: result.report?.runs ?? [] }
}

const outline = (runs: readonly RunReport[]) =>
  runs.map(({ entry, role, status, reason }) => [entry, role, reason ?? status].join(" "))

describe("a suite", () => {
  it("runs its parts in order, and cleans up what they set up last", async () => {
    const { exitCode, report, runs } = await run(
      files({
        before: [{ workflow: "sign-in", as: "login", finally: [{ workflow: "browse", as: "sign-out" }] }],
        workflows: ["browse", checkout],
        finally: [{ workflow: "browse", as: "purge" }],
      }),
    )
    expect(exitCode).toBe(0)
    expect(report?.status).toBe("passed")
    expect(outline(runs)).toEqual([
      "login before passed",
      "browse main passed",
      "checkout main passed",
      "cancel finally passed",
      "purge finally passed",
      "sign-out finally passed",
    ])
    expect(new Set(runs.map(({ suite }) => suite))).toEqual(new Set(["nightly"]))
    expect(orders.size).toBe(0)
  })

  it("shares the results of entries of before, and each value keeps its type", async () => {
    const before = [{ workflow: "sign-in", as: "login" }]
    const inputs = { where: "{{login.login.response.body.path}}/{{login.login.response.status}}" }
    const { runs } = await run(files({ before, workflows: [{ workflow: "browse", inputs }] }))
    expect(runs.map(({ inputs: used }) => used)).toEqual([{}, { where: "/login/200" }])
  })

  it("halts if an entry of before fails, and still runs its finally", async () => {
    failing = "/login"
    const { exitCode, runs } = await run(
      files({
        before: ["sign-in", { workflow: "browse", as: "seed" }],
        workflows: ["browse"],
        finally: [{ workflow: "browse", as: "purge" }],
      }),
    )
    expect(exitCode).toBe(1)
    expect(outline(runs)).toEqual([
      "sign-in before failed",
      "seed before halted",
      "browse main halted",
      "purge finally passed",
    ])
  })

  it("gives --input to main entries that don't set the input themselves", async () => {
    const own = { workflow: "browse", as: "own", inputs: { where: "own" } }
    const suite = { before: [{ workflow: "browse", as: "seed" }], workflows: ["browse", own] }
    const { runs } = await run(files(suite), ["--input", "where=flag"])
    expect(runs.map(({ inputs }) => inputs["where"])).toEqual(["home", "flag", "own"])
  })
})

describe("finally", () => {
  it.each([
    ["/first", ["checkout main failed", "cancel finally unresolved"]],
    ["/second", ["checkout main failed", "cancel finally passed"]],
  ])("leaves nothing behind if %s fails", async (at, expected) => {
    failing = at
    const { exitCode, runs } = await run(files({ workflows: [checkout] }))
    expect(exitCode).toBe(1)
    expect(outline(runs)).toEqual(expected)
    expect(orders.size).toBe(0)
  })

  it("doesn't fail a run if its inputs read a block that never ran", async () => {
    const branch = {
      id: "never",
      type: "condition",
      if: { source: "first.response.status", operator: "equals", value: 1 },
    }
    const blocks = [path("first", "/first"), { ...branch, then: [request("order", { operation: "create" })] }]
    const { exitCode, runs } = await run(
      files({ workflows: [checkout] }, { "apis/workflow/checkout.json": workflow(blocks) }),
    )
    expect(outline(runs)).toEqual(["checkout main passed", "cancel finally unresolved"])
    expect(exitCode).toBe(0)
  })

  it("is skipped if its inputs read a block whose request was refused", async () => {
    failing = "/orders"
    const { runs } = await run(files({ workflows: [checkout] }))
    expect(outline(runs)).toEqual(["checkout main passed", "cancel finally unresolved"])
  })

  it("runs if the refusal names what was made all the same", async () => {
    failing = "after the order"
    const { runs } = await run(files({ workflows: [checkout] }))
    expect(outline(runs)).toEqual(["checkout main passed", "cancel finally passed"])
    expect(orders.size).toBe(0)
  })

  it("fails the run if it fails itself, and doesn't hide the first failure", async () => {
    const wrong = { ...checkout, finally: [{ workflow: "cancel", inputs: { orderId: "nobody" } }] }
    const alone = await run(files({ workflows: [wrong] }))
    expect(alone.exitCode).toBe(1)
    expect(outline(alone.runs)).toEqual(["checkout main passed", "cancel finally failed"])
    failing = "/second"
    const both = await run(files({ workflows: [wrong] }))
    expect(outline(both.runs)).toEqual(["checkout main failed", "cancel finally failed"])
  })

  it("runs after each attempt, which a retry of requests that aren't idempotent requires", async () => {
    failing = "/second"
    const { runs } = await run(files({ workflows: [checkout] }), ["--retries", "1"])
    expect(runs.map(({ entry, attempt, status }) => [entry, attempt, status])).toEqual([
      ["checkout", 1, "failed"],
      ["cancel", 1, "passed"],
      ["checkout", 2, "failed"],
      ["cancel", 1, "passed"],
    ])
    expect(orders.size).toBe(0)
  })

  it("runs after Ctrl-C, and skips the entries that haven't started", async () => {
    const blocks = [request("order", { operation: "create" }), path("wait", "/slow")]
    const given = files(
      { workflows: [checkout, "browse"] },
      {
        "apis/workflow/checkout.json": workflow(blocks),
        "apis/shop/environments/local.json": { baseUrl: api.url },
      },
    )
    const words = ["run", "--suite", "nightly", "--reporter", "pretty", "--reporter", "json=report.json"]
    const signal = { name: "SIGINT", after: "order " } as const
    const { exitCode, stdout } = await callsheet(words, { files: given, signal })
    expect(exitCode).toBe(130)
    expect(stdout).toMatch(/✓ cancel \(cleanup\) passed/)
    expect(stdout).toMatch(/− browse skipped/)
    expect(orders.size).toBe(0)
  })

  it("ends after --cleanup-timeout once it was interrupted", async () => {
    const given = files(
      { workflows: [{ workflow: "checkout", finally: ["browse"] }] },
      {
        "apis/workflow/checkout.json": workflow([
          request("order", { operation: "create" }),
          path("wait", "/slow"),
        ]),
        "apis/workflow/browse.json": workflow([path("hang", "/slow")]),
      },
    )
    const words = ["run", "--suite", "nightly", "--cleanup-timeout", "200"]
    const result = await callsheet(words, { files: given, signal: { name: "SIGINT", after: "order " } })
    expect(result.exitCode).toBe(130)
    expect(result.stdout).toMatch(/✗ browse \(cleanup\) failed/)
  })

  it("keeps an entry from starting whose cleanup can't start", async () => {
    const broken = { "apis/workflow/cancel.json": { version: 1, blocks: [{ id: "x", type: "nothing" }] } }
    const last = { workflow: "checkout", finally: ["cancel"] }
    const { exitCode, runs } = await run(files({ workflows: [last] }, broken))
    expect(exitCode).toBe(2)
    expect(outline(runs)).toEqual(["checkout main halted", "cancel finally error"])
    expect(api.requests).toEqual([])
  })
})

describe("callsheet.json", () => {
  it("is used unless an option is given", async () => {
    const given = {
      ...files({ workflows: ["browse"] }),
      "apis/shop/environments/other.json": { baseUrl: api.url },
    }
    const settings = { version: 1, defaults: { env: { shop: "other" }, reporters: ["json"], retries: 1 } }
    const words = (...more: readonly string[]) => ["run", "browse", ...more]
    const given2 = { ...given, "callsheet.json": settings }
    const plain = JSON.parse((await callsheet(words(), { files: given2 })).stdout) as { runs: RunReport[] }
    expect(plain.runs[0]).toMatchObject({ environments: { shop: { name: "other" } }, attempt: 1 })
    const flag = await callsheet(words("--env", "shop=local", "--json"), { files: given2 })
    expect(flag.report?.runs[0]?.environments).toMatchObject({ shop: { name: "local" } })
  })

  it("chooses environments for a suite and an entry, and --env wins over both", async () => {
    const given = { ...files({}), "apis/shop/environments/other.json": { baseUrl: api.url } }
    const suite = {
      env: { shop: "local" },
      workflows: ["browse", { workflow: "browse", as: "other", env: { shop: "other" } }],
    }
    const all = { ...given, "callsheet.json": { version: 1, suites: { nightly: suite } } }
    const names = ({ runs }: { runs: readonly RunReport[] }) =>
      runs.map(({ environments }) => environments["shop"]?.name)
    expect(names(await run(all))).toEqual(["local", "other"])
    expect(names(await run(all, ["--env", "local"]))).toEqual(["local", "local"])
  })

  it.each<readonly [string, readonly string[], Readonly<Record<string, unknown>>, string]>([
    ["an unknown suite", ["--suite", "night"], { workflows: ["browse"] }, 'did you mean "nightly"?'],
    [
      "a name that nothing has",
      ["--suite", "nightly"],
      { workflows: [{ workflow: "browse", inputs: { where: "{{sed.x}}" } }] },
      "callsheet.json:",
    ],
    [
      "an input that the workflow doesn't have",
      ["--suite", "nightly"],
      { workflows: [{ workflow: "browse", inputs: { where2: "x" } }] },
      'did you mean "where"?',
    ],
    [
      "names beside it",
      ["browse", "--suite", "nightly"],
      { workflows: ["browse"] },
      "--suite can't be used with workflow names",
    ],
    [
      "--all beside it",
      ["--all", "--suite", "nightly"],
      { workflows: ["browse"] },
      "--suite can't be used with --all",
    ],
  ])("refuses %s before the first request", async (_, words, suite, text) => {
    const { exitCode, stderr } = await callsheet(["run", ...words], { files: files(suite) })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(text)
    expect(api.requests).toEqual([])
  })

  it("selects main entries of a suite with --grep", async () => {
    const { runs } = await run(files({ before: ["sign-in"], workflows: ["browse", checkout] }), [
      "--grep",
      "CHECK",
    ])
    expect(outline(runs).slice(0, 2)).toEqual(["sign-in before passed", "checkout main passed"])
  })
})
