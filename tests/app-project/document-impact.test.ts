// The app compares documents with the last commit like `callsheet impact`, and repairs files like `validate --fix`.

import { execFileSync } from "node:child_process"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { createRepairHandlers, ChangeSets, type Output } from "@callsheet/server"
import { makeFolder, openProject, scriptEntry, type Files } from "./open-project.ts"

const processEnvironment = { PATH: process.env["PATH"], HOME: "/nonexistent" }
const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]

const git = (root: string, ...words: readonly string[]): void =>
  void execFileSync("git", [...identity, ...words], { cwd: root, env: processEnvironment, stdio: "ignore" })

function commit(root: string): void {
  git(root, "add", "--all")
  git(root, "commit", "--message", "Something")
}

interface Parts {
  readonly query?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly more?: Readonly<Record<string, unknown>>
}

const documentOf = ({ query = "page", properties = { id: { type: "string" } }, more = {} }: Parts = {}) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [{ name: query, in: "query", schema: { type: "integer" } }],
        responses: {
          200: {
            description: "",
            content: {
              "application/json": {
                schema: { type: "object", required: Object.keys(properties), properties },
              },
            },
          },
        },
      },
    },
    ...more,
  },
})

const workflow = {
  version: 1,
  blocks: [
    {
      id: "list",
      type: "request",
      request: { api: "shop", operation: "listOrders", overrides: { params: { query: { page: "1" } } } },
    },
    {
      id: "has-id",
      type: "assert",
      assertions: [{ source: "list.response.body.id", operator: "exists" }],
    },
  ],
}

const shop: Files = {
  "apis/shop/openapi.json": documentOf(),
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string" }, apiKey: { type: "string", secret: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
  "apis/shop/environments/local.secrets.env": "apiKey=s3cr3t-of-local\n",
  "apis/workflow/checkout.json": workflow,
  ".gitignore": "*.secrets.env\n",
}

async function committed(files: Files = shop) {
  const root = await makeFolder(files)
  git(root, "init")
  commit(root)
  return opened(root)
}

async function opened(
  root: string,
  environment: Readonly<Record<string, string | undefined>> = processEnvironment,
) {
  const project = await openProject(root, { processEnvironment: environment })
  const changeSets = new ChangeSets(project)
  const repairs = createRepairHandlers({
    root,
    scriptEntry,
    processEnvironment: environment,
    overview: project.overview,
    changeSets,
    drafts: async () => [{ file: { kind: "workflow", workflow: "checkout" }, keptAt: "" }],
  })
  const impact = async (): Promise<Output<"impact.read">> => project.handlers["impact.read"]({ api: "shop" })
  const change = async (parts: Parts): Promise<void> => {
    await project.put({ "apis/shop/openapi.json": documentOf(parts) })
    project.noteChange()
  }
  return { ...project, changeSets, impact, change, plan: repairs["repairs.plan"] }
}

