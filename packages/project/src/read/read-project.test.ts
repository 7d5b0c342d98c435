import { mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readProject } from "./read-project.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

const request = (api: string, id = "one") => ({ id, type: "request", request: { api, operation: "x" } })
const workflow = (...blocks: unknown[]) => ({ version: 1, blocks })

const project = () =>
  temporaryProject({
    "apis/shop/openapi.yaml": "openapi: 3.1.0",
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { x: { type: "string", required: false } },
    },
    "apis/shop/environments/local.json": "\ufeff{}",
    "apis/shop/environments/local.secrets.env": "x=1",
    "apis/shop/requests/orders/new.json": { version: 1, operation: "createOrder" },
    "apis/shop/requests/orders/.hidden.json": "{",
    "apis/pay/requests/cards/all.json": "{",
    "apis/unused/environments/broken.json": "{",
    "apis/workflow/checkout.json": workflow(request("shop"), {
      id: "g",
      type: "group",
      blocks: [request("pay", "two"), request("gone", "three")],
    }),
    "apis/workflow/broken.json": "{",
    "apis/workflow/notes.md": "no workflow",
    "apis/workflow/scripts/checkout/b.ts": "",
    "apis/workflow/scripts/checkout/a/c.ts": "",
    "apis/workflow/scripts/checkout/types.d.ts": "",
    "apis/workflow/scripts/checkout/node_modules/x/index.ts": "",
    "apis/workflow/scripts/checkout/data.json": "",
    "apis/README.md": "",
  })

const everything = { workflows: "all", apis: "all" } as const

/** Formats every problem as `file code`. */
const allProblems = (root: string) => {
  const read = readProject(root, everything)
  const problems = [
    ...read.problems,
    ...[...read.apis.values()].flatMap((api) => [
      ...api.problems,
      ...api.environments.problems,
      ...[...api.instances.values()].flatMap((instance) => instance.problems),
    ]),
    ...[...read.workflows.values()].flatMap((file) => file.problems),
  ]
  return problems.map(({ file, code }) => `${file} ${code}`)
}

const caught = (read: () => unknown): unknown => {
  try {
    read()
  } catch (error) {
    return error
  }
  return undefined
}

