// `run --changed-since` runs what the difference to a commit affects, and `--list` says why.

import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { change, createRepository, createTestFolder, git } from "./git-project.ts"

const ok = { responses: { 200: { description: "" } } }
const order = { type: "object", properties: { id: { type: "integer" } } }

const shop = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:9" }],
  paths: {
    "/orders": {
      get: { operationId: "listOrders", ...ok },
      post: {
        operationId: "addOrder",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
        ...ok,
      },
    },
    "/status": { get: { operationId: "status", ...ok } },
  },
  components: { schemas: { Order: order } },
}

const stock = `openapi: 3.1.0
info: { title: Stock, version: "1" }
servers: [{ url: "http://127.0.0.1:9" }]
paths:
  /items:
    get:
      operationId: items
      responses:
        "200":
          description: Items
          content:
            application/json:
              schema: { $ref: ../../shared/item.yaml }
`

const sends = (api: string, request: object) => ({
  version: 1,
  blocks: [{ id: "send", type: "request", request: { api, ...request } }],
})

const environments = (api: string) => ({
  [`apis/${api}/environments/schema.json`]: {
    version: 1,
    variables: { limit: { type: "number", required: false } },
  },
  [`apis/${api}/environments/local.json`]: { limit: 1 },
})

const files = {
  ".gitignore": "*.secrets.env\n",
  "README.md": "A project\n",
  "package.json": { private: true },
  "package-lock.json": { lockfileVersion: 3 },
  "callsheet.json": {
    version: 1,
    suites: {
      nightly: { before: ["list"], workflows: ["add", { workflow: "items", data: "rows/items.json" }] },
      daily: { workflows: ["items"] },
      mocked: {
        workflows: [
          { workflow: "list", mocks: ["shop"] },
          { workflow: "items", mocks: [{ api: "stock", from: "rows/stock.ndjson" }] },
        ],
      },
    },
  },
  "rows/items.json": [{}],
  "rows/stock.ndjson": "{}\n",
  "shared/item.yaml": "type: object\n",
  "shared/unused.yaml": "type: object\n",
  "lib/total.ts": 'export { total } from "./inner.ts"\n',
  "lib/inner.ts": "export const total = 1\n",
  "uploads/photo.png": "pixels",
  "apis/shop/openapi.json": shop,
  "apis/shop/requests/orders/usual.json": {
    version: 1,
    method: "POST",
    path: "/orders",
    operation: "addOrder",
  },
  "apis/shop/requests/orders/photo.json": {
    version: 1,
    method: "POST",
    path: "/orders",
    bodyType: "file",
    body: "uploads/photo.png",
  },
  ...environments("shop"),
  "apis/stock/openapi.yaml": stock,
  ...environments("stock"),
  "apis/spare/openapi.json": { ...shop, info: { title: "Spare", version: "1" } },
  "apis/workflow/list.json": sends("shop", { operation: "listOrders" }),
  "apis/workflow/add.json": sends("shop", { resource: "orders", instance: "usual" }),
  "apis/workflow/items.json": sends("stock", { operation: "items" }),
  "apis/workflow/total.json": {
    version: 1,
    blocks: [{ id: "run", type: "script", script: { name: "total", exportName: "run" } }],
  },
  "apis/workflow/scripts/total/total.ts":
    'import { total } from "../../../../lib/total.ts"\nexport const run = () => total\n',
}

interface Listed {
  readonly everything: boolean
  readonly reason?: string
  readonly workflows: readonly { readonly name: string; readonly reasons: readonly string[] }[]
}

async function list(folder: string, ...words: readonly string[]) {
  const called = await callsheet(["run", "--changed-since", "main", "--list", "--json", ...words], { folder })
  expect(called).toMatchObject({ exitCode: 0, stderr: "" })
  const { workflows, ...rest } = JSON.parse(called.stdout) as Listed
  return { ...rest, selected: Object.fromEntries(workflows.map(({ name, reasons }) => [name, reasons])) }
}

const document = "apis/shop/openapi.json"
const withPaths = (paths: object) => ({ ...shop, paths: { ...shop.paths, ...paths } })

