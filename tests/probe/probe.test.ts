// `callsheet probe` through the built command: what it sends, finds, writes, refuses and cleans up.

import { describe, expect, it } from "vitest"
import { callsheet, readText, textsIn, type CallOptions } from "../harness/callsheet.ts"
import { openShop, shopDocument, type Shop } from "./probe-project.ts"

interface Finding {
  readonly operation: string
  readonly parameter: string
  readonly value: unknown
  readonly status: number | null
  readonly kind: string
  readonly workflow: string
  readonly row: number
}

async function probe({ folder }: Shop, words: readonly string[] = [], options: CallOptions = {}) {
  const called = await callsheet(["probe", "--api", "shop", "--json", ...words], { folder, ...options })
  const report = called.stdout === "" ? undefined : (JSON.parse(called.stdout) as ProbeReport)
  return { ...called, requests: report?.requests ?? 0, findings: report?.findings ?? [], report }
}

interface ProbeReport {
  readonly requests: number
  readonly findings: readonly Finding[]
}

const runSuite = ({ folder }: Shop) =>
  callsheet(["run", "--suite", "probe", "--reporter", "json"], { folder })

const kindsOf = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.map(({ parameter, kind, status }) => `${parameter} ${kind} ${status}`)),
]

describe("what probes find", () => {
  it("is a server error, an accepted invalid value and an undocumented status", async () => {
    const shop = await openShop({ faults: ["crashes", "accepts", "invents"] })
    const { exitCode, findings, report } = await probe(shop)
    expect(exitCode).toBe(1)
    expect(kindsOf(findings)).toEqual([
      "body.name server-error 500",
      "body.price accepted-invalid 201",
      "body.email undocumented-status 418",
    ])
    expect(Object.keys(report ?? {})).toEqual(["requests", "findings"])
    expect(findings.find(({ parameter }) => parameter === "body.price")).toEqual({
      operation: "createItem",
      parameter: "body.price",
      value: -1,
      status: 201,
      kind: "accepted-invalid",
      workflow: "probe-create-item",
      row: 2,
    })
  })

  it("is a connection that breaks, or an answer that never arrives, which has no status", async () => {
    const broken = await probe(await openShop({ faults: ["breaks"] }))
    expect(kindsOf(broken.findings)).toEqual(["body.name server-error null"])
    const slow = await probe(await openShop({ faults: ["hangs"], environment: { timeout: 300 } }))
    expect(kindsOf(slow.findings)).toEqual(["body.name server-error null"])
  })

  it("isn't a valid request that gets no answer", async () => {
    const shop = await openShop({ faults: ["lists nothing"] })
    const before = await textsOf(shop)
    const { exitCode, findings, stderr } = await probe(shop, ["--operation", "listItems"])
    expect({ exitCode, findings }).toEqual({ exitCode: 2, findings: [] })
    expect(stderr).toContain("not probed: listItems: call: the server closed the connection")
    expect(await textsOf(shop)).toEqual(before)
  })

  it("is kept if the server can't be reached after it", async () => {
    const shop = await openShop({ faults: ["ends"] })
    const { exitCode, findings, stderr } = await probe(shop)
    expect(exitCode).toBe(1)
    expect(kindsOf(findings)).toEqual(["body.name server-error null"])
    expect(stderr).toContain("refused the connection (ECONNREFUSED) (request-failed)")
    expect(await readFile(shop, "data/probe-create-item.ndjson")).toContain("body-name-max-length")
  })

  it("has names as those of generated blocks", async () => {
    const shop = await openShop({ faults: ["fails to list"] })
    await probe(shop)
    const names = Object.keys(await textsOf(shop)).filter((file) => file.includes("probe"))
    expect(names).toEqual([
      "apis/shop/requests/items/probe-list-items-valid.json",
      "apis/workflow/probe-list-items.json",
      "data/probe-list-items.ndjson",
    ])
  })

  it("is nothing if the server keeps its contract", async () => {
    const shop = await openShop()
    const { exitCode, stderr, ...found } = await probe(shop)
    expect({ exitCode, stderr, findings: found.findings }).toEqual({ exitCode: 0, stderr: "", findings: [] })
    expect(shop.server.requests.length).toBeGreaterThan(50)
    expect(Object.keys(await textsOf(shop)).filter((file) => file.includes("probe"))).toEqual([])
  })

  it("is the same when it is probed again, and changes no file", async () => {
    const shop = await openShop({ faults: ["crashes", "accepts", "invents"] })
    const first = await probe(shop)
    const files = await textsOf(shop)
    shop.server.forget()
    const second = await probe(shop)
    expect(second.stdout).toBe(first.stdout)
    expect(await textsOf(shop)).toEqual(files)
  })

  it("isn't what the baseline lists", async () => {
    const shop = await openShop({ faults: ["crashes", "accepts"], files: baseline() })
    const { exitCode, findings } = await probe(shop)
    expect({ exitCode, kinds: kindsOf(findings) }).toEqual({
      exitCode: 1,
      kinds: ["body.name server-error 500"],
    })
    shop.faults.delete("crashes")
    const { stdout } = await callsheet(["probe", "--api", "shop"], { folder: shop.folder })
    expect(stdout).toMatch(/^\d+ requests to 4 operations: no findings, 1 more known\n$/)
  })
})

