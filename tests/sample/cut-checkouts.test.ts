// Fails, times out or interrupts a checkout at each of its blocks. Then the suite's `finally` deletes the order, or the
// run lists it. Without FULL_SIZE, tries the slower ways only at some blocks.

import { once } from "node:events"
import { cp, readFile, rm } from "node:fs/promises"
import { createServer, request as openRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { walkBlocks, type JsonPointer, type Report, type Workflow } from "@callsheet/format"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startSampleApi, type SampleApi } from "../../examples/shop/server/start-sample-api.ts"
import { callsheet, createFolder, writeFiles, type CallOptions } from "../harness/callsheet.ts"
import { sized } from "../harness/full-size.ts"
import { sampleRoot } from "./document.ts"

/** The block at which a checkout ends, and the way in which it ends. */
interface Cut {
  /** The name of the workflow, and the reference of the order that it creates. */
  readonly name: string
  readonly way: "fails" | "stalls" | "stops"
  readonly block: JsonPointer
}

interface EditedBlock {
  readonly id: string
  readonly type: string
  readonly request?: { overrides?: { params?: { header?: Record<string, string> }; body?: object } }
}

let api: SampleApi
let folder: string
let cuts: readonly Cut[]
const proxies: Server[] = []
const urls: string[] = []
/** Called when the server has received a request with the name of a cut. */
const atCut = new Map<string, () => void>()

beforeAll(async () => {
  api = await startSampleApi()
  for (const target of [api.shopUrl, api.paymentsUrl]) urls.push(await startProxy(target))
  const text = await readFile(`${sampleRoot}apis/workflow/checkout.json`, "utf8")
  const checkout = JSON.parse(text) as Workflow
  cuts = [...walkBlocks(checkout.blocks)].flatMap(({ block, pointer }, index) =>
    (["fails", "stalls", "stops"] as const)
      .filter((way) => way === "fails" || block.id === "create" || index % sized(5, 1) === 0)
      .map((way) => ({ name: `block-${index + 1}-${way}`, way, block: pointer() })),
  )
  folder = await createFolder()
  await cp(sampleRoot, folder, { recursive: true })
  await writeFiles(folder, {
    ...Object.fromEntries(cuts.map((cut) => [`apis/workflow/${cut.name}.json`, cutAt(checkout, cut)])),
    "apis/workflow/cancel-order.json": cancelOrder,
    "apis/shop/environments/impatient.json": { extends: "local", timeout: 1000 },
    "apis/payments/environments/impatient.json": { extends: "local", timeout: 1000 },
    "callsheet.json": { version: 1, defaults: { env: both("local") }, suites: suites() },
  })
})
afterAll(async () => {
  for (const server of proxies) {
    server.closeAllConnections()
    server.close()
  }
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const both = (environment: string) => ({ shop: environment, payments: environment })

const cancelOrder = {
  version: 1,
  inputs: { orderId: { type: "string", required: true } },
  blocks: [
    {
      id: "sign-in",
      type: "request",
      request: { api: "shop", resource: "sessions", instance: "customer" },
    },
    {
      id: "remove",
      type: "request",
      request: {
        api: "shop",
        operation: "deleteOrder",
        overrides: { params: { path: { orderId: "{{orderId}}" } } },
      },
    },
  ],
}

const entryOf = ({ name, way }: Cut) => ({
  workflow: name,
  finally: [
    {
      workflow: "cancel-order",
      inputs: { orderId: "{{create.response.body.id}}" },
      env: both("local"),
    },
  ],
  ...(way === "stalls" ? { env: both("impatient") } : {}),
})

/** One suite for each way that leaves the process alive, and one for each interruption. */
const suites = () => ({
  fails: { workflows: cuts.filter(({ way }) => way === "fails").map(entryOf) },
  stalls: { workflows: cuts.filter(({ way }) => way === "stalls").map(entryOf) },
  ...Object.fromEntries(
    cuts
      .filter(({ way }) => way === "stops")
      .map((cut) => [cut.name, { workflows: [entryOf(cut), "catalog"] }]),
  ),
})

/** Returns the workflow with one request that the proxy cuts: the block, or another one right behind it. */
function cutAt(checkout: Workflow, { name, block: pointer }: Cut): object {
  const copy = structuredClone(checkout) as unknown as { readonly blocks: EditedBlock[] }
  const lists: EditedBlock[][] = []
  let value: unknown = copy
  for (const key of pointer) {
    value = (value as Readonly<Record<string | number, unknown>>)[key]
    if (Array.isArray(value)) lists.push(value as EditedBlock[])
  }
  const block = value as EditedBlock
  if (block.request === undefined) {
    const overrides = { params: { header: { "X-Cut": name } } }
    const list = lists.at(-1) ?? copy.blocks
    const cut = { id: "cut", type: "request", request: { api: "shop", operation: "getHealth", overrides } }
    list.splice(list.indexOf(block) + 1, 0, cut)
  } else {
    const { overrides = {} } = block.request
    const header = { ...overrides.params?.header, "X-Cut": name }
    block.request.overrides = { ...overrides, params: { ...overrides.params, header } }
  }
  const create = copy.blocks.find(({ id }) => id === "create")?.request?.overrides
  if (create !== undefined) create.body = { ...create.body, reference: name }
  return copy
}

/** Starts a server that forwards requests. If a request is cut, its response isn't forwarded. */
async function startProxy(target: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = openRequest(`${target}${url ?? ""}`, { method, headers })
    forwarded.on("response", (response) => {
      const cut = cuts.find(({ name }) => name === headers["x-cut"])
      if (cut === undefined) {
        outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders)
        return response.pipe(outgoing)
      }
      response.resume()
      atCut.get(cut.name)?.()
      atCut.set(cut.name, () => undefined)
      if (cut.way === "fails") outgoing.destroy()
      return undefined
    })
    incoming.pipe(forwarded)
  })
  proxies.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function runSuite(suite: string, options: CallOptions = {}) {
  const variables = [`--var=shop.baseUrl=${urls[0]}`, `--var=payments.baseUrl=${urls[1]}`]
  const words = ["run", "--suite", suite, ...variables, "--leftovers", "report", "--json"]
  const { exitCode, report, stderr } = await callsheet(words, { folder, timeoutMs: 120_000, ...options })
  if (report === undefined) throw new Error(stderr)
  return { exitCode, report }
}

