// An agent can't hide that it weakens a check: not in steps, and not in a saved request.

import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { ApiServer } from "../harness/api-server.ts"
import { writeFiles, type Files } from "../harness/callsheet.ts"
import { commit } from "./git.ts"
import { serve } from "./serve.ts"
import { checkout, equals, shopFiles, startShop } from "./shop.ts"

type Agent = Awaited<ReturnType<typeof serve>>
type Edit = Readonly<Record<string, unknown>>

const path = "apis/workflow/checkout.json"
const saved = "apis/shop/requests/orders/place.json"
const place = { version: 1, operation: "createOrder", body: { sku: "A-1" } }
const [made, check] = checkout.blocks
const stored = {
  version: 1,
  blocks: [{ id: "made", type: "request", request: { api: "shop", instance: "place" } }, check],
}

let shop: ApiServer
const agents: Agent[] = []
beforeAll(async () => {
  shop = await startShop()
})
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()))
})
afterAll(() => shop.close())

const filesOf = (): Files => ({
  ...shopFiles(shop.url),
  [saved]: place,
  "apis/workflow/stored.json": stored,
})

async function start(prepare?: (folder: string) => void): Promise<Agent> {
  const agent = await serve(filesOf(), {}, prepare)
  agents.push(agent)
  return agent
}

interface Proposed {
  readonly proposal: string
  readonly weakens: readonly { readonly check: string; readonly change: string; readonly workflow?: string }[]
}

const propose = (agent: Agent, file: string, change: object): Promise<Proposed> =>
  agent.call<Proposed>("propose_change", { path: file, ...change })

/** Makes a change as an agent does that acknowledges everything. Returns the words for each weakened check. */
async function step(agent: Agent, file: string, edits: readonly Edit[] | string): Promise<readonly string[]> {
  const change = typeof edits === "string" ? { text: edits } : { edits }
  const { proposal, weakens } = await propose(agent, file, change)
  if (weakens.length > 0)
    expect(await agent.refused("apply_proposal", { proposal })).toContain("acknowledgeWeakening: true")
  await agent.call("apply_proposal", { proposal, acknowledgeWeakening: true })
  return weakens.map(({ workflow = "", check: what, change: how }) => `${workflow}: ${how} ${what}`)
}

const replace = (at: string, value: unknown): Edit => ({ op: "replace", path: at, value })
const add = (at: string, value: unknown): Edit => ({ op: "add", path: at, value })
const remove = (at: string): Edit => ({ op: "remove", path: at })
const status = "made.response.status equals 201"
const first = "/blocks/1/assertions/0"
const rename = (to: string, ...sources: readonly number[]): readonly Edit[] => [
  replace("/blocks/0/id", to),
  ...sources.map((at) => replace(`/blocks/1/assertions/${at}/source`, sourceOf(to, at))),
]
const sourceOf = (id: string, at: number): string =>
  `${id}.response.${["status", "body.id", "body.state"][at] ?? ""}`