const textsOf = ({ folder }: Shop) => textsIn(folder)

const readFile = async ({ folder }: Shop, file: string): Promise<string> =>
  (await readText(folder, file)) ?? ""

const finding = {
  operation: "createItem",
  parameter: "body.price",
  kind: "accepted-invalid",
  reason: "prices below zero are refunds",
}

const baseline = (more: object = {}) => ({
  "callsheet.baseline.json": { version: 1, violations: [], findings: [{ ...finding, ...more }] },
})

describe("the written workflow", () => {
  it("fails with its rows until the server is fixed, and leaves nothing behind", async () => {
    const shop = await openShop({ faults: ["crashes", "accepts", "invents"] })
    const { findings } = await probe(shop)
    expect((await callsheet(["validate"], { folder: shop.folder })).exitCode).toBe(0)
    const red = await runSuite(shop)
    expect(red.exitCode).toBe(1)
    const failed = red.report?.runs.filter(({ status }) => status === "failed")
    expect(failed?.map(({ row }) => row)).toEqual(findings.map(({ row }) => row))
    expect(shop.items.size).toBe(0)
    shop.faults.clear()
    expect((await runSuite(shop)).exitCode).toBe(0)
  })

  it("also runs by its name with the file of rows", async () => {
    const shop = await openShop({ faults: ["crashes"] })
    const [found] = (await probe(shop)).findings
    const rows = ["--data", `data/${found?.workflow}.ndjson`]
    const { exitCode, stdout } = await callsheet(["run", `${found?.workflow}`, ...rows], {
      folder: shop.folder,
    })
    expect(exitCode).toBe(1)
    expect(stdout).toContain("call.response.status is less than")
  })

  it("doesn't run with --all, because it needs a row", async () => {
    const shop = await openShop({ faults: ["crashes"] })
    await probe(shop)
    const { stderr } = await callsheet(["run", "--all"], { folder: shop.folder })
    expect(stderr).toContain('every workflow is one of the "helpers" in callsheet.json')
  })

  it("keeps the rows of findings that are fixed", async () => {
    const shop = await openShop({ faults: ["crashes"] })
    await probe(shop)
    shop.faults.clear()
    shop.faults.add("accepts")
    const { findings } = await probe(shop)
    expect(findings.map(({ row }) => row)).toEqual([2])
    const rows = await readFile(shop, "data/probe-create-item.ndjson")
    expect(rows.split("\n").map((line) => /"request":"([^"]+)"/.exec(line)?.[1])).toEqual([
      "probe-create-item-body-name-max-length",
      "probe-create-item-body-price-minimum",
      undefined,
    ])
  })

  it("never replaces a workflow of a person", async () => {
    const own = {
      version: 1,
      blocks: [{ id: "list", type: "request", request: { api: "shop", operation: "listItems" } }],
    }
    const file = "apis/workflow/probe-create-item.json"
    const shop = await openShop({ faults: ["crashes"], files: { [file]: own } })
    const { findings } = await probe(shop)
    expect(findings[0]?.workflow).toBe("probe-create-item-2")
    expect(JSON.parse(await readFile(shop, file))).toEqual(own)
  })

  it("keeps what a person changed in it", async () => {
    const shop = await openShop({ faults: ["crashes"] })
    await probe(shop)
    const file = "apis/workflow/probe-create-item.json"
    const edited = (await readFile(shop, file)).replace('"answered"', '"passed"')
    await callsheet(["list", "apis"], { folder: shop.folder, files: { [file]: edited } })
    await probe(shop)
    expect(await readFile(shop, file)).toBe(edited)
  })
})

