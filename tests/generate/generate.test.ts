// `callsheet generate` through the built command: what it writes, keeps, refuses and prints.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import {
  callsheet,
  type CallResult,
  createFolder,
  readText,
  textsIn,
  writeFiles,
} from "../harness/callsheet.ts"

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

type Schema = Readonly<Record<string, unknown>>

const order = (more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: "object",
  required: ["name", ...Object.keys(more)],
  properties: { id: { type: "string", readOnly: true }, name: { type: "string" }, ...more },
})

const answer = (schema?: Schema) => ({
  description: "ok",
  ...(schema === undefined ? {} : { content: { "application/json": { schema } } }),
})

/** A document with orders, and with what a test adds. */
function documentOf({
  schema = order(),
  tag = "orders",
  paths = {},
}: { schema?: Schema; tag?: string; paths?: object } = {}) {
  const body = { required: true, content: { "application/json": { schema } } }
  const id = { name: "orderId", in: "path", required: true, schema: { type: "string" } }
  const notFound = { 404: answer() }
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.test" }],
    paths: {
      "/orders": {
        post: {
          operationId: "createOrder",
          tags: [tag],
          requestBody: body,
          responses: { 201: answer(schema) },
        },
        get: {
          operationId: "listOrders",
          tags: [tag],
          responses: { 200: answer({ type: "array", items: schema }) },
        },
      },
      "/orders/{orderId}": {
        parameters: [id],
        get: { operationId: "getOrder", tags: [tag], responses: { 200: answer(schema), ...notFound } },
        delete: { operationId: "deleteOrder", tags: [tag], responses: { 204: answer(), ...notFound } },
      },
      ...paths,
    },
  }
}

const file = "apis/shop/openapi.json"
const lifecycle = "apis/workflow/orders-lifecycle.json"
const health = {
  "/health": { get: { operationId: "getHealth", tags: ["health"], responses: { 200: answer() } } },
}

interface Result {
  readonly workflows: readonly string[]
  readonly suites: readonly string[]
  readonly files: readonly string[]
  readonly kept: readonly { readonly file: string; readonly block?: string; readonly reason: string }[]
  readonly skipped: readonly { readonly operation: string; readonly reason: string }[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

interface Project {
  readonly folder: string
  readonly run: (...words: readonly string[]) => Promise<CallResult>
  readonly generate: (...words: readonly string[]) => Promise<Result>
  readonly write: (path: string, content: unknown) => Promise<void>
  readonly read: (path: string) => Promise<string>
  readonly edit: (path: string, change: (text: string) => string) => Promise<void>
}

async function projectOf(
  files: Readonly<Record<string, unknown>> = { [file]: documentOf() },
): Promise<Project> {
  const folder = await createFolder(files)
  folders.push(folder)
  const run = (...words: readonly string[]) => callsheet(words, { folder })
  const read = async (path: string): Promise<string> => (await readText(folder, path)) ?? ""
  const write = (path: string, content: unknown) => writeFiles(folder, { [path]: content })
  return {
    folder,
    run,
    read,
    write,
    generate: async (...words) => {
      const { exitCode, stdout, stderr } = await run("generate", "--json", ...words)
      expect(stderr).toBe("")
      expect(exitCode).toBe(0)
      return JSON.parse(stdout) as Result
    },
    edit: async (path, change) => {
      const before = await read(path)
      const after = change(before)
      expect(after).not.toBe(before)
      await write(path, after)
    },
  }
}

describe("callsheet generate", () => {
  it("writes workflows, a suite, environments and its state, and all of it validates", async () => {
    const { generate, run, read } = await projectOf()
    const result = await generate()
    expect(result).toMatchObject({ suites: ["generated"], kept: [], added: [], removed: [] })
    expect(result.workflows).toContain("orders-lifecycle")
    expect(result.files).toEqual(
      expect.arrayContaining([
        lifecycle,
        "callsheet.json",
        "callsheet.generated.json",
        "apis/shop/environments/local.json",
      ]),
    )
    expect(JSON.parse(await read("apis/shop/environments/local.json"))).toMatchObject({
      baseUrl: "https://shop.test",
    })
    expect(await run("validate")).toMatchObject({ exitCode: 0 })
  })

  it("copies no secret of the project from the document", async () => {
    const [written, own, undeclared] = ["canary-Yk27Qd93", "canary-Pw58Tz16", "canary-Lm41Vx70"]
    const schema = {
      type: "object",
      required: ["name", "key", "note", "list"],
      properties: {
        id: { type: "string", readOnly: true },
        name: { type: "string" },
        key: { type: "string", example: written },
        note: { type: "string", example: `Bearer ${own.toUpperCase()}` },
        list: { type: "array", items: { type: "string", enum: [undeclared] } },
      },
    }
    const search = {
      operationId: "search",
      summary: `Search with ${written}.`,
      parameters: [{ name: "q", in: "query", required: true, schema: { type: "string" }, example: written }],
      requestBody: { required: true, content: { "text/plain": { example: `say ${own}` } } },
      responses: { 200: answer() },
    }
    const { folder, generate, read, run, write } = await projectOf({
      [file]: documentOf({ schema, paths: { "/search": { post: search } } }),
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true },
          key: { type: "string", required: false, secret: true },
        },
      },
      "apis/shop/environments/local.json": { baseUrl: "https://shop.test" },
      "apis/shop/environments/local.secrets.env": `key=${written}\n`,
      "apis/pay/environments/schema.json": {
        version: 1,
        variables: { token: { type: "string", required: false, secret: true } },
      },
      "apis/pay/environments/local.json": {},
      "apis/pay/environments/local.secrets.env": `token=${own}\n`,
    })
    await generate()
    expect(await run("validate")).toMatchObject({ exitCode: 0 })
    expect(await read(lifecycle)).toMatch(/"key": "\{\{env\.shop\.key\}\}"/)
    // A workflow reads only variables of the APIs that it uses.
    expect(await read(lifecycle)).toMatch(/"note": "Bearer sample"/)
    const again = await generate()
    expect(again.files).toEqual([])
    await write("apis/shop/environments/local.secrets.env", `key=${written}\nother=${undeclared}\n`)
    await generate()
    const generated = Object.entries(await textsIn(folder)).filter(([path]) =>
      /workflow|requests|callsheet/.test(path),
    )
    expect(generated.length).toBeGreaterThan(4)
    for (const [, text] of generated)
      for (const secret of [written, own, undeclared])
        expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
  })

