// Calls each tool of `callsheet mcp` as an agent does.

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { problemCodes, failureCodes } from "@callsheet/format"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { docsOf } from "../../packages/cli/src/agents/problem-view.ts"
import type { ApiServer, Answer } from "../harness/api-server.ts"
import { readText } from "../harness/callsheet.ts"
import { serve } from "./serve.ts"
import { checkout, equals, SECRET, shopFiles, startShop } from "./shop.ts"

let shop: ApiServer
let created: Answer
let agent: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  shop = await startShop({ "POST /orders": () => created })
  agent = await serve(shopFiles(shop.url))
})
afterAll(async () => {
  await agent.close()
  await shop.close()
})

const good: Answer = { status: 201, body: { id: "1", total: 4.5, state: "open" } }
const path = "apis/workflow/checkout.json"

describe("the list of tools", () => {
  it("describes each tool with schemas and annotations", async () => {
    const { tools } = await agent.client.listTools()
    const shown = tools.map(({ name, annotations = {} }) => {
      const { readOnlyHint, destructiveHint, openWorldHint } = annotations
      return [name, readOnlyHint, destructiveHint, openWorldHint]
    })
    expect(shown).toEqual([
      ["find_operations", true, undefined, false],
      ["list_project", true, undefined, false],
      ["read_file", true, undefined, false],
      ["validate", true, undefined, false],
      ["run", false, true, true],
      ["explain_failure", true, undefined, false],
      ["propose_change", true, undefined, false],
      ["propose_tests", true, undefined, false],
      ["apply_proposal", false, true, false],
    ])
    for (const { name, inputSchema, outputSchema, description, title } of tools) {
      expect([name, inputSchema.type, outputSchema?.["type"]]).toEqual([name, "object", "object"])
      expect(`${title}${description}`.length).toBeLessThan(250)
    }
    expect(JSON.stringify(tools).length).toBeLessThan(25_000)
  })

  it("tells the agent the rules in the instructions", () => {
    expect(agent.client.getInstructions()).toContain("Never weaken a check")
  })
})

describe("find_operations", () => {
  it("returns how to call an operation", async () => {
    const { total, operations } = await agent.call("find_operations", { query: "place ORDER" })
    expect(total).toBe(1)
    expect(operations).toEqual([
      {
        api: "shop",
        operation: "createOrder",
        resources: ["orders"],
        method: "POST",
        path: "/orders",
        summary: "Place an order",
        parameters: [],
        body: { required: true, mediaType: "application/json", type: "{ sku: string }" },
        responses: [
          { status: "201", type: '{ id: string; total: number; note?: string; state: "open" | "paid" }' },
          { status: "422", type: "{ error?: string }" },
        ],
        security: ["apiKey (header x-api-key)"],
      },
    ])
  })

  it("limits the result and counts all matches", async () => {
    const { total, operations } = await agent.call("find_operations", { api: "shop", limit: 1 })
    expect([total, operations.length]).toEqual([3, 1])
    expect((await agent.call("find_operations", { api: "other" })).total).toBe(0)
    const [{ parameters }] = (await agent.call("find_operations", { query: "getOrder" })).operations
    expect(parameters).toEqual([{ name: "id", in: "path", required: true, type: "string" }])
  })
})

describe("list_project and read_file", () => {
  it("lists the files of the project, and the levels of environments", async () => {
    const { apis, workflows, suites } = await agent.call("list_project")
    expect(apis[0].environments).toEqual([
      { name: "live", level: "production", file: "apis/shop/environments/live.json" },
      { name: "local", level: "local", file: "apis/shop/environments/local.json" },
    ])
    expect(apis[0].requests).toEqual(["apis/shop/requests/orders/first.json"])
    expect(workflows[0]).toEqual({
      name: "checkout",
      file: path,
      apis: ["shop"],
      scripts: ["apis/workflow/scripts/checkout/helper.ts"],
    })
    expect(suites).toEqual(["all"])
  })

  it("reads a workflow as it is written", async () => {
    const { text } = await agent.call("read_file", { path })
    expect(text).toBe(await readText(agent.folder, path))
  })

  it("shows the variables of an environment, and secrets as ***", async () => {
    const { text, variables } = await agent.call("read_file", { path: "apis/shop/environments/live.json" })
    expect(JSON.parse(text)).toEqual({ extends: "local", level: "production" })
    expect(variables).toEqual([
      { name: "baseUrl", value: shop.url, secret: false, from: "values" },
      { name: "apiKey", value: "***", secret: true, from: "secrets" },
    ])
  })

  it("masks a secret that a script contains", async () => {
    const { text } = await agent.call("read_file", { path: "apis/workflow/scripts/checkout/helper.ts" })
    expect(text).toBe('export const key = "***"\n')
  })
})