describe("the requests of probes", () => {
  it("differ from a valid saved request in one value", async () => {
    const saved = { version: 1, operation: "createItem", body: { name: "Mug", price: 12, tags: ["blue"] } }
    const invalid = { ...saved, body: { name: "", price: 12 } }
    const requests = "apis/shop/requests/items"
    const shop = await openShop({
      files: { [`${requests}/mug.json`]: saved, [`${requests}/a-mistake.json`]: invalid },
    })
    await probe(shop, ["--operation", "createItem"])
    const bodies = shop.server.requests.flatMap(({ method, json: body }) => (method === "POST" ? [body] : []))
    expect(bodies[0]).toEqual(saved.body)
    expect(bodies).toContainEqual({ ...saved.body, price: -1 })
    expect(bodies).toContainEqual({ ...saved.body, tags: [12_345] })
    expect(bodies).toContainEqual({ ...saved.body, callsheetProbe: "callsheet" })
    expect(bodies).toContainEqual({ name: "Mug", tags: ["blue"] })
  })

  it("are never more than --max, without those that clean up", async () => {
    const shop = await openShop()
    const { requests, stderr } = await probe(shop, ["--max", "9", "--operation", "getItem"])
    const sent = shop.server.requests.filter(({ method }) => method !== "DELETE")
    expect(sent.length).toBe(requests)
    expect(requests).toBe(8)
    expect(stderr).toMatch(/^--max 9 left out \d+ probes; raise it to send them\n$/)
  })

  it("never reach production", async () => {
    const shop = await openShop({ environment: { level: "production" } })
    const { exitCode, stdout, stderr } = await probe(shop)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toContain("callsheet probe never sends to production: local (confirm-required)")
    expect((await probe(shop, ["--yes"])).exitCode).toBe(2)
    expect(shop.server.requests).toEqual([])
  })

  it("leave nothing behind if Ctrl-C interrupts them", async () => {
    let resolve = (): void => undefined
    const created = new Promise<void>((end) => (resolve = end))
    const onCreated = ({ price }: { readonly price: number }): void => void (price < 0 && resolve())
    const shop = await openShop({ faults: ["accepts"], onCreated })
    const { exitCode } = await probe(shop, [], { signal: { name: "SIGINT", after: created } })
    expect(exitCode).toBe(130)
    expect(shop.items.size).toBe(0)
  })

  it("say what couldn't be deleted", async () => {
    const shop = await openShop({ faults: ["keeps"] })
    const { stderr } = await probe(shop, ["--operation", "createItem"])
    expect(stderr).toContain(`leftover: ${shop.server.url}/items/1, created by POST /items`)
  })

  it("skip an operation that refuses its valid request", async () => {
    const shop = await openShop({ faults: ["refuses"] })
    const { exitCode, stderr } = await probe(shop)
    expect(stderr.split("\n")).toEqual([
      "not probed: createItem: its valid request was answered with 400",
      "not probed: getItem: create-item-passed: 1 of 1 assertion failed",
      "not probed: deleteItem: create-item-passed: 1 of 1 assertion failed",
      "",
    ])
    expect(exitCode).toBe(0)
    expect((await probe(shop, ["--operation", "createItem"])).exitCode).toBe(2)
  })

  it.each([
    ["the port is closed", "http", "refused the connection (ECONNREFUSED) (request-failed)"],
    ["the server speaks no TLS", "https", "the server does not speak TLS on port"],
  ])("stop at once if %s", async (_, scheme, message) => {
    const shop = await openShop()
    const environment = { baseUrl: shop.server.url.replace("http", scheme) }
    if (scheme === "http") await shop.server.close()
    const files = { "apis/shop/environments/local.json": environment }
    const called = await callsheet(["probe", "--api", "shop"], { folder: shop.folder, files })
    expect(called).toMatchObject({ exitCode: 2, stdout: "" })
    expect(called.stderr).toContain(message)
    expect(called.stderr.match(/request-failed/g)).toHaveLength(1)
    expect(Object.keys(await textsOf(shop)).filter((file) => file.includes("probe"))).toEqual([])
  })

  it("skip an operation for which no value can be decided, and exit with 2 if none is left", async () => {
    const { get } = shopDocument.paths["/items/{itemId}"]
    const parameters = [{ name: "itemId", in: "path", required: true, schema: { type: "integer" } }]
    const document = { ...shopDocument, paths: { "/items/{itemId}": { parameters, get } } }
    const shop = await openShop({ files: { "apis/shop/openapi.json": document } })
    const { exitCode, stderr } = await probe(shop)
    expect(stderr).toContain(
      "not probed: getItem: no value can be decided for `itemId`; save a valid request",
    )
    expect(exitCode).toBe(2)
  })
})

