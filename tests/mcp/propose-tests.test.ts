// Agents generate tests: previewed, then written by rules that they can't weaken.

import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { serve } from "./serve.ts"

type Agent = Awaited<ReturnType<typeof serve>>

const agents: Agent[] = []
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()))
})

const file = "apis/shop/openapi.json"

function documentOf(): object {
  const schema = { type: "object", required: ["name"], properties: { name: { type: "string" } } }
  const content = { "application/json": { schema } }
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.test" }],
    paths: {
      "/pings": {
        post: {
          operationId: "ping",
          tags: ["pings"],
          requestBody: { required: true, content },
          responses: { 201: { description: "ok", content } },
        },
      },
    },
  }
}

async function start(): Promise<Agent> {
  const agent = await serve({ [file]: documentOf() })
  agents.push(agent)
  return agent
}

it("proposes generated tests, and writes them only when they are applied", async () => {
  const agent = await start()
  const proposed = await agent.call("propose_tests", { api: "shop" })
  expect(proposed).toMatchObject({ suites: ["generated"], kept: [], skipped: [] })
  expect(proposed.workflows).toHaveLength(1)
  expect(existsSync(join(agent.folder, "callsheet.json"))).toBe(false)
  const applied = await agent.call("apply_proposal", { proposal: proposed.proposal })
  expect(applied).toMatchObject({ files: proposed.files, errors: 0 })
  expect(existsSync(join(agent.folder, `apis/workflow/${proposed.workflows[0]}.json`))).toBe(true)
  expect(await agent.refused("apply_proposal", { proposal: proposed.proposal })).toContain("plan-unknown")
  expect(await agent.call("propose_tests")).toMatchObject({ files: [] })
})

it("writes nothing if a file has changed since the proposal", async () => {
  const agent = await start()
  const { proposal, workflows } = await agent.call("propose_tests")
  writeFileSync(join(agent.folder, "callsheet.json"), '{ "version": 1 }\n')
  expect(await agent.refused("apply_proposal", { proposal })).toContain("file-changed")
  expect(existsSync(join(agent.folder, `apis/workflow/${workflows[0]}.json`))).toBe(false)
})

it("refuses what no document has", async () => {
  const agent = await start()
  expect(await agent.refused("propose_tests", { api: "shp" })).toContain('did you mean "shop"?')
  expect(await agent.refused("propose_tests", { operations: ["pong"] })).toContain("operation-unknown")
})

it("keeps what a person wrote into a generated workflow", async () => {
  const agent = await start()
  const { proposal, workflows } = await agent.call("propose_tests")
  await agent.call("apply_proposal", { proposal })
  const path = join(agent.folder, `apis/workflow/${workflows[0]}.json`)
  const mine = readFileSync(path, "utf8").replace('"name": "name"', '"name": "Mine"')
  writeFileSync(path, mine)
  const again = await agent.call("propose_tests")
  expect(again).toMatchObject({ kept: [], files: [] })
  expect(readFileSync(path, "utf8")).toBe(mine)
})
