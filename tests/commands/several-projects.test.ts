// `validate`, `list`, `impact` and `run --list` with a pattern in `--project`: several projects, one output.

import { mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { table } from "../../packages/cli/src/commands/index.ts"
import { change, createRepository, createTestFolder } from "../changes/git-project.ts"
import { callsheet, createFolder, type CallOptions, type Files } from "../harness/callsheet.ts"
import { assert, document, request, shopFiles } from "../run/shop-project.ts"

const workflow = {
  version: 1,
  blocks: [
    request("get", { operation: "getItem", overrides: { params: { path: { id: "a" } } } }),
    assert("ok", ["get.response.status", "equals", 200]),
  ],
}

/** The files of a project in a directory, whose API is `shop`. */
function project(place: string, more: Files = {}): Files {
  const { "apis/workflow/w.json": _, ...base } = shopFiles("http://127.0.0.1:9", [])
  const files: Files = { ...base, "apis/workflow/smoke.json": workflow, ...more }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${place}/${path}`, text]))
}

const misspelled = {
  version: 1,
  blocks: [request("get", { operation: "getItm", overrides: { params: { path: { id: "a" } } } })],
}

const caller =
  (folder: string) =>
  (words: string, more: CallOptions = {}) =>
    callsheet([...words.split(" "), "--project", "services/*"], { folder, timeoutMs: 60_000, ...more })

const inServices = async (files: Files) => caller(await createTestFolder(files))

describe("validate", () => {
  it("names the project of each problem, and sums up all of them", async () => {
    const call = await inServices({
      ...project("services/billing"),
      ...project("services/orders", { "apis/workflow/bad.json": misspelled }),
    })
    const text = await call("validate")
    expect(text.exitCode).toBe(1)
    expect(text.stdout).toContain("services/orders/apis/workflow/bad.json:")
    expect(text.stdout).toContain(
      "1 error in 1 file; 3 workflows, 2 APIs, 2 environments in 2 projects checked",
    )
    const json = JSON.parse((await call("validate --json")).stdout) as object
    expect(json).toMatchObject({
      ok: false,
      problems: [{ project: "services/orders", file: "services/orders/apis/workflow/bad.json" }],
    })
    expect((await call("validate --format github")).stdout).toContain(
      "file=services/orders/apis/workflow/bad.json,",
    )
    expect((await call("validate --format sarif")).stdout).toContain(
      '"uri":"services/orders/apis/workflow/bad.json"',
    )
  })

  it("writes paths from the repository for CI, wherever it is started", async () => {
    const folder = await createRepository({
      ...project("services/orders", { "apis/workflow/bad.json": misspelled }),
      "tools/readme.md": "Tools.",
    })
    for (const [cwd, pattern] of [
      ["services", "*"],
      ["tools", "../services/*"],
      ["", join(folder, "services/*")],
    ] as const) {
      const words = ["validate", "--format", "github", "--project", pattern]
      const { stdout } = await callsheet(words, { folder, cwd })
      expect(stdout).toContain("file=services/orders/apis/workflow/bad.json,")
    }
  })

  it("checks the other projects if one can't be read, and exits with 2", async () => {
    const call = await inServices({
      ...project("services/billing", { "apis/workflow/bad.json": misspelled }),
      ...project("services/orders", { ".callsheet-journal.json": "no journal" }),
    })
    const { exitCode, stdout, stderr } = await call("validate --json")
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("services/orders")])
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ project: "services/billing" }] })
  })

  it("reports a callsheet.json that is wrong as one problem of many", async () => {
    const call = await inServices({
      ...project("services/billing"),
      ...project("services/orders", { "callsheet.json": { version: 2 } }),
    })
    const { exitCode, stdout } = await call("validate")
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^services\/orders\/callsheet\.json:2:/m)])
  })

  it("allows --max-warnings to each project", async () => {
    const warned = { "apis/workflow/buy.yaml": "version: 1" }
    const call = await inServices({
      ...project("services/billing", warned),
      ...project("services/orders", warned),
    })
    const { stdout } = await call("validate --json")
    const { problems } = JSON.parse(stdout) as { problems: readonly { severity: string }[] }
    expect(problems.map(({ severity }) => severity)).toEqual(["warning", "warning"])
    expect((await call("validate --max-warnings 1")).exitCode).toBe(0)
    const strict = await call("validate --max-warnings 0")
    expect([strict.exitCode, strict.stdout]).toEqual([
      1,
      expect.stringContaining("more than the 0 allowed in services/billing, services/orders"),
    ])
  })

  it("knows the process variables of every project", async () => {
    const bills = Object.fromEntries(
      Object.entries(
        project("services/billing", { "apis/workflow/smoke.json": { version: 1, blocks: [] } }),
      ).map(([path, text]) => [path.replace("apis/shop/", "apis/bills/"), text]),
    )
    const call = await inServices({ ...project("services/orders"), ...bills })
    const env = { CALLSHEET_VAR__BILLS__TIER: "4", CALLSHEET_VAR__SHOP__TIER: "5" }
    expect((await call("validate", { env })).stdout).not.toContain("CALLSHEET_VAR")
    const unread = await call("validate", { env: { CALLSHEET_VAR__SHOP__TIRE: "5" } })
    expect(unread.stdout.match(/CALLSHEET_VAR__SHOP__TIRE/g)).toHaveLength(1)
  })

  it("skips projects without the workflow, and says so", async () => {
    const call = await inServices({
      ...project("services/billing"),
      ...project("services/orders", { "apis/workflow/bad.json": misspelled }),
    })
    const { exitCode, stderr, stdout } = await call("validate bad")
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("services/billing is skipped")])
    expect(stdout).toContain("services/orders/apis/workflow/bad.json")
    const none = await call("validate bda")
    expect([none.exitCode, none.stdout, none.stderr]).toEqual([2, "", expect.stringContaining("bda")])
  })

  it("repairs each project, and names its files", async () => {
    const folder = await createRepository({
      ".gitignore": "*.secrets.env",
      ...project("services/billing"),
      ...project("services/orders", { "apis/workflow/bad.json": misspelled }),
    })
    const call = caller(folder)
    const dry = await call("validate --fix --dry-run")
    expect(dry.stdout).toContain("--- services/orders/apis/workflow/bad.json")
    const { exitCode, stdout } = await call("validate --fix --json")
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      fixed: [{ project: "services/orders", file: "services/orders/apis/workflow/bad.json" }],
    })
  })
})

describe("list", () => {
  it("starts each row and each JSON entry with its project", async () => {
    const call = await inServices({ ...project("services/billing"), ...project("services/orders") })
    expect((await call("list workflows")).stdout).toBe(
      "PROJECT           WORKFLOW\nservices/billing  smoke\nservices/orders   smoke\n",
    )
    expect(JSON.parse((await call("list workflows --json")).stdout)).toEqual({
      workflows: [
        { project: "services/billing", name: "smoke" },
        { project: "services/orders", name: "smoke" },
      ],
    })
    for (const words of ["list tests --json", "list operations getItem --json --lines"])
      expect((await call(words)).stdout).toMatch(/"file": "services\/orders\/apis\/(?:workflow|shop)\//)
  })

  it("keeps its shape for one project", async () => {
    const folder = await createTestFolder(project("services/orders"))
    const { stdout } = await callsheet(["list", "workflows", "--json", "--project", "services/orders"], {
      folder,
    })
    expect(JSON.parse(stdout)).toEqual({ workflows: [{ name: "smoke" }] })
  })

  it("lists the others if a document can't be read, and exits with 2", async () => {
    const call = await inServices({
      ...project("services/billing", { "apis/shop/openapi.json": "{" }),
      ...project("services/orders"),
    })
    const { exitCode, stdout, stderr } = await call("list operations")
    expect([exitCode, stdout]).toEqual([2, expect.stringContaining("services/orders")])
    expect(stderr).toMatch(/^services\/billing\/apis\/shop\/openapi\.json:1:/m)
  })
})

const withoutItem = {
  ...document,
  paths: { ...document.paths, "/items/{id}": { delete: document.paths["/items/{id}"].delete } },
}

describe("impact", () => {
  const changed = async () => {
    const folder = await createRepository({ ...project("services/billing"), ...project("services/orders") })
    await change(folder, { "services/orders/apis/shop/openapi.json": withoutItem })
    return { folder, call: caller(folder) }
  }

  it("names the project of each change and of each use", async () => {
    const { call } = await changed()
    const text = await call("impact")
    expect([text.exitCode, text.stdout]).toEqual([1, expect.stringContaining("services/orders › shop  GET ")])
    expect(text.stdout).toContain("services/orders/apis/workflow/smoke.json:")
    expect(text.stdout).not.toContain("services/billing")
    expect(JSON.parse((await call("impact --json")).stdout)).toMatchObject({
      against: "HEAD",
      changes: [
        {
          project: "services/orders",
          api: "shop",
          before: { file: "services/orders/apis/shop/openapi.json" },
          uses: [{ file: "services/orders/apis/workflow/smoke.json" }],
        },
      ],
      counts: { breaks: 1 },
    })
    expect((await call("impact --format github")).stdout).toMatch(
      /^::error file=services\/orders\/apis\/workflow\/smoke\.json,.*::services\/orders › shop: /m,
    )
    expect((await call("impact --format markdown")).stdout).toContain("services/orders › shop GET")
  })

  it("compares the API that --api names where it exists", async () => {
    const { call } = await changed()
    const unknown = await call("impact --api shpo")
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("shpo")])
    expect((await call("impact --api shop")).exitCode).toBe(1)
  })

  it("checks the recorded responses of each project against its documents", async () => {
    const { folder, call } = await changed()
    const record = ["run", "--all", "--record", "all.callsheet", "--project", "services/*"]
    await callsheet(record, { folder })
    const words = ["impact", "--records", "all.callsheet"]
    expect((await call(words.join(" "))).stderr).toBe("")
    const elsewhere = await callsheet([...words, "--project", "*"], { folder: join(folder, "services") })
    expect(elsewhere.exitCode).toBe(2)
  })
})

describe("run --list", () => {
  it("prints what would run in each project, and which of its files changed", async () => {
    const folder = await createRepository({ ...project("services/billing"), ...project("services/orders") })
    const call = caller(folder)
    await change(folder, { "services/orders/apis/workflow/smoke.json": { ...workflow, description: "New." } })
    const { stdout, stderr, exitCode } = await call("run --all --changed-since HEAD --list")
    expect([exitCode, stdout]).toEqual([
      0,
      "PROJECT          WORKFLOW  CHANGED\nservices/orders  smoke     services/orders/apis/workflow/smoke.json\n",
    ])
    expect(stderr).toContain('services/billing: --changed-since "HEAD": selects 0 of 1 workflow')
    const json = JSON.parse((await call("run --all --changed-since HEAD --list --json")).stdout) as object
    expect(json).toMatchObject({
      since: "HEAD",
      projects: [
        { project: "services/billing", everything: false },
        { project: "services/orders", everything: false },
      ],
      workflows: [
        { project: "services/orders", name: "smoke", reasons: ["services/orders/apis/workflow/smoke.json"] },
      ],
    })
  })
})

it("masks the secrets of every project in the problems of all", async () => {
  const secret = "s3cr3t-t0k3n"
  const quoting = { version: 1, blocks: [{ id: "a", type: secret }] }
  const folder = await createRepository({
    ...project("services/billing"),
    ...project("services/orders", { "apis/workflow/bad.json": quoting, "callsheet.json": { [secret]: 1 } }),
  })
  const call = caller(folder)
  for (const words of ["validate", "validate --json", "impact", "impact --json", "list", "run --all"]) {
    const { stdout, stderr } = await call(words)
    expect(`${stdout}${stderr}`).toContain("services/orders/")
    expect(`${stdout}${stderr}`).not.toContain(secret)
  }
})

describe("commands for one project", () => {
  const rows = table.commands.filter(({ takesPattern }) => takesPattern !== true)
  it.each(rows.map(({ name }) => name))("%s refuses a pattern, and creates nothing", async (name) => {
    const row = rows.find((each) => each.name === name)
    const words = row?.arguments.filter(({ optional }) => optional !== true) ?? []
    const folder = await createTestFolder(project("services/orders"))
    const given = [...name.split(" "), ...words.map(({ choices }) => choices?.[0] ?? "w")]
    const { exitCode, stdout, stderr } = await callsheet([...given, "--project", "services/*"], { folder })
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toBe(
      `callsheet ${name} doesn't take a pattern in --project (usage)\n  hint: name one project's directory; run, validate, list and impact take patterns\n`,
    )
  })
})

it("leaves nothing behind in the process for each project", async () => {
  const empty = { "apis/workflow/smoke.json": { version: 1, blocks: [] } }
  const call = await inServices(
    Object.assign({}, ...Array.from({ length: 12 }, (_, at) => project(`services/p${at}`, empty))) as Files,
  )
  for (const words of ["validate", "run --all"]) expect((await call(words)).stderr).toBe("")
})

it("says once why no project can be compared", async () => {
  const call = await inServices({ ...project("services/billing"), ...project("services/orders") })
  for (const words of ["impact", "run --all --changed-since HEAD"]) {
    const { exitCode, stdout, stderr } = await call(words)
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr.match(/\(usage\)/g)).toHaveLength(1)
  }
})

it("says that the shell has expanded a pattern", async () => {
  const folder = await createTestFolder({ ...project("services/billing"), ...project("services/orders") })
  for (const words of ["validate", "list", "impact", "run --all"]) {
    const expanded = [...words.split(" "), "--project", "services/billing", "services/orders"]
    const { exitCode, stderr } = await callsheet(expanded, { folder })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("hint: quote the pattern of --project")])
  }
})

describe("patterns", () => {
  const names = async (folder: string, pattern: string, cwd = "") => {
    const words = ["list", "workflows", "--json", "--project", pattern]
    const { stdout, exitCode } = await callsheet(words, { folder, cwd })
    if (exitCode !== 0) return exitCode
    const { workflows } = JSON.parse(stdout) as { workflows: readonly { project: string }[] }
    return workflows.map((each) => each.project)
  }

  it("lead to each project once, by its path from the working directory", async () => {
    const folder = await createTestFolder({ ...project("a/b"), ...project("c"), "d/readme.md": "" })
    expect(await names(folder, "**/**/**")).toEqual(["a/b", "c"])
    expect(await names(folder, "*/../*")).toEqual(["c"])
    expect(await names(folder, "./a//*/")).toEqual(["a/b"])
    expect(await names(folder, String.raw`a\*`)).toEqual(["a/b"])
    expect(await names(folder, "../*", "d")).toEqual(["../c"])
    expect(await names(folder, join(folder, "**"), "a")).toEqual(["b", "../c"].sort())
    expect(await names(folder, "**", "c")).toEqual(["."])
    for (const none of ["*/nothing", "/proc/self/f?/*"]) expect(await names(folder, none)).toBe(2)
  })

  it("match neither links nor a project in a project", async () => {
    const folder = await createTestFolder({
      ...project("services/orders"),
      ...project("services/orders/examples/one"),
    })
    const outside = await createTestFolder(project("secret"))
    await symlink(join(outside, "secret"), join(folder, "services/linked"))
    await symlink(folder, join(folder, "services/circle"))
    expect(await names(folder, "services/*")).toEqual(["services/orders"])
    expect(await names(folder, "**")).toEqual(["services/orders"])
  })

  it("look at a deep tree in little time", async () => {
    const folder = await createTestFolder(project("z"))
    await mkdir(join(folder, Array.from({ length: 60 }, () => "d").join("/")), { recursive: true })
    expect(await names(folder, Array.from({ length: 12 }, () => "**/d").join("/"))).toBe(2)
    expect(await names(folder, Array.from({ length: 30 }, () => "**").join("/"))).toEqual(["z"])
  })

  it("name hostile directories without a harm", async () => {
    const hostile = "services/\u001b[31mred\n::error::x\u202e y"
    const call = await inServices({
      ...project(hostile, { "apis/workflow/bad.json": misspelled }),
      ...project("services/two words"),
    })
    for (const words of ["list", "validate", "validate --format github", "validate bad", "validate none"]) {
      const { stdout, stderr } = await call(words)
      expect(`${stdout}${stderr}`).not.toMatch(/\u001b|\u202e|^::error::/m)
      expect(`${stdout}${stderr}`).toContain("[31mred")
    }
    expect((await call("list")).stdout).toContain("services/two words")
    for (const words of ["list --json", "validate --json", "validate --format sarif"])
      expect((await call(words)).stdout).not.toMatch(/\u001b|^\s*::/m)
  })
})

it("completes the names of all projects", async () => {
  const folder = await createFolder({
    ...project("services/billing", { "apis/workflow/refund.json": workflow }),
    ...project("services/orders"),
  })
  const words = ["completion", "bash", "--", "run", "--project", "services/*", ""]
  expect((await callsheet(words, { folder })).stdout).toBe("refund\nsmoke\n")
})