const ways: Readonly<Record<string, readonly (readonly Edit[])[]>> = {
  "renames the block, drops the check and renames it back": [rename("gone"), [remove(first)], rename("made")],
  "renames the block with its checks, drops one and renames it back": [
    rename("order", 0, 1, 2),
    [remove(first)],
    [
      replace("/blocks/0/id", "made"),
      ...[0, 1].map((at) => replace(`/blocks/1/assertions/${at}/source`, sourceOf("made", at + 1))),
    ],
  ],
  "breaks the operator, then removes the check": [
    [replace(`${first}/operator`, "exists"), remove(`${first}/value`)],
    [remove(first)],
  ],
  "reads a name that doesn't exist, then removes the check": [
    [replace(`${first}/source`, "nothing.response.status")],
    [remove(first)],
  ],
  "moves the check to a transform, which then reads something else": [
    [
      add("/blocks/1", { id: "t", type: "transform", transforms: { s: "made.response.status" } }),
      replace("/blocks/2/assertions/0/source", "t.s"),
    ],
    [replace("/blocks/1/transforms/s", "made.response.body.total")],
  ],
  "compares with an input, whose default it changes": [
    [
      replace("/inputs", { sku: { type: "string", default: "A-1" }, want: { type: "number", default: 201 } }),
      replace(`${first}/value`, "{{want}}"),
    ],
    [replace("/inputs/want/default", 500)],
  ],
  "compares the response with itself": [[replace(`${first}/value`, "{{made.response.status}}")]],
  "lets the request send another operation": [
    [
      replace("/blocks/0/request", {
        api: "shop",
        operation: "deleteOrder",
        overrides: { params: { path: { id: "1" } } },
      }),
    ],
  ],
  "adds a request of the same operation, which the check reads": [
    [
      add("/blocks/1", {
        id: "again",
        type: "request",
        request: { api: "shop", operation: "getOrder", overrides: { params: { path: { id: "1" } } } },
      }),
      replace("/blocks/2/assertions/0/source", "again.response.status"),
    ],
  ],
  "puts the block into a loop, which it then empties": [
    [replace("/blocks/1", { id: "l", type: "loop", mode: "times", count: 1, blocks: [check] })],
    [replace("/blocks/1/count", 0)],
  ],
  "loosens the comparison bit by bit": [
    [replace(first, { source: "made.response.status", operator: "lessThan", value: 300 })],
    [replace(`${first}/value`, 600)],
  ],
  "stops validating, then removes the operation": [
    [replace("/validateContracts", false)],
    [remove("/validateContracts")],
  ],
}

describe.each([
  ["since the start of the session", undefined],
  ["since the last commit", commit],
] as const)("an agent that weakens %s", (_, prepare) => {
  let agent: Agent
  beforeAll(async () => {
    agent = await serve(filesOf(), {}, prepare)
  })
  afterAll(() => agent.close())

  it.each(Object.entries(ways))("is found out if it %s", async (_name, steps) => {
    // The workflow is then as it was at the start, and in the commit.
    await writeFiles(agent.folder, { [path]: checkout })
    let last: readonly string[] = []
    for (const edits of steps) last = await step(agent, path, edits)
    expect(last.length).toBeGreaterThan(0)
  })
})

describe("the file at the start", () => {
  it("is not reported again after the agent has restored it", async () => {
    const agent = await start()
    expect(await step(agent, path, [remove(first)])).toEqual([`: removed ${status}`])
    expect(await step(agent, path, [add(first, equals("made.response.status", 201))])).toEqual([])
  })

  it("doesn't count after a person has committed the change", async () => {
    const agent = await start(commit)
    expect(await step(agent, path, [remove(first)])).toEqual([`: removed ${status}`])
    const description = [add("/description", "x")].map((edit) => ({ ...edit, path: "/blocks/0/description" }))
    expect(await step(agent, path, description)).toEqual([`: removed ${status}`])
    commit(agent.folder)
    expect(await step(agent, path, [replace("/blocks/0/description", "y")])).toEqual([])
  })

  it("counts if a person wrote the workflow, but did not commit it", async () => {
    const agent = await start((folder) => {
      commit(folder)
      writeFileSync(join(folder, "apis/workflow/own.json"), JSON.stringify(checkout))
    })
    const own = "apis/workflow/own.json"
    await step(agent, own, rename("gone"))
    expect(await step(agent, own, [remove(first)])).toContain(`: removed ${status}`)
  })

  it("counts if the workflow is broken or gone in between", async () => {
    const agent = await start(commit)
    writeFileSync(join(agent.folder, path), "{ not JSON")
    rmSync(join(agent.folder, path))
    await agent.call("list_project")
    const weaker = JSON.stringify({ ...checkout, blocks: [made] })
    const found = await step(agent, path, weaker)
    expect(found).toContain(`: removed ${status}`)
  })

  it("counts if the workflow has another name now", async () => {
    const agent = await start((folder) => {
      commit(folder)
      rmSync(join(folder, path))
    })
    const weaker = JSON.stringify({ ...checkout, blocks: [made] })
    expect(await step(agent, "apis/workflow/buy.json", weaker)).toContain(`checkout: removed ${status}`)
  })
})