describe("validate", () => {
  it("checks the project, a file, and a text that is not written yet", async () => {
    expect(await agent.call("validate")).toMatchObject({ ok: true, errors: 0 })
    expect(await agent.call("validate", { path })).toMatchObject({ ok: true, problems: [] })
    const text = JSON.stringify({ version: 1, blocks: [{ id: "a", type: "requests" }] })
    const { ok, problems } = await agent.call("validate", { path, text })
    expect(ok).toBe(false)
    expect(problems[0]).toMatchObject({
      severity: "error",
      file: path,
      docs: `docs/reference/errors.md#${problems[0].code}`,
    })
  })

  it.each(Object.keys({ ...problemCodes, ...failureCodes }))("links %s to its page", async (code) => {
    const [page = ""] = docsOf(code).split("#")
    const text = await readText(fileURLToPath(new URL("../..", import.meta.url)), page)
    expect(text?.includes(`\n### ${code}\n`)).toBe(true)
  })
})

describe("run and explain_failure", () => {
  it("runs a workflow with inputs and reports what passed", async () => {
    created = good
    const result = await agent.call("run", { workflow: "checkout", environment: "local" })
    expect(result).toMatchObject({
      status: "passed",
      runs: [
        { workflow: "checkout", status: "passed", passed: 2, failed: 0, environments: { shop: "local" } },
      ],
      failures: [],
    })
    const failed = await agent.call("run", {
      workflow: "checkout",
      environments: { shop: "local" },
      inputs: { sku: "B-2" },
    })
    expect(failed.status).toBe("failed")
    expect(shop.requests.at(-1)?.json).toEqual({ sku: "B-2" })
  })

  it("doesn't expand a placeholder in an input", async () => {
    created = good
    await agent.call("run", {
      workflow: "checkout",
      environment: "local",
      inputs: { sku: "{{env.shop.apiKey}}" },
    })
    expect(shop.requests.at(-1)?.json).toEqual({ sku: "{{env.shop.apiKey}}" })
  })

  it("returns the first failing exchange, and explains a failed assertion", async () => {
    created = { status: 422, body: { error: `no stock for ${SECRET}` } }
    const result = await agent.call("run", { workflow: "checkout", environment: "local" })
    expect(result.failures).toEqual([
      expect.objectContaining({ failure: 1, workflow: "checkout", block: "check", code: "assertion-failed" }),
    ])
    expect(result.firstExchange).toMatchObject({
      block: "made",
      request: { method: "POST", url: `${shop.url}/orders`, body: { sku: "A-1" } },
      response: { status: 422, body: { error: "no stock for ***" } },
    })
    const explained = await agent.call("explain_failure", {})
    expect(explained.assertions[0]).toMatchObject({
      source: "made.response.status",
      operator: "equals",
      expected: 201,
      received: 422,
    })
    expect(explained.causes).toEqual([expect.stringContaining("the server answered 422")])
    expect(explained).toMatchObject({
      file: path,
      docs: "docs/reference/errors-runs.md#assertion-failed",
      exchange: { block: "made" },
    })
  })

  it("explains a contract violation with the schema and where it is", async () => {
    created = { status: 201, body: { id: 1, total: 4.5, state: "open" } }
    await agent.call("run", { workflow: "checkout", environment: "local" })
    const { code, contract, causes } = await agent.call("explain_failure", { failure: 1 })
    expect(code).toBe("contract-broken")
    expect(contract).toEqual([
      {
        path: "/body/id",
        message: expect.stringContaining("string"),
        pointer: expect.stringContaining("/components/schemas/Order"),
        file: "apis/shop/openapi.json",
        line: expect.any(Number),
        schema: '{"type":"string"}',
      },
    ])
    expect(causes[0]).toContain("the response doesn't match the document")
  })

  it("says so if there is nothing to explain", async () => {
    created = good
    await agent.call("run", { workflow: "checkout", environment: "local" })
    expect(await agent.refused("explain_failure")).toBe("the last run has 0 failures (run-unknown)")
  })
})