describe("readProject", () => {
  it("reads the requested workflows and the APIs that they use, and nothing else", () => {
    const root = project()
    const read = readProject(root, { workflows: ["checkout"], apis: "touched" })
    expect(read.root).toBe(root)
    expect(read.apiNames).toEqual(["pay", "shop", "unused"])
    expect(read.workflowNames).toEqual(["broken", "checkout"])
    expect([...read.workflows.keys()]).toEqual(["checkout"])
    expect([...read.apis.keys()]).toEqual(["pay", "shop"])
    expect(read.scriptNames).toEqual(new Map([["checkout", ["a/c", "b"]]]))
    expect(read.problems).toEqual([])
    const shop = read.apis.get("shop")!
    expect(shop.document).toMatchObject({ file: "apis/shop/openapi.yaml", text: "openapi: 3.1.0" })
    expect([...shop.environments.environments.keys()]).toEqual(["local"])
    expect(shop.environments.environments.get("local")?.secrets).toEqual(new Map([["x", "1"]]))
    expect([...shop.instances.keys()]).toEqual(["orders/new"])
    expect(shop.instances.get("orders/new")).toMatchObject({
      resource: "orders",
      name: "new",
      file: "apis/shop/requests/orders/new.json",
      request: { operation: "createOrder" },
      problems: [],
    })
  })

  it("keeps each problem with the file it belongs to", () => {
    const read = readProject(project(), everything)
    expect(read.apis.get("pay")?.instances.get("cards/all")).toMatchObject({
      problems: [{ code: "json-syntax" }],
    })
    expect(read.apis.get("unused")?.environments.problems).toMatchObject([{ code: "json-syntax" }])
    expect(read.workflows.get("broken")?.workflow).toBeUndefined()
    expect(read.workflows.get("broken")?.problems).toMatchObject([
      { code: "json-syntax", file: "apis/workflow/broken.json", line: 1, column: 2 },
    ])
  })

  it("reads the named APIs", () => {
    const read = readProject(project(), { workflows: [], apis: ["pay"] })
    expect([...read.apis.keys()]).toEqual(["pay"])
    expect(read.workflows.size).toBe(0)
  })

  it("throws for a missing workflow, API or project", () => {
    const root = project()
    expect(caught(() => readProject(root, { workflows: ["chekout"], apis: [] }))).toMatchObject({
      code: "workflow-unknown",
      hint: 'did you mean "checkout"?',
    })
    expect(caught(() => readProject(root, { workflows: [], apis: ["shp"] }))).toMatchObject({
      code: "api-unknown",
      hint: 'did you mean "shop"?',
    })
    expect(caught(() => readProject(join(root, "nowhere"), everything))).toMatchObject({
      code: "project-missing",
    })
    expect(caught(() => readProject(root, { workflows: ["../../../etc/passwd"], apis: [] }))).toMatchObject({
      code: "workflow-unknown",
    })
    expect(caught(() => readProject(root, { workflows: ["__proto__"], apis: [] }))).toMatchObject({
      code: "workflow-unknown",
    })
  })

  it("reports invalid names and skips them", () => {
    const root = temporaryProject({
      "apis/Shop/x": "",
      "apis/my api/x": "",
      "apis/workflow/con.json": workflow(),
      "apis/workflow/my flow.json": workflow(),
      "apis/workflow/Pay.json": workflow(),
      "apis/workflow/pay.json": workflow(),
    })
    const read = readProject(root, { workflows: [], apis: [] })
    expect(read.apiNames).toEqual([])
    expect(read.workflowNames).toEqual(["Pay", "pay"])
    expect(read.problems.map(({ file, code }) => `${file} ${code}`)).toEqual([
      "apis/Shop api-name",
      "apis/my api api-name",
      "apis/workflow/con.json workflow-name",
      "apis/workflow/my flow.json workflow-name",
      "apis/workflow/pay.json workflow-name",
    ])
  })

  it("reports a second OpenAPI document", () => {
    const root = temporaryProject({ "apis/a/openapi.json": "{}", "apis/a/openapi.yml": "" })
    expect(allProblems(root)).toEqual(["apis/a/openapi.yml document-ambiguous"])
  })

  it("names documents without opening them if they are not needed, and never one outside the project", () => {
    const outside = temporaryProject({ "openapi.json": "{}" })
    const root = temporaryProject({
      "apis/shop/openapi.json": new Uint8Array([0xc3, 0x28]),
      "apis/bare/environments/local.json": {},
      "apis/leak/environments/local.json": {},
    })
    symlinkSync(join(outside, "openapi.json"), join(root, "apis/leak/openapi.json"))
    const named = readProject(root, { workflows: [], apis: "all", documents: "named" })
    expect([...named.apis.values()].map(({ documentFile }) => documentFile)).toEqual([
      undefined,
      undefined,
      "apis/shop/openapi.json",
    ])
    expect([...named.apis.values()].map(({ document }) => document)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(named.apis.get("shop")?.problems).toEqual([])
    expect(named.apis.get("leak")?.problems).toMatchObject([{ code: "link-outside" }])
    const read = readProject(root, { workflows: [], apis: "all" })
    expect(read.apis.get("shop")).toMatchObject({
      documentFile: "apis/shop/openapi.json",
      problems: [{ code: "file-encoding" }],
    })
  })

  it("doesn't parse an unchanged workflow again, and forgets its old problems", () => {
    const root = temporaryProject({
      "apis/workflow/same.json": workflow(request("shop")),
      "apis/workflow/other.json": workflow(request("shop")),
      "apis/workflow/broken.json": "{",
      "apis/workflow/scripts/same/bad?.ts": "",
      "apis/workflow/scripts/other/good.ts": "",
    })
    mkdirSync(join(root, "apis/workflow/empty.json"))
    const first = readProject(root, { workflows: "all", apis: "all" })
    expect(first.workflows.get("same")?.problems).toMatchObject([{ code: "script-name" }])
    expect(first.workflows.get("empty")?.problems).toMatchObject([{ code: "file-unreadable" }])
    expect([...first.scriptNames]).toContainEqual(["other", ["good"]])
    rmSync(join(root, "apis/workflow/scripts/same/bad?.ts"))
    rmSync(join(root, "apis/workflow/empty.json"), { recursive: true })
    writeFileSync(join(root, "apis/workflow/empty.json"), "")
    writeFileSync(join(root, "apis/workflow/other.json"), JSON.stringify(workflow()))
    const second = readProject(root, { workflows: "all", apis: "all", previous: first })
    expect(second).toEqual(readProject(root, { workflows: "all", apis: "all" }))
    expect(second.workflows.get("same")?.workflow).toBe(first.workflows.get("same")?.workflow)
    expect(second.workflows.get("broken")).toBe(first.workflows.get("broken"))
    expect(second.workflows.get("same")?.problems).toEqual([])
    expect(second.workflows.get("empty")?.problems).toMatchObject([{ code: "json-syntax" }])
  })
})

const withFolder = () =>
  temporaryProject({ "apis/a/environments/schema.json": { version: 1, variables: {} } })

describe("files that are not regular files", () => {
  const folder = "apis/a/environments"

  it("reads documents of 128 MiB, and larger ones if callsheet.json allows them", () => {
    const megabytes = (count: number) => count * 1024 * 1024
    const documentOf = (bytes: number, settings?: object) => {
      const root = temporaryProject({
        "apis/a/openapi.json": "",
        ...(settings === undefined ? {} : { "callsheet.json": { version: 1, ...settings } }),
      })
      truncateSync(join(root, "apis/a/openapi.json"), bytes)
      const { apis } = readProject(root, { workflows: "all", apis: "all" })
      return apis.get("a")?.problems.map(({ message, hint }) => [message, hint])
    }
    const hint = 'set "maxDocumentSize" in callsheet.json, for example to "512MiB"'
    expect(documentOf(megabytes(73))).toEqual([])
    expect(documentOf(megabytes(128))).toEqual([])
    expect(documentOf(megabytes(129))).toEqual([["the document has 129 MiB; the limit is 128 MiB", hint]])
    expect(documentOf(megabytes(129), { maxDocumentSize: "130MiB" })).toEqual([])
    expect(documentOf(megabytes(131), { maxDocumentSize: "130MiB" })).toEqual([
      ["the document has 131 MiB; the limit is 130 MiB", hint],
    ])
    expect(documentOf(megabytes(129), { maxDocumentSize: "1KiB" })).toEqual([
      ["the document has 129 MiB; the limit is 1 KiB", hint],
    ])
    expect(documentOf(megabytes(129), { maxDocumentSize: "a lot" })).toEqual([
      ["the document has 129 MiB; the limit is 128 MiB", hint],
    ])
  })

  it("waits briefly for an editor that has just emptied a file, and no longer", () => {
    const root = temporaryProject({ "apis/a/environments/local.json": "" })
    const start = performance.now()
    expect(allProblems(root)).toEqual(["apis/a/environments/local.json json-syntax"])
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it("reads a large file at any time after it was written", () => {
    const root = temporaryProject({ "apis/a/environments/local.json": `{${" ".repeat(5_000)}}` })
    const file = join(root, "apis/a/environments/local.json")
    for (let ageMs = 0; ageMs < 20; ageMs += 0.15) {
      utimesSync(file, new Date(), (Date.now() - ageMs) / 1000)
      expect(allProblems(root)).toEqual([])
    }
  })

  it("has no absolute path in any problem", () => {
    const root = withFolder()
    symlinkSync("/etc/passwd", join(root, folder, "x.json"))
    mkdirSync(join(root, folder, "y.json"))
    writeFileSync(join(root, folder, "z.json"), Buffer.from([0xff]))
    const { problems } = readProject(root, everything).apis.get("a")!.environments
    expect(problems).toHaveLength(3)
    expect(JSON.stringify(problems)).not.toMatch(/passwd|tmp/)
  })
})

describe("callsheet.json", () => {
  const settings = { version: 1, suites: { smoke: { workflows: ["a"] } } }
  const read = (root: string, previous?: ReturnType<typeof readProject>) =>
    readProject(root, { workflows: [], apis: [], previous })

  it("is part of the project, and absent from a project without one", () => {
    const { settingsFile } = read(temporaryProject({ "apis/a.md": "", "callsheet.json": settings }))
    expect(settingsFile).toMatchObject({ file: "callsheet.json", settings, problems: [] })
    expect(read(temporaryProject({ "apis/a.md": "" })).settingsFile).toBeUndefined()
  })

  it("may have a byte order mark or be a link inside the project", () => {
    const root = temporaryProject({ "apis/a.md": "", "config/x.json": `\ufeff${JSON.stringify(settings)}` })
    symlinkSync("config/x.json", join(root, "callsheet.json"))
    expect(read(root).settingsFile?.settings).toEqual(settings)
  })

  it("isn't parsed again if its text is the same", () => {
    const root = temporaryProject({ "apis/a.md": "", "callsheet.json": settings })
    const first = read(root)
    expect(read(root, first).settingsFile).toBe(first.settingsFile)
    writeFileSync(join(root, "callsheet.json"), '{"version":1}')
    expect(read(root, first).settingsFile?.settings).toEqual({ version: 1 })
  })

  it.each<[string, (path: string) => void, string]>([
    ["a directory", (path) => mkdirSync(path), "file-unreadable"],
    ["a link out of the project", (path) => symlinkSync("/etc/hostname", path), "link-outside"],
    ["a broken link", (path) => symlinkSync("nowhere", path), "file-unreadable"],
    ["not UTF-8", (path) => writeFileSync(path, new Uint8Array([0x7b, 0xff, 0x7d])), "file-encoding"],
    [
      "too large",
      (path) => (writeFileSync(path, ""), truncateSync(path, 17 * 1024 * 1024)),
      "file-unreadable",
    ],
    ["not JSON", (path) => writeFileSync(path, "{"), "json-syntax"],
    ["of another version", (path) => writeFileSync(path, '{"version":2}'), "version-invalid"],
  ])("is reported if it is %s", (_, write, code) => {
    const root = temporaryProject({ "apis/a.md": "" })
    write(join(root, "callsheet.json"))
    const { settingsFile } = read(root)
    expect(settingsFile?.settings).toBeUndefined()
    expect(settingsFile?.problems).toMatchObject([{ code, severity: "error", file: "callsheet.json" }])
  })
})