describe("run --changed-since --list", () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, Readonly<Record<string, readonly string[]>>]>([
    ["nothing", {}, {}],
    [
      "a file that the project never reads",
      { "README.md": "Other\n", "shared/unused.yaml": "type: string\n" },
      {},
    ],
    [
      "a workflow, one not in git yet, and a deleted one",
      {
        "apis/workflow/add.json": sends("shop", { operation: "addOrder" }),
        "apis/workflow/fresh.json": sends("shop", { operation: "status" }),
        "apis/workflow/list.json": undefined,
      },
      { add: ["apis/workflow/add.json"], fresh: ["apis/workflow/fresh.json"] },
    ],
    [
      "a saved request",
      {
        "apis/shop/requests/orders/usual.json": {
          version: 1,
          method: "POST",
          path: "/orders",
          operation: "addOrder",
          body: { id: 1 },
        },
      },
      { add: ["apis/shop/requests/orders/usual.json"] },
    ],
    [
      "an environment",
      { "apis/stock/environments/local.json": { limit: 2 } },
      { items: ["apis/stock/environments/local.json"] },
    ],
    [
      "a snapshot, also of an entry and of a row",
      {
        "snapshots/add/send.json": { version: 1, status: 200 },
        "snapshots/items@2/send.json": { version: 1, status: 200 },
        "snapshots/gone/send.json": { version: 1, status: 200 },
      },
      { add: ["snapshots/add/send.json"], items: ["snapshots/items@2/send.json"] },
    ],
    ["an ignored secrets file", { "apis/stock/environments/local.secrets.env": "token=a\n" }, {}],
    [
      "a script",
      { "apis/workflow/scripts/total/total.ts": "export const run = () => 2\n" },
      { total: ["apis/workflow/scripts/total/total.ts"] },
    ],
    [
      "a file that a script imports",
      { "lib/inner.ts": "export const total = 2\n" },
      { total: ["lib/inner.ts"] },
    ],
    [
      "a deleted import",
      { "lib/inner.ts": undefined, "lib/total.ts": "export const total = 3\n" },
      { total: ["lib/total.ts"] },
    ],
    [
      "the package file of scripts",
      { "package.json": { private: true, type: "module" } },
      { total: ["package.json"] },
    ],
    [
      "a file that a body is read from",
      { "uploads/photo.png": "others" },
      { add: ["uploads/photo.png"], list: ["uploads/photo.png"] },
    ],
    ["a part of a document", { "shared/item.yaml": "type: string\n" }, { items: ["shared/item.yaml"] }],
    [
      "one operation of a document",
      {
        [document]: withPaths({
          "/status": {
            get: {
              operationId: "status",
              ...ok,
              deprecated: true,
              parameters: [{ name: "a", in: "query", required: true, schema: {} }],
            },
          },
        }),
      },
      {},
    ],
    [
      "a component that one operation uses",
      { [document]: { ...shop, components: { schemas: { Order: { ...order, required: ["id"] } } } } },
      { add: [document] },
    ],
    ["the text of a document", { [document]: { ...shop, info: { title: "Other", version: "2" } } }, {}],
    [
      "an operation that is gone",
      { [document]: withPaths({ "/orders": { post: shop.paths["/orders"].post } }) },
      { list: [document] },
    ],
    [
      "the server of a document",
      { [document]: { ...shop, servers: [{ url: "http://127.0.0.1:10" }] } },
      { add: [document], list: [document] },
    ],
    ["a document that can't be read", { [document]: "{" }, { add: [document], list: [document] }],
    ["a document of an API that no workflow uses", { "apis/spare/openapi.json": "{}" }, {}],
  ])("selects by %s", async (_, changes, selected) => {
    const folder = await createRepository(files)
    await change(folder, changes)
    expect(await list(folder)).toMatchObject({ everything: false, selected })
  })

  const all = ["add", "items", "list", "total"]

  it.each([
    ["callsheet.json", { version: 1, defaults: { retries: 1 }, suites: files["callsheet.json"].suites }],
    ["callsheet.json", "{"],
    ["package-lock.json", { lockfileVersion: 2 }],
    ["apis/shop/notes.txt", "new"],
    ["apis/notes.txt", "new"],
  ])("selects everything by %s", async (file, content) => {
    const folder = await createRepository(files)
    await change(folder, { [file]: content })
    if (content === "{") {
      const called = await callsheet(["run", "--changed-since", "main", "--list"], { folder })
      expect(called.exitCode).toBe(0)
      expect(called.stdout).toContain("total     callsheet.json")
      return
    }
    const listed = await list(folder)
    expect(listed).toMatchObject({ everything: true, reason: `${file} changed` })
    expect(listed.selected).toEqual(Object.fromEntries(all.map((name) => [name, [file]])))
  })

  it("selects the workflows that reach a changed entry of the baseline", async () => {
    const validating = {
      "apis/workflow/list.json": { ...sends("shop", { operation: "listOrders" }), validateContracts: true },
      "apis/workflow/add.json": { ...sends("shop", { operation: "addOrder" }), validateContracts: true },
      "apis/workflow/items.json": { ...sends("stock", { operation: "items" }), validateContracts: true },
    }
    const entry = {
      api: "shop",
      operation: "GET /orders",
      status: 200,
      path: "/body",
      schema: "openapi.json#/x",
      reason: "Known.",
    }
    const folder = await createRepository({
      ...files,
      ...validating,
      "callsheet.baseline.json": { version: 1, violations: [entry] },
    })
    const more = { ...entry, operation: "POST /orders" }
    await change(folder, { "callsheet.baseline.json": { version: 1, violations: [more, entry] } })
    expect(await list(folder)).toMatchObject({
      everything: false,
      selected: { add: ["callsheet.baseline.json"] },
    })
    await change(folder, { "callsheet.baseline.json": "{" })
    expect(Object.keys((await list(folder)).selected)).toEqual(["add", "items", "list"])
  })

  it("selects the entries of a suite that changed", async () => {
    const folder = await createRepository(files)
    const { suites } = files["callsheet.json"]
    await change(folder, {
      "callsheet.json": { version: 1, suites: { ...suites, daily: { workflows: ["items", "add"] } } },
    })
    const selected = { add: ["callsheet.json"], items: ["callsheet.json"] }
    expect(await list(folder)).toMatchObject({ everything: false, selected })
    expect(await list(folder, "--suite", "daily")).toMatchObject({ everything: false, selected })
    expect((await list(folder, "list")).selected).toEqual({})
  })

  it("selects entries of a suite by their rows, and all of them by a workflow that runs before", async () => {
    const folder = await createRepository(files)
    await change(folder, { "rows/items.json": [{}, {}] })
    expect((await list(folder, "--suite", "nightly")).selected).toEqual({ items: ["rows/items.json"] })
    await change(folder, { "apis/workflow/list.json": sends("shop", { operation: "status" }) })
    expect(Object.keys((await list(folder, "--suite", "nightly")).selected)).toEqual(["add", "items"])
  })

  it("selects entries of a suite by the records and the documents of their mocks", async () => {
    const folder = await createRepository(files)
    await change(folder, { "rows/stock.ndjson": "{}\n{}\n" })
    expect((await list(folder, "--suite", "mocked")).selected).toEqual({ items: ["rows/stock.ndjson"] })
    expect((await list(folder)).selected).toEqual({})
    // A mock with a store answers from other operations, too.
    await change(folder, { [document]: withPaths({ "/status": { get: { operationId: "status" } } }) })
    expect((await list(folder, "--suite", "mocked")).selected).toEqual({
      list: [document],
      items: ["rows/stock.ndjson"],
    })
  })

  it("limits names, --grep and --shard", async () => {
    const folder = await createRepository(files)
    await change(folder, { [document]: { ...shop, servers: [{ url: "http://127.0.0.1:10" }] } })
    expect(Object.keys((await list(folder, "items", "list")).selected)).toEqual(["list"])
    expect(Object.keys((await list(folder, "--grep", "ad")).selected)).toEqual(["add"])
    const shards = await Promise.all([1, 2].map((index) => list(folder, "--shard", `${index}/2`)))
    expect(shards.flatMap(({ selected }) => Object.keys(selected)).toSorted()).toEqual(["add", "list"])
  })

  it("compares with the merge base, in a project below the root of its repository", async () => {
    const inside = Object.fromEntries(
      Object.entries(files).map(([path, content]) => [`tests/api/${path}`, content]),
    )
    const root = await createRepository({ ...inside, "yarn.lock": "1\n" })
    const folder = join(root, "tests/api")
    git(root, "switch", "--quiet", "--create", "topic")
    git(root, "switch", "--quiet", "main")
    await change(folder, { "apis/workflow/list.json": sends("shop", { operation: "status" }) })
    commitChanges(root)
    git(root, "switch", "--quiet", "topic")
    expect((await list(folder)).selected).toEqual({})
    await change(root, { "yarn.lock": "2\n" })
    expect(await list(folder)).toMatchObject({ everything: true, reason: "../../yarn.lock changed" })
  })

  it("also selects by the commits of a branch", async () => {
    const folder = await createRepository(files)
    git(folder, "switch", "--quiet", "--create", "topic")
    await change(folder, { "lib/inner.ts": undefined, "apis/workflow/add.json": undefined })
    commitChanges(folder)
    await change(folder, { "apis/workflow/list.json": sends("shop", { operation: "status" }) })
    const selected = { list: ["apis/workflow/list.json"], total: ["lib/inner.ts"] }
    expect(await list(folder)).toMatchObject({ everything: false, selected })
  })

  it("prints a table", async () => {
    const folder = await createRepository(files)
    await change(folder, { "lib/inner.ts": "export const total = 2\n" })
    const { stdout, stderr } = await callsheet(["run", "--changed-since", "HEAD", "--list"], { folder })
    expect(stdout).toBe("WORKFLOW  CHANGED\ntotal     lib/inner.ts\n")
    expect(stderr).toBe('--changed-since "HEAD": selects 1 of 4 workflows\n')
  })
})

