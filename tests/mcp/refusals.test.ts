// Checks what the tools of `callsheet mcp` refuse.

import { rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ApiServer } from "../harness/api-server.ts"
import { createFolder, readText } from "../harness/callsheet.ts"
import { serve } from "./serve.ts"
import { SECRET, shopFiles, startShop } from "./shop.ts"

let shop: ApiServer
let agent: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  shop = await startShop()
  agent = await serve(shopFiles(shop.url))
})
afterAll(async () => {
  await agent.close()
  await shop.close()
})

describe("production", () => {
  it.each([
    { workflow: "checkout", environment: "live" },
    { workflow: "checkout", environments: { shop: "live" } },
    { suite: "all", environment: "live" },
  ])("is never sent to: %j", async (args) => {
    const sent = shop.requests.length
    const result = await agent.call("run", args)
    expect(result.status).toBe("error")
    expect(result.failures[0].code).toBe("confirm-required")
    expect(shop.requests.length).toBe(sent)
    const { docs, causes } = await agent.call("explain_failure")
    expect(docs).toContain("#confirm-required")
    expect(causes.length).toBeGreaterThan(0)
  })

  it.each(["yes", "confirm", "confirmation", "overrides", "vars"])(
    "can't be confirmed with the argument %s",
    async (name) => {
      const args = { workflow: "checkout", environment: "live", [name]: true }
      expect(await agent.refused("run", args)).toContain(name)
    },
  )

  it("can't be renamed to a harmless level", async () => {
    const path = "apis/shop/environments/live.json"
    const edits = [{ op: "replace", path: "/level", value: "local" }]
    expect(await agent.refused("propose_change", { path, edits })).toContain(
      "only workflows and saved requests",
    )
  })
})

describe("files", () => {
  it.each([
    "apis/shop/environments/local.secrets.env",
    "apis/shop/environments/LOCAL.SECRETS.ENV",
    "../local.secrets.env",
  ])("doesn't read the secrets file %s", async (path) => {
    expect(await agent.refused("read_file", { path })).toContain("tools can't read secrets files")
  })

  it.each([
    "/etc/passwd",
    "../callsheet.json",
    "apis/../../out.json",
    "apis/workflow/../../callsheet.json",
    "apis/workflow/scripts/../../../../etc/hosts.ts",
    "apis/workflow/scripts/checkout/../../../shop/environments/x.ts",
    "apis\\workflow\\checkout.json",
    "apis/workflow/checkout.json\0",
    "apis/workflow/.hidden.json",
    "apis/shop/openapi.json",
    "file:///etc/passwd",
    "",
    "x".repeat(1_000_000),
  ])("finds no file at %j", async (path) => {
    for (const [name, more] of [
      ["read_file", {}],
      ["validate", { text: "{}" }],
      ["propose_change", { text: "{}" }],
    ] as const)
      expect(await agent.refused(name, { path, ...more })).toContain("tools can't read a file at this path")
  })

  it.each([
    ["apis/workflow/scripts/checkout/helper.ts", { text: "export const x = 1" }],
    ["apis/workflow/scripts/checkout/new.ts", { text: "export const x = 1" }],
    ["apis/shop/environments/schema.json", { edits: [{ op: "remove", path: "/variables/apiKey/secret" }] }],
    ["apis/shop/environments/new.json", { text: "{}" }],
    ["callsheet.json", { edits: [{ op: "add", path: "/x", value: 1 }] }],
    ["callsheet.baseline.json", { text: "{}" }],
  ])("doesn't change %s", async (path, change) => {
    expect(await agent.refused("propose_change", { path, ...change })).toContain(
      "only workflows and saved requests",
    )
  })

  it("doesn't replace an existing file with a new text", async () => {
    const path = "apis/workflow/checkout.json"
    expect(await agent.refused("propose_change", { path, text: "{}" })).toContain("file-exists")
    expect(await agent.refused("propose_change", { path })).toContain("exactly one of `edits` and `text`")
  })
})

describe("links out of the project", () => {
  let outside: string
  let agent: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    agent = await serve(shopFiles(shop.url))
    outside = await createFolder({ "out.json": { version: 1, blocks: [], description: "outside" } })
    await symlink(join(outside, "out.json"), join(agent.folder, "apis/workflow/out.json"))
    await symlink(outside, join(agent.folder, "apis/shop/requests/linked"))
  })
  afterAll(async () => {
    await agent.close()
    await rm(outside, { recursive: true })
  })

  it.each(["apis/workflow/out.json", "apis/shop/requests/linked/out.json"])(
    "doesn't follow the link %s out of the project",
    async (path) => {
      const text = '{ "version": 1, "blocks": [] }'
      const calls = [
        agent.refused("read_file", { path }),
        agent.refused("propose_change", { path, edits: [{ op: "add", path: "/onFailure", value: "halt" }] }),
        agent.refused("propose_change", { path, text }),
      ]
      for (const refusal of await Promise.all(calls)) expect(refusal).toMatch(/link-outside/)
      expect(await readText(outside, "out.json")).toContain("outside")
    },
  )
})

describe("secrets", () => {
  it("masks a value file that should not contain one, or refuses it", async () => {
    const path = "apis/shop/environments/leaky.json"
    await writeFile(join(agent.folder, path), JSON.stringify({ apiKey: "an0ther-secret-value" }))
    const refusal = await agent.refused("read_file", { path })
    expect(refusal).not.toContain("an0ther-secret-value")
    const all = JSON.stringify(await agent.call("validate", {}))
    expect(all).not.toContain("an0ther-secret-value")
    await rm(join(agent.folder, path))
  })

  it("masks errors that quote what an agent sent", async () => {
    const args = { workflow: "checkout", environment: "local", inputs: { [SECRET]: "x" } }
    const refusal = await agent.refused("run", args)
    expect(refusal).toContain("(input-unknown)")
    expect(refusal).not.toContain(SECRET)
  })
})

describe("arguments", () => {
  it.each<[string, object, string]>([
    ["run", {}, "set exactly one of `workflow` and `suite`"],
    ["run", { workflow: "checkout", suite: "all" }, "set exactly one of `workflow` and `suite`"],
    ["run", { workflow: "../../etc/passwd" }, "no workflow can have this name"],
    ["run", { workflow: "chekout" }, "(workflow-unknown)"],
    ["run", { suite: "none" }, "(suite-unknown)"],
    ["run", { workflow: 1 }, "workflow"],
    ["run", { workflow: "checkout", environment: "local", timeoutMs: -1 }, "timeoutMs"],
    ["find_operations", { limit: 1e9 }, "limit"],
    ["validate", { text: "{}" }, "`text` needs `path`"],
    ["apply_proposal", { proposal: "x" }, "this proposal does not exist"],
    ["read_file", { path: "apis/workflow/none.json" }, "(file-missing)"],
    ["propose_change", { path: "apis/workflow/none.json", edits: [] }, "(file-missing)"],
    ["explain_failure", { failure: 10_000 }, "(run-unknown)"],
  ])("%s refuses %j", async (name, args, message) => {
    expect(await agent.refused(name, args)).toContain(message)
  })
})
