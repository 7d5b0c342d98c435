// `documents` in callsheet.json: OpenAPI documents outside `apis/`, which several projects of a repository share.

import { execFileSync } from "node:child_process"
import { rm, symlink, truncate } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { openEditor } from "../editor-actions/editor.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, writeFiles, type Files } from "../harness/callsheet.ts"
import { assert, request, shopFiles } from "../run/shop-project.ts"

let api: ApiServer
let folder: string

beforeEach(async () => {
  api = await startApi({ "*": () => ({ body: { id: 7 } }) })
  folder = await createFolder()
  git("init", "-q")
})
afterEach(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const git = (...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], {
    cwd: folder,
    encoding: "utf8",
  })

const document = (item: object) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/items/{id}": {
      get: {
        operationId: "getItem",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { "200": { description: "An item.", content: { "application/json": { schema: item } } } },
      },
    },
  },
})

const workflow = {
  version: 1,
  validateContracts: true,
  blocks: [
    request("get", { operation: "getItem", overrides: { params: { path: { id: "a" } } } }),
    assert("ok", ["get.response.status", "equals", 200]),
  ],
}

const itemOf = (type: string) => ({ Item: { type: "object", properties: { id: { type } } } })

/** A project in `services/orders`. Without a document of its own unless `own` is given. */
function project(own: object | undefined, settings: object | undefined, more: Files = {}): Files {
  const { "apis/shop/openapi.json": _, "apis/workflow/w.json": __, ...base } = shopFiles(api.url, [])
  const files: Files = {
    ...base,
    "apis/workflow/read.json": workflow,
    ...(own === undefined ? {} : { "apis/shop/openapi.json": own }),
    ...(settings === undefined ? {} : { "callsheet.json": { version: 1, ...settings } }),
  }
  const inside = Object.entries(files).map(([path, text]) => [`services/orders/${path}`, text])
  return { ...Object.fromEntries(inside), ...more } as Files
}

const call = (...words: string[]) => callsheet([...words, "--project", "services/orders"], { folder })
const references = document({ $ref: "../../../../contracts/models.json#/Item" })
const shared = { documents: ["../../contracts"] }

