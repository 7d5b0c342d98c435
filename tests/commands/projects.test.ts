// `callsheet run --project 'services/*'`: several projects of one repository, with one report and one shard plan.

import { rm } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Report } from "@callsheet/format"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, writeFiles, type Files } from "../harness/callsheet.ts"
import { assert, request, shopFiles } from "../run/shop-project.ts"

const LATE = "late-t0k3n-4711"

let api: ApiServer
let folder: string

beforeEach(async () => {
  api = await startApi({
    "/items/late": () => ({ body: { token: LATE } }),
    "*": ({ path }) => ({ status: path.endsWith("bad") ? 500 : 200, body: {} }),
  })
  folder = await createFolder()
})
afterEach(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const workflow = (item: string) => ({
  version: 1,
  blocks: [
    request("get", { operation: "getItem", overrides: { params: { path: { id: item } } } }),
    assert("ok", ["get.response.status", "equals", 200]),
  ],
})

/** The files of a project in a directory. Workflows by name, each with the item that it reads. */
function project(place: string, workflows: Readonly<Record<string, string>>, more: Files = {}): Files {
  const { "apis/workflow/w.json": _, ...base } = shopFiles(api.url, [])
  const own = Object.entries(workflows).map(([name, item]) => [`apis/workflow/${name}.json`, workflow(item)])
  return Object.fromEntries(
    Object.entries({ ...base, ...Object.fromEntries(own), ...more }).map(([path, text]) => [
      `${place}/${path}`,
      text,
    ]),
  )
}

const call = (...words: string[]) => callsheet(words, { folder, timeoutMs: 60_000 })
const several = (...words: string[]) => call("run", "--project", "services/*", ...words)

const ran = (report: Report | undefined) =>
  (report?.runs ?? []).map((run) => `${run.project}: ${run.entry ?? run.workflow} ${run.status}`)

const twoServices = () => ({
  ...project("services/orders", { smoke: "a", order: "b" }),
  ...project("services/billing", { smoke: "c" }),
})

describe("run --project with a pattern", () => {
  it("runs every project that matches, in one report", async () => {
    await writeFiles(folder, { ...twoServices(), "services/docs/readme.md": "No project." })
    const { report, exitCode } = await several("--all", "--json")
    expect(exitCode).toBe(0)
    expect(ran(report)).toEqual([
      "services/billing: smoke passed",
      "services/orders: order passed",
      "services/orders: smoke passed",
    ])
  })

  it("shows in each report which project failed, and fails if one does", async () => {
    await writeFiles(folder, { ...twoServices(), ...project("services/search", { smoke: "bad" }) })
    const files = ["junit", "github", "html"].map((name) => `--reporter=${name}=out/${name}`)
    const { stdout, exitCode } = await several("--all", "--reporter=pretty", ...files)
    expect(exitCode).toBe(1)
    expect(stdout).toContain("services/search › smoke failed")
    expect(stdout).toContain("services/orders › smoke passed")
    expect(await readText(folder, "out/junit")).toContain("services/search › smoke")
    expect(await readText(folder, "out/html")).toContain("services/search › smoke")
    expect(await readText(folder, "out/github")).toContain("file=services/search/apis/workflow/smoke.json")
  })

  it("matches any directories with **, and nothing in node_modules, hidden directories and projects", async () => {
    await writeFiles(folder, {
      ...project("a/b/c", { smoke: "a" }),
      ...project("a/b/c/examples", { inner: "a" }),
      ...project("node_modules/x", { smoke: "a" }),
      ...project(".cache/x", { smoke: "a" }),
      ...project("d", { smoke: "a" }),
    })
    const { report } = await call("run", "--project", "**", "--all", "--json")
    expect(ran(report)).toEqual(["a/b/c: smoke passed", "d: smoke passed"])
  })

  it("takes options that name an API for the projects that have it", async () => {
    const { "billing/apis/shop/openapi.json": document, ...files } = project("billing", { smoke: "c" })
    const renamed = Object.fromEntries(
      Object.entries({ ...files, "billing/apis/shop/openapi.json": document! }).map(([path, text]) => [
        `services/${path}`.replace("apis/shop/", "apis/bills/"),
        path.includes("workflow") ? JSON.parse(JSON.stringify(text).replaceAll('"shop"', '"bills"')) : text,
      ]),
    ) as Files
    await writeFiles(folder, { ...project("services/orders", { smoke: "a" }), ...renamed })
    const words = ["--env", "shop=local", "--env", "bills=local", "--var", "bills.tier=4"]
    const { report, exitCode } = await several("smoke", ...words, "--json")
    expect([exitCode, ran(report)]).toEqual([
      0,
      ["services/billing: smoke passed", "services/orders: smoke passed"],
    ])
    const unknown = await several("smoke", "--env", "sh0p=local")
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain("sh0p")
  })

  it("skips projects without the workflow, and says so", async () => {
    await writeFiles(folder, twoServices())
    const { report, stderr, exitCode } = await several("order", "--json")
    expect([exitCode, ran(report)]).toEqual([0, ["services/orders: order passed"]])
    expect(stderr).toContain("services/billing is skipped")
    const none = await several("ordr")
    expect(none.exitCode).toBe(2)
    expect(none.stderr).toContain("ordr")
  })

  it("runs the others if a project can't start, and fails", async () => {
    await writeFiles(folder, {
      ...twoServices(),
      ...project(
        "services/audit",
        { smoke: "a" },
        { "callsheet.baseline.json": '{ "version": 1, "violations": 3 }' },
      ),
      "services/audit/apis/workflow/smoke.json": { ...workflow("a"), validateContracts: true },
    })
    const { report, stderr, exitCode } = await several("--all", "--json")
    expect(exitCode).toBe(2)
    expect(report?.status).not.toBe("passed")
    expect(ran(report).filter((text) => text.endsWith("passed"))).toHaveLength(3)
    expect(stderr).toContain("services/audit/callsheet.baseline.json")
  })

  it("names the file of a project that can't be read, and runs the others", async () => {
    await writeFiles(folder, { ...twoServices(), "services/orders/callsheet.json": '{ "version": 2 }' })
    const { stderr, exitCode, report } = await several("--all", "--json")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("services/orders/callsheet.json")
    expect(report?.status).not.toBe("passed")
    expect(ran(report)).toContain("services/billing: smoke passed")
    await writeFiles(folder, { "services/billing/callsheet.json": "[]" })
    const none = await several("--all", "--json")
    expect([none.exitCode, none.stdout]).toEqual([2, ""])
  })

  it("names the project of a limit that is exceeded, and allows the variables of all projects", async () => {
    await writeFiles(folder, twoServices())
    const limits = ["--coverage-min", "60", "--max-warnings", "0"]
    const env = { CALLSHEET_VAR__SHOP__TIER: "5", CALLSHEET_VAR__BILLS__TIER: "6" }
    await writeFiles(folder, {
      "services/billing/apis/bills/environments/schema.json": {
        version: 1,
        variables: { tier: { type: "number", required: false } },
      },
    })
    const { stderr, exitCode } = await callsheet(["run", "--project", "services/*", "--all", ...limits], {
      folder,
      env,
    })
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^services\/orders: .*60/m)])
    expect(stderr).not.toContain("CALLSHEET_VAR")
  })

  it("refuses a pattern that matches no project, and --watch", async () => {
    await writeFiles(folder, twoServices())
    const none = await call("run", "--project", "service/*", "--all")
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("project-missing")])
    const { exitCode, stderr } = await several("--all", "--watch")
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--project is a pattern")])
  })

  it("plans shards for all projects at once, and joins their records", async () => {
    await writeFiles(folder, {
      ...project("services/orders", { a: "1", b: "2", c: "3" }),
      ...project("services/billing", { a: "4", b: "bad" }),
    })
    const parts: (readonly string[])[] = []
    const records: string[] = []
    for (let index = 1; index <= 2; index++) {
      const words = ["--shard", `${index}/2`, "--record", `${index}.callsheet`, "--json"]
      parts.push(ran((await several("--all", ...words)).report))
      records.push(`${index}.callsheet`)
    }
    expect(parts.map(({ length }) => length).sort((one, other) => one - other)).toEqual([2, 3])
    const whole = await several("--all", "--json")
    const joined = await call("report", ...records, "--json")
    const report = JSON.parse(joined.stdout) as Report
    expect(ran(report)).toEqual(ran(whole.report))
    expect(parts.flat().sort()).toEqual(ran(whole.report).sort())
    expect(joined.exitCode).toBe(1)
    const replay = await call("replay", "1.callsheet", "--project", "services/orders")
    expect([replay.exitCode, replay.stderr]).toEqual([2, expect.stringContaining("several projects")])
  })

  it("counts the operations of APIs with the same name apart", async () => {
    await writeFiles(folder, twoServices())
    const { stdout } = await several("--all", "--reporter=coverage")
    expect(stdout).toContain("services/billing › shop")
    expect(stdout).toContain("services/orders › shop")
  })

  it("masks a value that one project learns in the events of all", async () => {
    const capture = {
      version: 1,
      blocks: [
        request("get", { operation: "getItem", overrides: { params: { path: { id: "late" } } } }),
        request("use", {
          operation: "getItem",
          overrides: {
            params: { path: { id: "x" }, header: { Authorization: "Bearer {{get.response.body.token}}" } },
          },
        }),
      ],
    }
    await writeFiles(folder, {
      ...project("services/a", { seen: LATE }),
      ...project("services/b", {}, { "apis/workflow/late.json": capture }),
    })
    const { stdout, stderr } = await several("--all", "--json")
    expect(`${stdout}${stderr}`).not.toContain(LATE)
  })

  it("reruns in each project what failed there", async () => {
    await writeFiles(folder, { ...twoServices(), ...project("services/search", { smoke: "bad", fine: "a" }) })
    await several("--all")
    const { report } = await several("--last-failed", "--json")
    expect(ran(report)).toEqual(["services/search: smoke failed"])
  })
})
