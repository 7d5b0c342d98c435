// A body that can't be checked against its schema never looks checked: every report says so, without a warning.

import { readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { textsIn } from "../harness/texts-in.ts"
import { request } from "./shop-project.ts"

const order = { type: "object", required: ["id"], properties: { id: { type: "integer" } } }
const answer = (type: string) => ({
  responses: { 200: { description: "", content: { [type]: { schema: order } } } },
})
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/xml": { get: { operationId: "getXml", ...answer("application/xml") } },
    "/yaml": { get: { operationId: "getYaml", ...answer("application/yaml") } },
    "/json": { get: { operationId: "getJson", ...answer("application/json") } },
    "/form": { get: { operationId: "getForm", ...answer("application/x-www-form-urlencoded") } },
    "/orders": {
      post: {
        operationId: "create",
        requestBody: { content: { "application/xml": { schema: order } } },
        responses: { 204: { description: "" } },
      },
    },
  },
}
const create = request("create", {
  resource: "orders",
  instance: "order",
})
const get = (id: string, operation: string) => request(id, { operation })
const workflow = (...blocks: readonly unknown[]) => ({ version: 1, validateContracts: true, blocks })
const times = (...blocks: readonly unknown[]) => ({
  id: "loop",
  type: "loop",
  mode: "times",
  count: 3,
  blocks,
})

const xml = "XML is only checked to be well-formed"
const yaml = "application/yaml can't be checked against a schema"

let api: ApiServer
let folder: string

beforeAll(async () => {
  const text = (type: string, body: string) => ({ headers: { "content-type": type }, body })
  api = await startApi({
    "GET /xml": text("application/xml", "<order><id>7</id></order>"),
    "GET /yaml": text("application/yaml", "id: 7"),
    "GET /json": { body: { id: 7 } },
    "GET /form": text("application/x-www-form-urlencoded", "id=x"),
    "POST /orders": { status: 204, body: "" },
  })
  folder = await createFolder({
    "apis/shop/openapi.json": document,
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/requests/orders/order.json": {
      version: 1,
      operation: "create",
      bodyType: "text",
      body: "<order/>",
      params: { header: { "Content-Type": "application/xml" } },
    },
    "apis/workflow/mixed.json": workflow(
      get("xml", "getXml"),
      get("json", "getJson"),
      get("yaml", "getYaml"),
      create,
    ),
    "apis/workflow/json.json": workflow(get("json", "getJson")),
    "apis/workflow/form.json": workflow(get("form", "getForm")),
    "apis/workflow/repeated.json": workflow(times(get("xml", "getXml"))),
    "apis/workflow/free.json": { version: 1, blocks: [get("xml", "getXml")] },
  })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...words: readonly string[]) => callsheet(["run", ...words], { folder })

async function reportTo(reporter: string, ...words: readonly string[]): Promise<string> {
  const target = `report.${reporter}`
  await run("mixed", "--reporter", `${reporter}=${target}`, ...words)
  const path = join(folder, target)
  return reporter === "allure" ? textsIn(path) : readFileSync(path, "utf8")
}