describe("texts of a document", () => {
  it("are never placeholders", async () => {
    const secret = "{{env.shop.token}}"
    const document = JSON.stringify(shopDocument)
      .replace('"enum":["slow","fast"]', `"enum":["${secret}"]`)
      .replace('"maxItems":3', `$&,"example":["${secret}"]`)
      .replace('"minLength":1', `"example":"${secret}"`)
    const files = {
      "apis/shop/openapi.json": document,
      "apis/shop/environments/local.secrets.env": "token=tea-and-biscuits\n",
    }
    const shop = await openShop({ faults: ["crashes", "accepts", "invents"], files })
    await probe(shop)
    const sent = shop.server.requests.map(({ url, headers, text }) => JSON.stringify([url, headers, text]))
    expect(sent.join()).toContain("{{env.shop.token}}")
    expect(sent.join()).not.toContain("biscuits")
    expect(Object.values(await textsOf(shop)).join()).not.toContain('tea-and-biscuits"')
  })
})

describe("the command", () => {
  it.each([
    ["no API", ["probe"], "--api is missing (usage)"],
    ["an unknown API", ["probe", "--api", "shp"], "api-unknown"],
    ["an unknown operation", ["probe", "--api", "shop", "--operation", "creatItem"], "operation-unknown"],
    ["a maximum of 0", ["probe", "--api", "shop", "--max", "0"], "--max must be a whole number"],
  ])("refuses %s", async (_, words, message) => {
    const { folder } = await openShop()
    const { exitCode, stderr } = await callsheet(words, { folder })
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it("says nothing of findings if it could send nothing", async () => {
    const { folder } = await openShop({ files: { "apis/shop/environments/local.json": {} } })
    const { exitCode, stdout, stderr } = await callsheet(["probe", "--api", "shop"], { folder })
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain("variable-missing")
  })

  it("masks secrets in what it prints", async () => {
    const document = JSON.stringify(shopDocument).replace('"minLength"', '"example":"tea-and-biscuits",$&')
    const shop = await openShop({
      faults: ["crashes"],
      files: {
        "apis/shop/openapi.json": document,
        "apis/shop/environments/local.secrets.env": "token=tea-and-biscuits\n",
      },
    })
    for (const more of [["--json"], []]) {
      const { stdout, stderr } = await callsheet(["probe", "--api", "shop", ...more], { folder: shop.folder })
      expect(`${stdout}${stderr}`).toContain("***")
      expect(`${stdout}${stderr}`).not.toContain("biscuits")
    }
  })
})

describe("known findings in the baseline", () => {
  it("need no list of violations", async () => {
    const files = { "callsheet.baseline.json": { version: 1, findings: [finding] } }
    const shop = await openShop({ faults: ["accepts"], files })
    expect((await probe(shop)).exitCode).toBe(0)
    expect((await callsheet(["validate"], { folder: shop.folder })).exitCode).toBe(0)
  })

  it("may name the API, and the operation by method and path", async () => {
    const here = await openShop({
      faults: ["accepts"],
      files: baseline({ api: "shop", operation: "POST /items" }),
    })
    expect((await probe(here)).exitCode).toBe(0)
    const elsewhere = await openShop({ faults: ["accepts"], files: baseline({ api: "payments" }) })
    expect((await probe(elsewhere)).exitCode).toBe(1)
  })

  it("need a reason, have no other fields, and one of three kinds", async () => {
    const validate = async (more: object) => {
      const { folder } = await openShop({ files: baseline(more) })
      return callsheet(["validate"], { folder })
    }
    expect((await validate({ reason: "" })).stdout).toContain(
      'the known finding "body.price" of createItem has no reason',
    )
    expect((await validate({ status: 201 })).stdout).toContain('findings[0]: unknown field "status"')
    expect((await validate({ kind: "slow" })).exitCode).toBe(1)
  })

  it("stay when a run adds violations", async () => {
    const list = { id: "list", type: "request", request: { api: "shop", operation: "getItem" } }
    const block = { ...list, request: { ...list.request, overrides: { params: { path: { itemId: "0" } } } } }
    const document = JSON.stringify(shopDocument).replaceAll('"400"', '"409"')
    const shop = await openShop({
      files: {
        ...baseline(),
        "apis/shop/openapi.json": document,
        "apis/workflow/read.json": { version: 1, validateContracts: true, blocks: [block] },
      },
    })
    await callsheet(["run", "read", "--update-baseline"], { folder: shop.folder })
    const { violations, findings } = JSON.parse(await readFile(shop, "callsheet.baseline.json")) as {
      readonly violations: readonly unknown[]
      readonly findings: readonly unknown[]
    }
    expect(violations).toHaveLength(1)
    expect(findings).toEqual([finding])
  })
})
