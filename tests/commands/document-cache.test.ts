// Checks the cache of large documents of `run` and `list`: outside the project, by content, and optional.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { callsheet, createFolder, writeFiles, type Files } from "../harness/callsheet.ts"

let folder: string
let cache: string
beforeEach(async () => {
  folder = await createFolder()
  cache = mkdtempSync(join(tmpdir(), "callsheet-cache-"))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(cache, { recursive: true, force: true })
})

const documentWith = (count: number) => ({
  openapi: "3.1.0",
  info: { title: "Large", version: "1" },
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `/things/${n}`,
      {
        get: { operationId: `get${n}`, summary: `Thing ${n}`, description: "x".repeat(1500), responses: {} },
      },
    ]),
  ),
})

const yamlWith = (id: string) =>
  `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {/a: {get: {operationId: ${id}, responses: {}}}}\n`

const largeFiles: Files = { "apis/shop/openapi.json": documentWith(300), "apis/workflow/.keep": "" }

const list = async (files: Files = {}) => {
  await writeFiles(folder, files)
  return callsheet(["list", "operations", "--json"], { folder, env: { XDG_CACHE_HOME: cache } })
}
const namesIn = ({ stdout }: { readonly stdout: string }): readonly string[] =>
  (JSON.parse(stdout) as { operations: { operation: string }[] }).operations.map(({ operation }) => operation)

const kept = () => {
  const documents = join(cache, "callsheet", "documents")
  return readdirSync(documents).map((name) => join(documents, name))
}

describe("the cache of documents", () => {
  it("is outside the project and changes no output", async () => {
    const before = await list(largeFiles)
    expect(kept()).toHaveLength(1)
    const after = await list()
    expect(after).toEqual(before)
    expect(namesIn(after)).toHaveLength(300)
    expect(readdirSync(folder)).toEqual(["apis"])
    expect(readdirSync(join(folder, "apis/shop"))).toEqual(["openapi.json"])
  })

  it("is valid only for the exact text it was made from", async () => {
    await list({ "apis/shop/openapi.yaml": yamlWith("first") })
    expect(namesIn(await list({ "apis/shop/openapi.yaml": yamlWith("other") }))).toEqual(["other"])
    expect(namesIn(await list({ "apis/shop/openapi.yaml": yamlWith("first") }))).toEqual(["first"])
    expect(kept()).toHaveLength(2)
  })

  it("can be deleted, damaged or blocked at any time", async () => {
    const before = await list(largeFiles)
    for (const file of kept())
      writeFileSync(
        file,
        readFileSync(file).map((byte) => byte ^ 255),
      )
    expect(await list()).toEqual(before)
    rmSync(cache, { recursive: true })
    expect(await list()).toEqual(before)
    rmSync(cache, { recursive: true })
    writeFileSync(cache, "a file in the directory's place")
    expect(await list()).toEqual(before)
  })

  it("is shared by parallel processes", async () => {
    await writeFiles(folder, largeFiles)
    const results = await Promise.all(Array.from({ length: 6 }, () => list()))
    for (const result of results) {
      expect([result.exitCode, result.stderr]).toEqual([0, ""])
      expect(namesIn(result)).toHaveLength(300)
    }
    expect(kept()).toHaveLength(1)
  })

  it("is not used for a broken document", async () => {
    await writeFiles(folder, { "apis/shop/openapi.json": `${JSON.stringify(documentWith(300))}x` })
    for (let time = 0; time < 2; time++) {
      const { exitCode, stderr } = await list()
      expect(exitCode).toBe(2)
      expect(stderr).toContain("unexpected text after the end of the JSON value (json-syntax)")
    }
  })

  it("is used by a run, which sends the same requests as without", async () => {
    const workflow = {
      version: 1,
      blocks: [{ id: "get", type: "request", request: { api: "shop", operation: "get299" } }],
    }
    const environment = { version: 1, variables: { baseUrl: { type: "string", required: true } } }
    await writeFiles(folder, {
      ...largeFiles,
      "apis/shop/environments/schema.json": environment,
      // Nothing listens on the `discard` port.
      "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
      "apis/workflow/one.json": workflow,
    })
    const run = async () => {
      const { report } = await callsheet(["run", "one", "--reporter", "json"], {
        folder,
        env: { XDG_CACHE_HOME: cache },
      })
      return report?.runs[0]?.blocks[0]?.request
    }
    const first = await run()
    expect(first).toMatchObject({ method: "GET", url: "http://127.0.0.1:9/things/299" })
    expect(kept()).toHaveLength(1)
    expect(await run()).toEqual(first)
  })

  it("is used by validate, which reports the same problems as without", async () => {
    const schema = "{ $ref: '#/components/schemas/None' }"
    const response = (value: string) => `{description: D, content: {application/json: {schema: ${value}}}}`
    const yamlOf = (first: string, second: string) =>
      `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  /a:\n    get:\n      responses:\n` +
      `        200: ${response(first)}\n        400: ${response(second)}\n`
    const validate = () => callsheet(["validate", "--json"], { folder, env: { XDG_CACHE_HOME: cache } })
    for (const [text, count] of [
      [yamlOf(schema, schema), 2],
      [yamlOf(`&one ${schema}`, "*one"), 1],
    ] as const) {
      await writeFiles(folder, { "apis/shop/openapi.yaml": text })
      const first = await validate()
      expect(first.stdout.match(/"document-invalid"/g)).toHaveLength(count)
      expect((await validate()).stdout).toBe(first.stdout)
    }
    expect(kept()).toHaveLength(2)
  })
})