  it("changes nothing the second time", async () => {
    const { generate, folder } = await projectOf()
    const first = await generate()
    const before = await textsIn(folder)
    expect(await generate()).toEqual({ ...first, files: [] })
    expect(await textsIn(folder)).toEqual(before)
  })

  it("writes nothing with --dry-run, and lists what it would write", async () => {
    const { generate, folder } = await projectOf()
    const before = await textsIn(folder)
    const planned = await generate("--dry-run")
    expect(await textsIn(folder)).toEqual(before)
    expect(await generate()).toEqual(planned)
  })

  it("says what it wrote and how to run it", async () => {
    const { run } = await projectOf()
    const { stdout, exitCode } = await run("generate")
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^\d+ workflows and the suite generated\nwrote \d+ files:\n/)
    expect(stdout).toContain("run them: callsheet run --suite generated\n")
    expect((await run("generate")).stdout).toContain("nothing to write: every file is up to date\n")
  })
})

describe("a choice", () => {
  const shop = documentOf({ paths: health })
  const files = { [file]: shop, "apis/pets/openapi.json": documentOf({ tag: "pets", paths: health }) }

  it("is an API, a tag or an operation, and leaves everything else as it is", async () => {
    const { generate, folder } = await projectOf(files)
    const byApi = await generate("--api", "shop")
    expect(byApi.files.filter((path) => path.startsWith("apis/pets/"))).toEqual([])
    const before = await textsIn(folder)
    const { workflows } = await generate("--api", "shop", "--tag", "health")
    expect(workflows).toHaveLength(1)
    const byOperation = await generate("--operation", "getHealth", "--api", "shop")
    expect(byOperation.workflows).toEqual(workflows)
    expect(await textsIn(folder)).toEqual(before)
    const all = await generate()
    expect(all.workflows.length).toBeGreaterThan(byApi.workflows.length)
    expect(all.workflows).toEqual(expect.arrayContaining([...byApi.workflows]))
    expect(all.kept).toEqual([])
  })

  it.each([
    [["--api", "shp"], 'did you mean "shop"?'],
    [["--operation", "getHealths"], 'did you mean "getHealth"?'],
    [["--tag", "healths"], 'did you mean "health"?'],
    [["--tag", "health", "--operation", "getHealth"], "--tag can't be used with --operation"],
    [["orders"], "too many arguments"],
  ])("is refused if nothing has it: %j", async (words, message) => {
    const { run, folder } = await projectOf(files)
    const before = await textsIn(folder)
    const { exitCode, stdout, stderr } = await run("generate", ...words)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toContain(message)
    expect(await textsIn(folder)).toEqual(before)
  })
})

describe("a project that can't be generated", () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["broken document", { [file]: '{ "openapi": ' }, "apis/shop/openapi.json:1"],
    ["no OpenAPI document", { [file]: { a: 1 } }, "apis/shop/openapi.json"],
    [
      "no document at all",
      { "apis/shop/environments/schema.json": { version: 1, variables: {} } },
      "no API of this project has",
    ],
    ["broken callsheet.json", { [file]: documentOf(), "callsheet.json": "{ half" }, "callsheet.json:1"],
    [
      "suites of another kind",
      { [file]: documentOf(), "callsheet.json": { version: 1, suites: [] } },
      "callsheet.json",
    ],
    [
      "broken state",
      { [file]: documentOf(), "callsheet.generated.json": '{ "version": 2 }' },
      "callsheet.generated.json",
    ],
  ])("is refused with 2, and nothing is written: %s", async (_, files, message) => {
    const { run, folder } = await projectOf(files)
    const before = await textsIn(folder)
    const { exitCode, stdout, stderr } = await run("generate")
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toContain(message)
    expect(await textsIn(folder)).toEqual(before)
  })

  it("needs every document, because names depend on all of them", async () => {
    const { run } = await projectOf({ [file]: documentOf(), "apis/pets/openapi.json": "{ half" })
    const { exitCode, stderr } = await run("generate", "--api", "shop")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("apis/pets/openapi.json:1")
  })
})