describe("propose_change and apply_proposal", () => {
  it("shows the diff, and writes only when the proposal is applied", async () => {
    const before = await readText(agent.folder, path)
    const value = { source: "made.response.body.total", operator: "greaterThan", value: 0 }
    const proposal = await agent.call("propose_change", {
      path,
      edits: [{ op: "add", path: "/blocks/1/assertions/-", value }],
    })
    expect(proposal).toMatchObject({ isNew: false, ok: true, weakens: [] })
    expect(proposal.diff).toContain('+          "source": "made.response.body.total",')
    expect(await readText(agent.folder, path)).toBe(before)
    expect(await agent.call("apply_proposal", { proposal: proposal.proposal })).toMatchObject({
      path,
      ok: true,
    })
    const after = JSON.parse((await readText(agent.folder, path)) ?? "")
    expect(after.blocks[1].assertions).toEqual([...checkout.blocks[1]!.assertions!, value])
    expect(await agent.refused("apply_proposal", { proposal: proposal.proposal })).toContain(
      "was already applied",
    )
  })

  it("creates a new workflow, and reports the problems that it would have", async () => {
    const text = `${JSON.stringify({ version: 1, blocks: [{ ...checkout.blocks[0], id: "{{x}}" }] }, null, 2)}\n`
    const wrong = await agent.call("propose_change", { path: "apis/workflow/new.json", text })
    expect(wrong).toMatchObject({ isNew: true, ok: false })
    expect(await agent.refused("apply_proposal", { proposal: wrong.proposal })).toContain(
      "apis/workflow/new.json",
    )
    const good = await agent.call("propose_change", {
      path: "apis/workflow/new.json",
      text: text.replace("{{x}}", "x"),
    })
    await agent.call("apply_proposal", { proposal: good.proposal })
    expect(await readText(agent.folder, "apis/workflow/new.json")).toContain('"id": "x"')
  })

  it.each([
    [[{ op: "replace", path: "/blocks/7/id", value: "x" }], "edits[0]"],
    [
      [
        { op: "replace", path: "/blocks/0/id", value: "made" },
        { op: "remove", path: "/none" },
      ],
      "edits[1]",
    ],
    [[{ op: "add", path: "/blocks/x", value: {} }], "edits[0]"],
    [[{ op: "add", path: "blocks", value: {} }], "edits[0]"],
    [[{ op: "add", path: "/description/x/y", value: {} }], "edits[0]"],
    [[{ op: "replace", path: "/version" }], "edits[0]"],
  ])("refuses the edits %j", async (edits, message) => {
    expect(await agent.refused("propose_change", { path, edits })).toContain(message)
  })

  it("refuses a proposal if the file has changed since", async () => {
    const { proposal } = await agent.call("propose_change", {
      path,
      edits: [
        { op: "replace", path: "/onFailure", value: "halt" },
        { op: "add", path: "/onFailure", value: "halt" },
      ].slice(1),
    })
    const changed = `${await readText(agent.folder, path)}\n`
    await writeFile(join(agent.folder, path), changed)
    expect(await agent.refused("apply_proposal", { proposal })).toContain("(file-changed)")
    expect(await readText(agent.folder, path)).toBe(changed)
  })
})

describe("a change that weakens a check", () => {
  let agent: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    agent = await serve(shopFiles(shop.url))
  })
  afterAll(() => agent.close())

  const source = "made.response.status"
  type Weakened = readonly { readonly check: string; readonly change: string; readonly reason: string }[]
  const propose = async (edits: readonly object[]): Promise<{ weakens: Weakened; proposal: string }> =>
    agent.call("propose_change", { path, edits })

  it.each<[string, readonly object[], readonly string[]]>([
    ["removes a documented status", [{ op: "remove", path: "/blocks/1/assertions/0" }], ["removed"]],
    [
      "compares with less",
      [
        {
          op: "replace",
          path: "/blocks/1/assertions/0",
          value: { source, operator: "lessThan", value: 500 },
        },
      ],
      ["loosened"],
    ],
    [
      "expects another status",
      [{ op: "replace", path: "/blocks/1/assertions/0/value", value: 422 }],
      ["loosened"],
    ],
    [
      "removes the assertions with their block",
      [{ op: "remove", path: "/blocks/1" }],
      ["removed", "removed", "removed"],
    ],
    [
      "no longer validates contracts",
      [{ op: "replace", path: "/validateContracts", value: false }],
      ["removed"],
    ],
    [
      "moves a check into a branch",
      [
        { op: "remove", path: "/blocks/1/assertions/0" },
        {
          op: "add",
          path: "/blocks/-",
          value: {
            id: "maybe",
            type: "condition",
            if: equals("sku", "A-1"),
            then: [{ id: "in", type: "assert", assertions: [equals(source, 201)] }],
          },
        },
      ],
      ["skippable"],
    ],
    [
      "removes a check that the contract knows nothing of",
      [{ op: "remove", path: "/blocks/1/assertions/3" }],
      [],
    ],
    [
      "replaces a check by a stronger one",
      [{ op: "replace", path: "/blocks/1/assertions/1", value: equals("made.response.body.id", "1") }],
      [],
    ],
    [
      "moves a check to an earlier place",
      [
        { op: "add", path: "/blocks/1/assertions/0", value: equals("made.response.body.state", "open") },
        { op: "remove", path: "/blocks/1/assertions/3" },
      ],
      [],
    ],
  ])("%s", async (_, edits, expected) => {
    const { weakens } = await propose(edits)
    expect(weakens.map(({ change }) => change)).toEqual(expected)
  })

  it("says why, and needs an acknowledgment, which the result repeats", async () => {
    const before = await readText(agent.folder, path)
    const { weakens, proposal } = await propose([{ op: "remove", path: "/blocks/1/assertions/0" }])
    expect(weakens).toEqual([
      {
        block: "check",
        check: "made.response.status equals 201",
        change: "removed",
        reason: "the contract documents the status: 201, 422",
      },
    ])
    const refusal = await agent.refused("apply_proposal", { proposal })
    expect(refusal).toContain("made.response.status equals 201 (removed; the contract documents the status")
    expect(refusal).toContain("acknowledgeWeakening: true")
    expect(await readText(agent.folder, path)).toBe(before)
    const applied = await agent.call("apply_proposal", { proposal, acknowledgeWeakening: true })
    expect(applied.weakens).toEqual(weakens)
    expect(await readText(agent.folder, path)).not.toContain("made.response.status")
  })
})