describe("a body that was not checked", () => {
  it("is unchecked in the JSON report, with its reason", async () => {
    const { report, exitCode } = await run("mixed", "--json")
    const [mixed] = report!.runs
    expect(
      mixed!.blocks.map(({ id, contract, requestUnchecked }) => [id, contract, requestUnchecked]),
    ).toEqual([
      ["xml", { status: "unchecked", problems: [], unchecked: xml }, undefined],
      ["json", { status: "passed", problems: [] }, undefined],
      ["yaml", { status: "unchecked", problems: [], unchecked: yaml }, undefined],
      ["create", { status: "passed", problems: [] }, xml],
    ])
    expect(mixed!.counts).toEqual({ passed: 4, failed: 0, skipped: 0, unchecked: 3 })
    expect([report!.status, report!.warnings, exitCode]).toEqual(["passed", undefined, 0])
  })

  it.each(["mixed", "repeated"])("is not a warning, so that %s passes with --strict", async (name) => {
    const { exitCode, stdout, stderr } = await run(name, "--strict")
    expect([exitCode, stderr]).toEqual([0, ""])
    expect(stdout).not.toContain("!")
  })

  it("is counted by none of the runs that check everything, or nothing on purpose", async () => {
    const { report } = await run("json", "free", "--json")
    expect(report!.runs.map(({ counts }) => counts)).toEqual([
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 1, failed: 0, skipped: 0 },
    ])
  })

  it("is named in the terminal, in the line of its block and in the summary", async () => {
    const { stdout } = await run("mixed")
    const line = (id: string) => stdout.split("\n").find((text) => text.includes(`✓ ${id} `))
    expect(line("xml")).toContain(`200  response unchecked: ${xml}`)
    expect(line("yaml")).toContain(`200  response unchecked: ${yaml}`)
    expect(line("create")).toContain(`204  request unchecked: ${xml}`)
    expect(line("json")).not.toContain("unchecked")
    expect(stdout).toContain("✓ mixed passed  4 passed, 3 unchecked")
  })

  it("is counted in the line of a loop", async () => {
    const { stdout } = await run("repeated")
    expect(stdout).toContain("3 requests  3 × unchecked")
    expect(stdout).toContain("3 unchecked")
  })

  it("is in the events", async () => {
    const events = (await reportTo("ndjson"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const ofType = (type: string) => events.filter((event) => event.type === type)
    expect(ofType("contract.checked").map(({ contract }) => contract.status)).toEqual([
      "unchecked",
      "passed",
      "unchecked",
      "passed",
    ])
    expect(ofType("request.checked")).toEqual([expect.objectContaining({ problems: [], unchecked: xml })])
  })

  it.each([
    [
      "junit",
      [`<property name="unchecked" value="3"/>`, `<system-out>response unchecked: ${xml}</system-out>`],
    ],
    ["html", ["3 unchecked", `<p class="muted">response unchecked: ${xml}</p>`, "(unchecked)"]],
    ["github", ["::notice title=callsheet run::3 blocks have", `xml: response unchecked: ${xml}`]],
    ["ctrf", [`"unchecked":3`, `"unchecked":["response unchecked: ${xml}"]`]],
    ["allure", [`"message":"request unchecked: ${xml}"`]],
    ["har", [`"comment":"xml; response unchecked: ${xml}"`]],
    ["coverage", [`"unchecked": [`, `"mixed: xml"`]],
  ])("is in the report of %s", async (reporter, texts) => {
    const report = await reportTo(reporter)
    const shown = reporter === "html" ? report.replaceAll("&#39;", "'") : report
    for (const text of texts) expect(shown).toContain(text)
  })

  it("is in the summary of the step on GitHub, and in the coverage on the screen", async () => {
    const summary = join(folder, "summary.md")
    await callsheet(["run", "mixed", "--reporter", "github"], {
      folder,
      env: { GITHUB_STEP_SUMMARY: summary },
    })
    expect(readFileSync(summary, "utf8")).toContain("### Unchecked")
    const { stdout } = await run("mixed", "--reporter", "coverage")
    expect(stdout).toMatch(/getXml .*✓200 \(unchecked\)/)
    expect(stdout).toMatch(/getJson .*✓200 +mixed/)
  })
})

describe("--fail-on-unchecked", () => {
  it.each([
    ["mixed", "3 unchecked blocks; --fail-on-unchecked allows none"],
    ["repeated", "3 unchecked blocks; --fail-on-unchecked allows none"],
  ])("fails %s", async (name, text) => {
    const { exitCode, stderr, report } = await run(name, "--fail-on-unchecked", "--json")
    expect([exitCode, report?.status]).toEqual([1, "failed"])
    expect(stderr).toContain(text)
  })

  it.each(["json", "free"])("passes %s, where nothing is unchecked", async (name) => {
    expect((await run(name, "--fail-on-unchecked")).exitCode).toBe(0)
  })
})

it("checks what can be checked: a form fails by its fields", async () => {
  const { stdout, exitCode } = await run("form")
  expect(exitCode).toBe(1)
  expect(stdout).toContain(`/body/id  expected an integer, received a string: "x"`)
})

describe("a record", () => {
  const uncheckedOf = (text: string): readonly unknown[] =>
    JSON.parse(text).runs[0].blocks.map((block: Record<string, { status?: string }>) => [
      block["contract"]?.status,
      block["requestUnchecked"],
    ])
  const expected = [
    ["unchecked", undefined],
    ["passed", undefined],
    ["unchecked", undefined],
    ["passed", xml],
  ]

  it("keeps the verdict, for reports and for replays", async () => {
    await run("mixed", "--record", "mixed.callsheet")
    for (const words of [
      ["report", "mixed.callsheet", "--json"],
      ["replay", "mixed.callsheet", "--json"],
    ]) {
      const { stdout, exitCode } = await callsheet(words, { folder })
      expect([exitCode, uncheckedOf(stdout)]).toEqual([0, expected])
    }
  })

  it("of an older version is still read, and differs from a new one in the verdict", async () => {
    await run("mixed", "--record", "new.callsheet")
    const lines = gunzipSync(readFileSync(join(folder, "new.callsheet")))
      .toString()
      .split("\n")
    const older = lines
      .filter((line) => !line.includes(`"type":"request.checked"`))
      .map((line) =>
        line.replace(
          /"status":"unchecked","problems":\[\],"unchecked":"[^"]*"/,
          '"status":"passed","problems":[]',
        ),
      )
    writeFileSync(join(folder, "old.callsheet"), gzipSync(older.join("\n")))
    const { stdout, exitCode } = await callsheet(["diff", "old.callsheet", "new.callsheet"], { folder })
    expect(stdout).toContain(`contract  "passed" → "unchecked"`)
    expect(exitCode).toBe(1)
    expect((await callsheet(["report", "old.callsheet"], { folder })).exitCode).toBe(0)
    expect((await callsheet(["diff", "new.callsheet", "new.callsheet"], { folder })).exitCode).toBe(0)
  })
})