describe("impact.read", () => {
  it("says what an uncommitted change of a document breaks, with block, place and class", async () => {
    const { impact, change, root } = await committed()
    expect(await impact()).toEqual({ is: "same" })
    await change({ properties: { number: { type: "string" } }, more: { "/new": { get: { responses: {} } } } })
    const view = await impact()
    if (view.is !== "compared") throw new Error(view.is)
    expect(view.counts).toEqual({ breaks: 1, unused: 0, compatible: 2 })
    const [first] = view.changes
    expect(first).toMatchObject({
      operation: "GET /orders",
      class: "breaks",
      target: { method: "GET", path: "/orders" },
      uses: [{ workflow: "checkout", block: "has-id", file: "apis/workflow/checkout.json", line: 24 }],
    })
    expect(first?.message).toContain("id")
    expect(first?.place).toMatchObject({ file: "apis/shop/openapi.json", line: expect.any(Number) })
    // A commit changes no file of the project, but what a document is compared with.
    commit(root)
    expect(await impact()).toEqual({ is: "same" })
  })

  it("says why there is nothing to compare with", async () => {
    const root = await makeFolder(shop)
    const reasonIn = async (environment = processEnvironment) => (await opened(root, environment)).impact()
    expect(await reasonIn()).toEqual({ is: "unknown", reason: "the project is not in a git repository" })
    expect(await reasonIn({ ...processEnvironment, PATH: "" })).toEqual({
      is: "unknown",
      reason: "git is not installed",
    })
    git(root, "init")
    expect(await reasonIn()).toEqual({ is: "unknown", reason: "the repository has no commit" })
  })

  it("says which side can't be read, and never that nothing changed", async () => {
    const { impact, root, noteChange } = await committed()
    await writeFile(join(root, "apis/shop/openapi.json"), "{")
    noteChange()
    const view = await impact()
    if (view.is !== "unreadable") throw new Error(view.is)
    expect(view.problems[0]?.message).toMatch(/^the new document: /)
    expect(view.problems[0]?.file).toBe("apis/shop/openapi.json")
  })

  it("lists the operations of a document that is gone or new", async () => {
    const { impact, root, noteChange } = await committed()
    await rm(join(root, "apis/shop/openapi.json"))
    noteChange()
    expect(await impact()).toMatchObject({ is: "compared", only: "old", counts: { breaks: 1 } })
    commit(root)
    await writeFile(join(root, "apis/shop/openapi.json"), JSON.stringify(documentOf()))
    noteChange()
    expect(await impact()).toMatchObject({ is: "compared", only: "new", counts: { breaks: 0 } })
  })

  it("sends the first of very many changes, those that break something first, and counts all", async () => {
    const { impact, change } = await committed()
    const more = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`/new/${index}`, { get: { responses: {} } }]),
    )
    await change({ properties: { number: { type: "string" } }, more })
    const view = await impact()
    if (view.is !== "compared") throw new Error(view.is)
    expect(view.counts).toEqual({ breaks: 1, unused: 0, compatible: 3001 })
    expect(view.changes).toHaveLength(501)
    expect(view.changes[0]?.class).toBe("breaks")
  })

  it("shows no secret that a document contains", async () => {
    const { impact, change } = await committed()
    await change({ query: "s3cr3t-of-local", more: { "/s3cr3t-of-local": { get: { responses: {} } } } })
    const view = await impact()
    expect(view.is).toBe("compared")
    expect(JSON.stringify(view)).not.toContain("s3cr3t-of-local")
  })
})

describe("repairs.plan", () => {
  it("previews the repairs of a document's change, and writes them as one change", async () => {
    const { impact, change, plan, changeSets, root } = await committed()
    await change({ query: "offset" })
    expect(await impact()).toMatchObject({ repairs: 1 })
    const preview = await plan({ api: "shop" })
    expect(preview.fileCount).toBe(1)
    expect(preview.files[0]?.after).toContain('"offset": "1"')
    expect(preview.notes.at(-1)).toMatch(/^apis\/workflow\/checkout\.json:13: .*"page".*"offset"\.$/)
    expect(preview.notes[0]).toMatch(/unsaved changes/)
    await changeSets.handlers["plans.apply"]({ plan: preview.plan })
    expect(await readFile(join(root, "apis/workflow/checkout.json"), "utf8")).toContain('"offset": "1"')
  })

  it("writes nothing if a file changed after the preview", async () => {
    const { change, plan, changeSets, root } = await committed()
    await change({ query: "offset" })
    const preview = await plan({ api: "shop" })
    const other = JSON.stringify({ ...workflow, description: "Other" }, undefined, 2)
    await writeFile(join(root, "apis/workflow/checkout.json"), other)
    await expect(changeSets.handlers["plans.apply"]({ plan: preview.plan })).rejects.toMatchObject({
      status: 409,
    })
    expect(await readFile(join(root, "apis/workflow/checkout.json"), "utf8")).toBe(other)
  })

  it("repairs misspelled names without git, and says that changes of documents aren't repaired", async () => {
    const root = await makeFolder({
      ...shop,
      "apis/workflow/checkout.json": JSON.stringify(workflow, undefined, 2).replace(
        "listOrders",
        "listOrder",
      ),
    })
    const { plan } = await opened(root)
    const preview = await plan({})
    expect(preview.files[0]?.after).toContain('"listOrders"')
    expect(preview.notes[0]).toBe(
      "Changes of documents aren't repaired: the project is not in a git repository.",
    )
    await expect(plan({ api: "shop" })).rejects.toMatchObject({ status: 422 })
  })
})