describe("documents", () => {
  it("lets references lead to a named directory, and refuses them without it", async () => {
    await writeFiles(folder, project(references, shared, { "contracts/models.json": itemOf("string") }))
    const { exitCode, report } = await call("run", "read", "--json")
    expect(exitCode).toBe(1)
    expect(report?.runs[0]?.blocks[0]?.contract?.problems).toMatchObject([
      { path: "/body/id", file: "../../contracts/models.json" },
    ])
    await writeFiles(folder, { "services/orders/callsheet.json": { version: 1 } })
    const refused = await call("validate")
    expect([refused.exitCode, refused.stdout]).toEqual([
      1,
      expect.stringContaining('"documents" of callsheet.json'),
    ])
  })

  it.each(["contracts/shop.yaml", "contracts/shop/openapi.json"])(
    "reads the document %s of an API",
    async (file) => {
      const text = document({ $ref: `${file.includes("shop/") ? "../" : "./"}models.json#/Item` })
      await writeFiles(
        folder,
        project(undefined, shared, {
          [file]: JSON.stringify(text),
          "contracts/models.json": itemOf("integer"),
        }),
      )
      const { exitCode, report } = await call("run", "read", "--json")
      expect([exitCode, report?.runs[0]?.blocks[0]?.contract?.status]).toEqual([0, "passed"])
      expect((await call("validate")).exitCode).toBe(0)
    },
  )

  it("prefers the document in apis/, and names two that could be meant", async () => {
    const files = { "contracts/shop.json": "no document", "contracts/models.json": itemOf("integer") }
    await writeFiles(folder, project(references, shared, files))
    expect((await call("run", "read")).exitCode).toBe(0)
    await writeFiles(folder, { "contracts/shop.yaml": "openapi: 3.1.0" })
    await rm(join(folder, "services/orders/apis/shop/openapi.json"))
    const { stdout } = await call("validate")
    expect(stdout).toContain("document-ambiguous")
  })

  it("follows changes of shared files in --changed-since and in the comparison of documents", async () => {
    await writeFiles(
      folder,
      project(references, shared, {
        "contracts/models.json": itemOf("integer"),
        "contracts/other.json": {},
      }),
    )
    git("add", "-A")
    git("commit", "-qm", "all")
    const none = await call("run", "--changed-since", "HEAD", "--json")
    expect([none.exitCode, none.report?.runs]).toEqual([0, []])
    await writeFiles(folder, { "contracts/models.json": itemOf("string") })
    const { exitCode, report } = await call("run", "--changed-since", "HEAD", "--json")
    expect([exitCode, report?.runs.map(({ workflow: name }) => name)]).toEqual([1, ["read"]])
    const { stdout } = await call("impact", "--against", "HEAD")
    expect(stdout).toContain("GET /items/{id}")
  })

  it("refuses directories that don't exist, hidden ones, absolute ones and those outside the repository", async () => {
    const wrong: readonly (readonly [string, string])[] = [
      ["../../missing", "doesn't exist"],
      ["../../../..", "is not the path of a directory"],
      ["../../.git", "is not the path of a directory"],
      ["/etc", "is not the path of a directory"],
      ["../../outside", "is outside the repository"],
      ["../../git-data", "is outside the repository"],
      ["../../contracts/../.git", "is not the path of a directory"],
      ["..\\..\\contracts", "is not the path of a directory"],
      ["../../contracts/shop.yaml", "doesn't exist"],
      ["../../*", "doesn't exist"],
    ]
    const other = await createFolder()
    await symlink(other, join(folder, "outside"))
    await symlink(".git", join(folder, "git-data"))
    for (const [path, says] of wrong) {
      await writeFiles(folder, project(document({}), { documents: [path] }))
      const { exitCode, stdout } = await call("validate")
      expect([path, exitCode, stdout]).toEqual([path, 1, expect.stringContaining(says)])
      expect(stdout).toContain("callsheet.json:")
    }
    await rm(other, { recursive: true })
  })

  it("reads only JSON and YAML, and no link that leads out of the directory", async () => {
    await writeFiles(
      folder,
      project(document({ $ref: "../../../../contracts/secrets.env" }), shared, {
        "contracts/secrets.env": "token=s3cr3t",
        "private/models.json": itemOf("integer"),
      }),
    )
    const { exitCode, stdout } = await call("validate")
    expect(exitCode).toBe(1)
    expect(stdout).not.toContain("s3cr3t")
    await symlink(join(folder, "private/models.json"), join(folder, "contracts/models.json"))
    await writeFiles(folder, { "services/orders/apis/shop/openapi.json": references })
    expect((await call("validate")).exitCode).toBe(1)
  })

  it("reads a document once, although several paths lead to it", async () => {
    await writeFiles(
      folder,
      project(
        undefined,
        { documents: ["../../contracts", "../../contracts/", "../../alias"] },
        { "contracts/shop.json": document({ type: "object" }) },
      ),
    )
    await symlink("contracts", join(folder, "alias"))
    expect((await call("validate")).exitCode).toBe(0)
  })

  it("ends at references that form a cycle, at pipes and at files that are too large", async () => {
    const files = (models: object) =>
      project(references, shared, {
        "contracts/models.json": models,
        "contracts/other.json": { Item: { $ref: "models.json#/Item" } },
      })
    await writeFiles(folder, files({ Item: { $ref: "other.json#/Item" } }))
    git("add", "-A")
    git("commit", "-qm", "all")
    expect((await call("validate")).stdout).toContain("the references form a cycle")
    expect((await call("impact")).exitCode).toBe(0)
    await writeFiles(folder, files({ Item: { properties: { next: { $ref: "other.json#/Item" } } } }))
    expect((await call("validate")).stdout).not.toContain("document-invalid")
    expect((await call("run", "read")).exitCode).toBe(0)
    await rm(join(folder, "contracts/models.json"))
    execFileSync("mkfifo", [join(folder, "contracts/models.json")])
    expect((await call("validate")).stdout).toContain("expected a file but found a pipe")
    await rm(join(folder, "contracts/models.json"))
    await writeFiles(folder, { "contracts/models.json": "" })
    await truncate(join(folder, "contracts/models.json"), 129 * 1024 * 1024)
    expect((await call("validate")).stdout).toContain("the limit is 128 MiB")
  })

  it("names shared files from the repository in annotations, for one project and for several", async () => {
    await writeFiles(folder, project(references, shared, { "contracts/models.json": itemOf("string") }))
    const run = ["run", "read", "--reporter", "github"]
    expect((await call(...run)).stdout).toContain("file=contracts/models.json,")
    const several = await callsheet([...run, "--project", "services/*"], { folder })
    expect(several.stdout).toContain("file=contracts/models.json,")
  })

  it("leads an editor from an operation to the shared document", async () => {
    await writeFiles(
      folder,
      project(undefined, shared, { "contracts/shop.json": document({ type: "object" }) }),
    )
    const editor = openEditor(join(folder, "services/orders"))
    onTestFinished(() => editor.close())
    const file = "apis/workflow/read.json"
    const text = (await readText(join(folder, "services/orders"), file)) ?? ""
    const before = text.slice(0, text.indexOf("getItem") + 1).split("\n")
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
    const found = await editor.request("textDocument/definition", {
      textDocument: { uri: editor.uriOf(file) },
      position,
    })
    expect(found).toMatchObject([{ uri: expect.stringMatching(/\/contracts\/shop\.json$/) as string }])
  })

  it("refuses a directory outside a project that is in no repository", async () => {
    await rm(join(folder, ".git"), { recursive: true })
    await writeFiles(folder, project(references, shared, { "contracts/models.json": itemOf("integer") }))
    const { exitCode, stdout } = await call("validate")
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("in no git repository")])
  })

  it("is not changed by an import, which writes a document of the project", async () => {
    const text = JSON.stringify(document({ type: "object" }))
    await writeFiles(folder, project(undefined, shared, { "contracts/shop.json": text, "new.json": text }))
    const { exitCode } = await call("import", "new.json", "--api", "shop")
    expect(exitCode).toBe(0)
    expect(await readText(folder, "contracts/shop.json")).toBe(text)
  })
})
