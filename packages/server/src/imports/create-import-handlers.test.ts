import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { readInput } from "../door/read-input.ts"
import { ChangeSets } from "../change-sets/change-sets.ts"
import { createImportHandlers } from "./create-import-handlers.ts"
import type { DocumentFetcher, KeptDocument } from "./fetch-document.ts"
import { noSecrets } from "../secrets/secrets-masker.ts"
import { readOverview } from "../project/read-parts.ts"
import { workOutImport } from "./work-out-import.ts"

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

function handlersFor(isRemote = false, documents?: DocumentFetcher) {
  const root = mkdtempSync(join(tmpdir(), "callsheet-imports-"))
  roots.push(root)
  const changeSets = new ChangeSets({ noteChange: () => undefined })
  const options = {
    root,
    changeSets,
    noteChange: () => undefined,
    isRemote: () => isRemote,
    processEnvironment: {},
  }
  const handlers = createImportHandlers({
    ...options,
    previewImport: workOutImport,
    overview: async () => ({ project: readOverview(root), masker: noSecrets }),
    ...(documents && { documents }),
    createSample: async () => undefined,
  })
  return { root, handlers, apply: changeSets.handlers["plans.apply"] }
}

const curl = { sources: [{ name: "commands.sh", text: "curl https://api.example.com/orders" }] }