describe("generating again", () => {
  it("keeps a hand edit with every byte of its layout, and adds what the document added", async () => {
    const { generate, write, edit, read, run } = await projectOf()
    await generate()
    await edit(lifecycle, (text) =>
      text.replace('"description": "`orderId`', '"description":   "Mine: `orderId`'),
    )
    await write(file, documentOf({ schema: order({ sku: { type: "string" } }), paths: health }))
    const result = await generate()
    expect(result).toMatchObject({ added: ["getHealth"], removed: [] })
    const text = await read(lifecycle)
    expect(text).toContain('"description":   "Mine: `orderId`')
    expect(text).toContain('"sku":')
    expect(await run("validate")).toMatchObject({ exitCode: 0 })
  })

  it("keeps the hand edit of a conflict, and lists it in kept", async () => {
    const { generate, write, edit, read } = await projectOf()
    await generate()
    await edit(lifecycle, (text) => text.replace(/"name": "[^"]*"/, '"name": "Mine"'))
    await write(file, documentOf({ schema: order({ sku: { type: "string" } }) }))
    const { kept } = await generate()
    expect(kept).toContainEqual(expect.objectContaining({ file: lifecycle, block: "create" }))
    expect(await read(lifecycle)).toContain('"name": "Mine"')
    expect((await generate()).kept).toEqual(kept)
  })

  it("removes untouched files of an operation that the document lost", async () => {
    const { generate, write, folder, run } = await projectOf({ [file]: documentOf({ paths: health }) })
    const first = await generate()
    const lost = first.workflows.filter((name) => /health/i.test(name))
    expect(lost).toHaveLength(1)
    await write(file, documentOf())
    const again = await generate()
    expect(again).toMatchObject({ removed: ["getHealth"], kept: [] })
    expect(again.files).toContain(`apis/workflow/${lost[0]}.json`)
    expect(Object.keys(await textsIn(folder))).not.toContain(`apis/workflow/${lost[0]}.json`)
    expect(await run("validate")).toMatchObject({ exitCode: 0 })
  })

  it("leaves a deleted file deleted, and keeps a person's file of its name", async () => {
    const { generate, folder, write, read } = await projectOf({
      [file]: documentOf(),
      [lifecycle]: { version: 1, blocks: [] },
    })
    const mine = await read(lifecycle)
    const first = await generate()
    expect(first.kept).toEqual([
      { file: lifecycle, reason: "not generated, and a generated workflow would have its name" },
    ])
    expect(first.workflows).toContain("orders-lifecycle-2")
    expect(await generate()).toEqual({ ...first, files: [] })
    expect(await read(lifecycle)).toBe(mine)
    await rm(join(folder, lifecycle))
    expect((await generate()).workflows).toContain("orders-lifecycle")
    await rm(join(folder, lifecycle))
    expect((await generate()).workflows).not.toContain("orders-lifecycle")
    expect(await read(lifecycle)).toBe("")
    await write(lifecycle, "{ half")
    expect((await generate()).kept).toContainEqual(expect.objectContaining({ file: lifecycle }))
    expect(await read(lifecycle)).toBe("{ half")
  })

  it("edits callsheet.json without touching the rest of it", async () => {
    const { generate, read } = await projectOf({
      [file]: documentOf(),
      "callsheet.json":
        '{\r\n\t"version": 1,\r\n\t"defaults": {"maxWarnings":   3},\r\n\t"helpers": ["mine"]\r\n}\r\n',
    })
    await generate()
    const text = await read("callsheet.json")
    expect(text).toContain('\t"defaults": {"maxWarnings":   3},\r\n')
    expect(text).not.toMatch(/[^\r]\n/)
    expect(JSON.parse(text)).toMatchObject({ helpers: expect.arrayContaining(["mine"]) as unknown })
  })

  it("never touches environment files", async () => {
    const schema = "apis/shop/environments/schema.json"
    const { generate, read, folder } = await projectOf({
      [file]: documentOf(),
      [schema]: { version: 1, variables: {} },
      "apis/shop/environments/dev.json": {},
    })
    const before = await read(schema)
    expect((await generate()).files.filter((path) => path.includes("environments"))).toEqual([])
    expect(await read(schema)).toBe(before)
    expect(Object.keys(await textsIn(folder))).not.toContain("apis/shop/environments/local.json")
  })
})