/** Returns the ids of the orders that a cut left on the server, as the server reports them. */
async function ordersOf({ name }: Cut): Promise<readonly string[]> {
  const json = { "content-type": "application/json" }
  const body = JSON.stringify({ email: "ada@shop.example", password: "kettle-lantern-47" })
  const session = await fetch(`${api.shopUrl}/sessions`, { method: "POST", headers: json, body })
  const { token } = (await session.json()) as { readonly token: string }
  const headers = { authorization: `Bearer ${token}` }
  const orders = await fetch(`${api.shopUrl}/orders?reference=${name}`, { headers })
  return ((await orders.json()) as { items: readonly { id: string }[] }).items.map(({ id }) => id)
}

/** Expects that each remaining order is listed, by its URL or without an id. */
async function expectListed(report: Report, of: readonly Cut[]): Promise<number> {
  const orders = (await Promise.all(of.map(ordersOf))).flat()
  const { leftovers = [] } = report
  const listed = leftovers.flatMap(({ url }) => /\/orders\/([^/]+)$/.exec(url)?.[1] ?? [])
  const unknown = leftovers.filter((item) => item.unknown === true && item.operation === "POST /orders")
  expect(listed.filter((id) => !orders.includes(id))).toEqual([])
  expect(unknown).toHaveLength(orders.filter((id) => !listed.includes(id)).length)
  return orders.length
}

const ofWay = (way: Cut["way"]): readonly Cut[] => cuts.filter((cut) => cut.way === way)

it.each(["fails", "stalls"] as const)(
  "lists what it didn't delete if a checkout %s at any of its blocks",
  async (way) => {
    const { exitCode, report } = await runSuite(way)
    expect(exitCode).toBe(1)
    const main = report.runs.filter(({ role }) => role === "main")
    expect(main.map(({ workflow, status }) => `${workflow} ${status}`)).toEqual(
      ofWay(way).map(({ name }) => `${name} failed`),
    )
    expect(ofWay(way).filter(({ name }) => !atCut.has(name))).toEqual([])
    expect(await expectListed(report, ofWay(way))).toBeGreaterThan(0)
  },
  120_000,
)

it("lists what it didn't delete if Ctrl-C interrupts a checkout at any of its blocks", async () => {
  const waiting = [...ofWay("stops")]
  let left = 0
  const work = async (): Promise<void> => {
    for (let cut = waiting.shift(); cut !== undefined; cut = waiting.shift()) {
      const { name } = cut
      const after = new Promise<void>((resolve) => void atCut.set(name, resolve))
      const { exitCode, report } = await runSuite(name, { signal: { name: "SIGINT", after } })
      expect([name, exitCode]).toEqual([name, 130])
      expect(report.runs.find(({ role }) => role === "main")?.status).toBe("failed")
      left += await expectListed(report, [cut])
    }
  }
  await Promise.all([work(), work()])
  expect(left).toBeGreaterThan(0)
}, 120_000)