describe("a change that keeps every check", () => {
  it.each<[string, readonly Edit[]]>([
    ["renames a block and its checks", rename("order", 0, 1, 2)],
    [
      "reads a response through a transform",
      [
        add("/blocks/1", { id: "t", type: "transform", transforms: { r: "made.response" } }),
        replace("/blocks/2/assertions/0/source", "t.r.status"),
      ],
    ],
    [
      "names the expected value",
      [add("/inputs/want", { type: "number", default: 201 }), replace(`${first}/value`, "{{want}}")],
    ],
    ["changes what it sends", [replace("/blocks/0/request/overrides/body/sku", "B-2")]],
    ["sends the same operation before", [add("/blocks/0", { ...made, id: "warm" })]],
    ["puts the checks into a group", [replace("/blocks/1", { id: "g", type: "group", blocks: [check] })]],
    ["adds a check", [add("/blocks/1/assertions/-", equals("made.response.body.total", 4.5))]],
  ])("%s", async (_, edits) => {
    const agent = await start()
    expect((await propose(agent, path, { edits })).weakens).toEqual([])
  })
})

describe("a saved request", () => {
  const used = `stored: replaced ${status}`

  it.each<[string, readonly Edit[]]>([
    ["another operation", [replace("/operation", "deleteOrder")]],
    ["another method and path", [remove("/operation"), add("/method", "GET"), add("/path", "/orders/1")]],
    ["another body", [replace("/body/sku", "B-2")]],
    ["no body", [remove("/body")]],
    ["another parameter", [add("/params", { query: { dry: "true" } })]],
    ["the redirect's response", [add("/followRedirects", false)]],
    ["text", [add("/bodyType", "text"), replace("/body", "x")]],
  ])("weakens the workflows that use it if it sends %s", async (_, edits) => {
    const agent = await start(commit)
    const found = await step(agent, saved, edits)
    expect(found).toContain(used)
    expect(found.every((one) => one.startsWith("stored: "))).toBe(true)
  })

  it("keeps the checks if only its description or its time limit changes", async () => {
    const agent = await start()
    expect(await step(agent, saved, [add("/description", "x"), add("/timeoutMs", 5)])).toEqual([])
  })

  it("doesn't matter to workflows that don't use it", async () => {
    const agent = await start()
    expect(
      await step(agent, "apis/shop/requests/orders/first.json", [replace("/params/path/id", "2")]),
    ).toEqual([])
  })

  it("is judged again when a workflow uses it after the change", async () => {
    const agent = await start(commit)
    const workflow = "apis/workflow/stored.json"
    const copy = "apis/shop/requests/orders/copy.json"
    const instance = (name: string) => [replace("/blocks/0/request/instance", name)]
    await step(agent, copy, JSON.stringify(place))
    expect(await step(agent, workflow, instance("copy"))).toEqual([])
    expect(await step(agent, saved, [replace("/operation", "deleteOrder")])).toEqual([])
    expect(await step(agent, workflow, instance("place"))).toContain(`: replaced ${status}`)
  })

  it("is judged if a workflow changes to one that sends something else", async () => {
    const agent = await start(commit)
    const other = JSON.stringify({ ...place, body: { sku: "free" } })
    await step(agent, "apis/shop/requests/orders/other.json", other)
    const edits = [replace("/blocks/0/request/instance", "other")]
    expect(await step(agent, "apis/workflow/stored.json", edits)).toContain(`: replaced ${status}`)
  })

  it("is compared with the last commit, in however many steps it changes", async () => {
    const agent = await start(commit)
    await step(agent, saved, [remove("/body")])
    expect(await step(agent, saved, [add("/body", { sku: "B-2" })])).toContain(used)
    await step(agent, saved, [replace("/body/sku", "A-1")])
    expect(await step(agent, saved, [add("/description", "x")])).toEqual([])
  })
})