/** Commits, if there is something to commit. */
const commitChanges = (folder: string): void => {
  git(folder, "add", "--all")
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "Changes")
}

describe("run --changed-since", () => {
  it("runs what is affected, and nothing if nothing is", async () => {
    const folder = await createRepository(files)
    const none = await callsheet(["run", "--changed-since", "main", "--json"], { folder })
    expect(none).toMatchObject({ exitCode: 0, stderr: '--changed-since "main": selects 0 of 4 workflows\n' })
    expect(none.report?.runs).toEqual([])
    await change(folder, { "lib/inner.ts": "export const total = 2\n" })
    const { exitCode, report } = await callsheet(["run", "--changed-since", "main", "--json"], { folder })
    expect(exitCode).toBe(0)
    expect(report?.runs.map(({ workflow }) => workflow)).toEqual(["total"])
  })

  it.each([
    ["--changed-since", "-x"],
    ["--changed-since", "missing"],
    ["--changed-since", "main:README.md"],
    ["--changed-since", "main..HEAD"],
    ["--changed-since", "$(touch hacked)"],
    ["--changed-since=--output=hacked"],
  ])("refuses %s %s", async (...words) => {
    const folder = await createRepository(files)
    const called = await callsheet(["run", ...words, "--list"], { folder })
    expect(called).toMatchObject({ exitCode: 2, stdout: "" })
    expect(git(folder, "status", "--short")).toBe("")
  })

  it("says why git can't tell", async () => {
    const since = ["run", "--changed-since", "main", "--list"]
    const folder = await createTestFolder(files)
    expect((await callsheet(since, { folder })).stderr).toContain("the project isn't in a git repository")
    const withoutGit = { PATH: "/nonexistent" }
    expect((await callsheet(since, { folder, env: withoutGit })).stderr).toContain("git isn't installed")
    const origin = await createRepository(files)
    git(origin, "switch", "--quiet", "--create", "topic")
    git(origin, "commit", "--quiet", "--allow-empty", "--message", "Topic")
    git(origin, "switch", "--quiet", "main")
    git(origin, "commit", "--quiet", "--allow-empty", "--message", "Main")
    const clone = await createTestFolder({})
    git(clone, "clone", "--quiet", "--depth=1", "--no-single-branch", `file://${origin}`, "shallow")
    const shallow = await callsheet(["run", "--changed-since", "origin/topic", "--list"], {
      folder: join(clone, "shallow"),
    })
    expect(shallow).toMatchObject({ exitCode: 2 })
    expect(shallow.stderr).toContain("this clone is shallow")
    expect(shallow.stderr).toContain("fetch-depth: 0")
  })

  it("runs no filter, hook or monitor of the repository", async () => {
    const folder = await createRepository({ ...files, ".gitattributes": "* filter=evil diff=evil\n" })
    const evil = "touch hacked #"
    for (const name of [
      "filter.evil.clean",
      "filter.evil.smudge",
      "filter.evil.process",
      "diff.evil.textconv",
      "diff.evil.command",
      "core.fsmonitor",
      "core.pager",
    ])
      git(folder, "config", name, evil)
    await change(folder, { "apis/workflow/add.json": sends("shop", { operation: "addOrder" }) })
    expect((await list(folder)).selected).toEqual({ add: ["apis/workflow/add.json"] })
    expect(spawnSync("ls", [folder], { encoding: "utf8" }).stdout).not.toContain("hacked")
  })

  it("compares files of Git LFS by their content", async () => {
    const hash = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize 3\n`
    const folder = await createRepository({ ...files, "uploads/photo.png": pointer })
    await change(folder, { "uploads/photo.png": "foo" })
    expect((await list(folder)).selected).toEqual({})
    await change(folder, { "uploads/photo.png": "bar" })
    expect(Object.keys((await list(folder)).selected)).toEqual(["add", "list"])
  })

  it.each([
    [["--list"], "--list needs --changed-since"],
    [["--changed-since", "main", "--last-failed"], "can't be used with --last-failed"],
  ])("refuses %j", async (words, message) => {
    const folder = await createRepository(files)
    const called = await callsheet(["run", ...words], { folder })
    expect(called.exitCode).toBe(2)
    expect(called.stderr).toContain(message)
  })
})
