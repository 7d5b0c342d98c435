// A project with the editor's JSON Schemas and with the language server: each mistake is reported once.

import { readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { withoutOwnSchemas } from "../../packages/vscode/src/schema-entries.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { pulls, startEditor } from "./client.ts"

const mistakes = {
  "apis/workflow/a.json": { version: 1, blocks: [], onFailure: "stop" },
  "apis/workflow/b.json": { version: 1, blocks: [], step: [] },
  "callsheet.json": { version: 1, defaults: { timeoutMs: -1 } },
  "callsheet.baseline.json": { version: 1, violations: {} },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { pageSize: { type: "integer", required: false } },
  },
}
const files = Object.keys(mistakes)
const openapi = {
  openapi: "3.1.0",
  info: { title: "shop", version: "1" },
  paths: { "/health": { get: { responses: { 204: { description: "" } } } } },
}

interface Entry {
  readonly url: string
  readonly fileMatch: readonly string[]
}

let folder: string
beforeAll(async () => {
  folder = await createFolder({ ...mistakes, "apis/shop/openapi.json": openapi })
  expect((await callsheet(["init", "--editor"], { folder })).exitCode).toBe(0)
})
afterAll(() => rm(folder, { recursive: true }))

const read = (path: string): string => readFileSync(join(folder, path), "utf8")
const settings = (): { "json.schemas"?: readonly Entry[] } => JSON.parse(read(".vscode/settings.json"))

/** The files that the schemas of the settings reject. */
function rejectedBySchemas(schemaAt: (url: string) => AnySchemaObject = readSchema): readonly string[] {
  const ajv = new Ajv2020({ strict: false })
  return files.filter((file) =>
    (settings()["json.schemas"] ?? [])
      .filter(({ fileMatch }) => matches(`/${file}`, fileMatch))
      .some(({ url }) => !ajv.validate(schemaAt(url), JSON.parse(read(file)))),
  )
}

function readSchema(url: string): AnySchemaObject {
  const { $id: _, ...schema } = JSON.parse(read(url)) as AnySchemaObject
  return schema
}

/** Matches like VS Code: the last pattern that matches a file wins. */
function matches(file: string, patterns: readonly string[]): boolean {
  const last = patterns.findLast((pattern) =>
    new RegExp(`^${pattern.replace("!", "").replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`).test(file),
  )
  return last !== undefined && !last.startsWith("!")
}

async function reportsOfServer(): Promise<Readonly<Record<string, number>>> {
  const editor = await startEditor({ folder, capabilities: pulls })
  try {
    const counts: Record<string, number> = {}
    for (const file of files) counts[file] = (await editor.pull(file)).length
    return counts
  } finally {
    await editor.dispose()
  }
}

describe("a mistake in a project with the schemas of init --editor", () => {
  it("is known to the schemas, which report nothing", () => {
    const rulesAt = (url: string): AnySchemaObject => {
      const { $defs, if: rules } = readSchema(url)
      return { $defs, ...rules }
    }
    expect(rejectedBySchemas(rulesAt)).toEqual(files)
    expect(rejectedBySchemas()).toEqual([])
  })

  it("is reported once by the server", async () => {
    expect(await reportsOfServer()).toEqual(Object.fromEntries(files.map((file) => [file, 1])))
  })

  it("is reported once without the schemas, which the extension removes from the settings", async () => {
    const own = { url: "./mine.schema.json", fileMatch: ["/mine.json"] }
    const others = withoutOwnSchemas([own, ...(settings()["json.schemas"] ?? [])])
    expect(others).toEqual([own])
    expect(withoutOwnSchemas(others)).toBeUndefined()
    writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ "json.schemas": others }))
    expect((await callsheet(["init", "--editor"], { folder })).exitCode).toBe(0)
    expect(settings()["json.schemas"]).toEqual([own])
    expect(await reportsOfServer()).toEqual(Object.fromEntries(files.map((file) => [file, 1])))
  })

  it("is reported by no schema of the extension itself", () => {
    const manifest = new URL("../../packages/vscode/package.json", import.meta.url)
    const { contributes } = JSON.parse(readFileSync(manifest, "utf8")) as { contributes: object }
    expect(contributes).not.toHaveProperty("jsonValidation")
  })
})
