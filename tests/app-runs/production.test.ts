// A run against production starts only with the answer to the server's own question.

import { rename, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, type OpenRuns, type OpenRunsOptions } from "./open-runs.ts"

const blocks = [
  {
    id: "remove",
    type: "request",
    request: { api: "shop", operation: "deleteItem", overrides: { params: { path: { id: "1" } } } },
  },
]
const inputs = { word: { type: "string", default: "a" } }

const live = { workflow: "w", environments: { shop: "live" }, inputs: {} }

const open = (options: Partial<OpenRunsOptions> = {}) =>
  openRuns({
    routes: { "*": { body: {} } },
    files: (url) => ({
      ...shopFiles(url, blocks, { inputs }),
      "apis/workflow/other.json": { version: 1, inputs, blocks },
      "apis/shop/environments/live.json": { extends: "local", level: "production" },
      "apis/shop/environments/live-too.json": { extends: "live" },
      "apis/store/environments/local.json": {},
    }),
    ...options,
  })

async function ask(runs: OpenRuns, order: Partial<typeof live> = {}) {
  const started = await runs.order({ ...live, ...order })
  if (!("ask" in started)) throw new Error("the run did not ask")
  return started.ask
}

describe("a run against production", () => {
  it("asks, with the requests it would send, and sends nothing", async () => {
    const runs = await open()
    const { confirmation, production } = await ask(runs)
    expect(production).toMatchObject([
      { api: "shop", environment: "live", atLeast: 1, methods: [{ method: "DELETE", atLeast: 1 }] },
    ])
    expect(Buffer.from(confirmation, "base64url")).toHaveLength(32)
    expect([runs.api.requests, runs.events, await runs.list()]).toEqual([[], [], []])
  })

  it("starts once with the answer", async () => {
    const runs = await open()
    const { confirmation } = await ask(runs)
    const started = await runs.order({ ...live, confirmation })
    if (!("run" in started)) throw new Error("the run asks again")
    await runs.done(started.run)
    expect(runs.api.requests).toHaveLength(1)
    expect(await runs.order({ ...live, confirmation })).toHaveProperty("ask")
    expect(runs.api.requests).toHaveLength(1)
  })

  it("asks no question for an environment of another level", async () => {
    const runs = await open()
    expect(await runs.order({ environments: { shop: "local" } })).toHaveProperty("run")
  })

  type Order = Omit<typeof live, "environments"> & { readonly environments: Readonly<Record<string, string>> }
  const foreign: readonly (readonly [string, Partial<Order>])[] = [
    ["another workflow", { workflow: "other" }],
    ["another environment", { environments: { shop: "live-too" } }],
    ["another API next to it", { environments: { shop: "live", store: "local" } }],
    ["another input", { inputs: { word: "b" } }],
    ["a given input", { inputs: { word: "a" } }],
  ]

  it.each(foreign)("asks again with the answer for %s, which is then used up", async (_, order) => {
    const runs = await open()
    const { confirmation } = await ask(runs)
    expect(await runs.order({ ...live, ...order, confirmation })).toHaveProperty("ask")
    expect(await runs.order({ ...live, confirmation })).toHaveProperty("ask")
    expect(runs.api.requests).toEqual([])
  })

  it.each(["", "true", "x".repeat(43)])(
    "asks again with the answer %j, which the server did not issue",
    async (text) => {
      const runs = await open()
      expect(await runs.order({ ...live, confirmation: text })).toHaveProperty("ask")
      expect(runs.api.requests).toEqual([])
    },
  )

  it("asks again with the answer from another app", async () => {
    const [one, other] = [await open(), await open()]
    const { confirmation } = await ask(one)
    expect(await other.order({ ...live, confirmation })).toHaveProperty("ask")
  })

  it("asks again after a minute", async () => {
    let now = 0
    const runs = await open({ now: () => now })
    const late = await ask(runs)
    now = 60_000
    expect(await runs.order({ ...live, confirmation: late.confirmation })).toHaveProperty("ask")
    const inTime = await ask(runs)
    now += 59_999
    expect(await runs.order({ ...live, confirmation: inTime.confirmation })).toHaveProperty("run")
  })

  it("asks again if a file was saved meanwhile, even with the same size and time", async () => {
    const runs = await open()
    const file = join(runs.root, "apis/shop/environments/local.json")
    const old = new Date(0)
    await utimes(file, old, old)
    const { confirmation } = await ask(runs)
    await writeFile(file, JSON.stringify({ baseUrl: runs.api.url, tier: 4 }, undefined, 2))
    await utimes(file, old, old)
    expect(await runs.order({ ...live, confirmation })).toHaveProperty("ask")
    expect(runs.api.requests).toEqual([])
  })

  it("asks again if a file in a linked directory was saved meanwhile", async () => {
    const runs = await open()
    await rename(join(runs.root, "apis/shop/environments"), join(runs.root, "shared"))
    await symlink("../../shared", join(runs.root, "apis/shop/environments"))
    // The directories form a cycle of links, which is visited only once.
    await symlink("..", join(runs.root, "shared/circle"))
    const { confirmation } = await ask(runs)
    await writeFile(join(runs.root, "shared/local.json"), JSON.stringify({ baseUrl: runs.api.url, tier: 4 }))
    expect(await runs.order({ ...live, confirmation })).toHaveProperty("ask")
    expect(runs.api.requests).toEqual([])
  })

  it.each([
    ["a body", { bodyType: "file", body: "data/body.txt" }],
    ["a part of a body", { bodyType: "multipart", body: { word: "a", upload: { file: "data/body.txt" } } }],
  ])("asks again if the file of %s was saved meanwhile, outside apis/", async (_, body) => {
    const runs = await open({
      files: (url) => ({
        ...shopFiles(url, [{ id: "send", type: "request", request: { api: "shop", instance: "upload" } }]),
        "apis/shop/environments/live.json": { extends: "local", level: "production" },
        "apis/shop/requests/items/upload.json": { version: 1, method: "POST", path: "/echo", ...body },
        "data/body.txt": "one",
      }),
    })
    const { confirmation } = await ask(runs)
    await writeFile(join(runs.root, "data/body.txt"), "two")
    expect(await runs.order({ ...live, confirmation })).toHaveProperty("ask")
    expect(runs.api.requests).toEqual([])
  })

  it("is rejected if other machines can reach the app", async () => {
    const runs = await open({ isRemote: () => true })
    await expect(runs.order(live)).rejects.toMatchObject({ code: "confirm-required" })
    expect(await runs.order({ environments: { shop: "local" } })).toHaveProperty("run")
    expect([runs.bugs, runs.api.requests.length]).toEqual([[], expect.any(Number)])
  })
})