describe("an import in the app", () => {
  it("is refused, as the sample is, while other machines can reach the app", async () => {
    const { root, handlers } = handlersFor(true)
    await expect(handlers["imports.plan"](curl)).rejects.toMatchObject({ code: "remote-refused" })
    await expect(handlers["imports.sample"]({})).rejects.toMatchObject({ code: "remote-refused" })
    await expect(handlers["imports.fetch"]({ url: "http://127.0.0.1:1" })).rejects.toMatchObject({
      code: "remote-refused",
    })
    expect(readdirSync(root)).toEqual([])
  })

  it("starts a project with a README, unless it saves a single request", async () => {
    const { handlers } = handlersFor()
    expect((await handlers["imports.plan"](curl)).files).toContain("README.md")
    expect((await handlers["imports.plan"]({ ...curl, saved: {} })).files).not.toContain("README.md")
  })

  it("writes nothing before it is applied, and nothing at all if a file is in its way by then", async () => {
    const { root, handlers, apply } = handlersFor()
    const { plan, files } = await handlers["imports.plan"](curl)
    expect(readdirSync(root)).toEqual([])
    const [first = ""] = files
    await mkdir(join(root, first, ".."), { recursive: true })
    writeFileSync(join(root, first), "mine")
    await expect(apply({ plan })).rejects.toMatchObject({ code: "file-changed" })
    expect(files.filter((file) => existsSync(join(root, file)))).toEqual([first])
    rmSync(join(root, first))
    await apply({ plan })
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it("replaces files with other content in one change, only those that the preview named", async () => {
    const { root, handlers, apply } = handlersFor()
    const first = await handlers["imports.plan"](curl)
    await apply(first)
    const [file = ""] = first.files.filter((path) => path.includes("/requests/"))
    const imported = readFileSync(join(root, file), "utf8")
    writeFileSync(join(root, file), "mine")
    const { plan, replaced, files } = await handlers["imports.plan"](curl)
    expect([replaced, files]).toEqual([[file], [file]])
    writeFileSync(join(root, file), "mine, and newer")
    await expect(apply({ plan })).rejects.toMatchObject({ code: "file-changed" })
    expect(readFileSync(join(root, file), "utf8")).toBe("mine, and newer")
    await apply(await handlers["imports.plan"](curl))
    expect(readFileSync(join(root, file), "utf8")).toBe(imported)
  })

  it.each([
    { sources: [{ name: "../shop.json", text: "" }] },
    { sources: [{ name: "a\\b.json", text: "" }] },
    { sources: [], directory: { name: "depot", files: [{ path: "../../a.bru", text: "" }] } },
    { sources: [], directory: { name: "depot", files: [{ path: "/a.bru", text: "" }] } },
    { sources: [], api: "../shop" },
  ])("accepts no path that leads elsewhere: %j", (input) => {
    expect(() => readInput("imports.plan", input)).toThrow(/is not allowed|no API can have this name/)
  })
})

describe("a document from an address", () => {
  const document = (path: string, more: object = {}) =>
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: { [path]: {} },
      ...more,
    })

  function withDocument(first: Partial<KeptDocument> = {}) {
    const served = {
      name: "openapi.json",
      text: document("/a"),
      address: "https://a.example/openapi.json?v=2",
    }
    Object.assign(served, first)
    const fetcher: DocumentFetcher = {
      fetch: () => Promise.reject(new Error("unused")),
      find: () => ({ ...served, until: 0 }),
    }
    const { root, handlers, apply } = handlersFor(false, fetcher)
    const add = async (): Promise<void> => {
      await apply(await handlers["imports.plan"]({ sources: [], fetched: "id" }))
    }
    const read = (path: string): string => readFileSync(join(root, path), "utf8")
    return { served, root, handlers, apply, add, read }
  }

  it("is remembered in callsheet.json, beside what is there", async () => {
    const { root, add, read } = withDocument()
    writeFileSync(join(root, "callsheet.json"), `{ "version": 1, "helpers": ["seed"] }\n`)
    await add()
    expect(JSON.parse(read("callsheet.json"))).toEqual({
      version: 1,
      helpers: ["seed"],
      sources: { shop: "https://a.example/openapi.json?v=2" },
    })
    expect(JSON.parse(read("apis/shop/environments/default.json"))).toEqual({ baseUrl: "https://a.example" })
  })

  it.each([
    "https://a.example/openapi.json?token=abc",
    "https://a.example/openapi.json?X-Amz-Signature=0123",
    "https://a.example/openapi.json?v=0123456789abcdef0123456789abcdef0",
  ])("isn't remembered if its query may have a secret: %s", async (address) => {
    const { root, handlers, add } = withDocument({ address })
    expect(await handlers["imports.plan"]({ sources: [], fetched: "id" })).toMatchObject({
      isSourceSecret: true,
    })
    await add()
    expect(readdirSync(root)).toEqual(["README.md", "apis"])
  })

  it("updates only the document, after a preview of the difference", async () => {
    const { served, root, handlers, apply, add, read } = withDocument()
    await add()
    const update = () => handlers["imports.update"]({ api: "shop", fetched: "id" })
    expect(await update()).toMatchObject({ fileCount: 0 })
    const environment = "apis/shop/environments/default.json"
    writeFileSync(join(root, environment), `{ "baseUrl": "https://mine.example" }\n`)
    served.text = document("/b")
    const { plan, files } = await update()
    expect(files).toEqual([{ path: "apis/shop/openapi.json", before: document("/a"), after: document("/b") }])
    expect(read("apis/shop/openapi.json")).toBe(document("/a"))
    await apply({ plan })
    expect(read("apis/shop/openapi.json")).toBe(document("/b"))
    expect(read(environment)).toContain("mine.example")
  })

  it("isn't written if the file has changed since the preview", async () => {
    const { served, root, handlers, apply, add, read } = withDocument()
    await add()
    served.text = document("/b")
    const { plan } = await handlers["imports.update"]({ api: "shop", fetched: "id" })
    writeFileSync(join(root, "apis/shop/openapi.json"), document("/mine"))
    await expect(apply({ plan })).rejects.toMatchObject({ status: 409 })
    expect(read("apis/shop/openapi.json")).toBe(document("/mine"))
  })

  it.each<[string, Partial<KeptDocument>, string]>([
    ["is in another format now", { name: "openapi.yaml", text: "openapi: 3.1.0\n" }, "another format"],
    ["is something else now", { text: `{ "version": 1 }` }, "not in a format that callsheet can import"],
    ["is broken", { text: "{" }, "end of the file"],
  ])("is refused if it %s", async (_, next, message) => {
    const { served, handlers, add } = withDocument()
    await add()
    Object.assign(served, next)
    await expect(handlers["imports.update"]({ api: "shop", fetched: "id" })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(message),
    })
  })
})
