// Checks the entries for SchemaStore by the rules of its own check, which refuses what breaks them.

import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Ajv } from "ajv"
import type { JsonObject } from "@callsheet/format"
import { afterAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const entries = `${root}editors/schemastore/`

interface CatalogEntry {
  readonly name: string
  readonly description: string
  readonly fileMatch: readonly string[]
  readonly url: string
}

const read = (path: string): string => readFileSync(path, "utf8")
const catalog = JSON.parse(read(`${entries}catalog.json`)) as readonly CatalogEntry[]
const validation = JSON.parse(
  read(`${entries}schema-validation.jsonc`)
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/,(?=\s*\})/g, ""),
) as { readonly options: Readonly<Record<string, { readonly unknownKeywords: readonly string[] }>> }

const clone = mkdtempSync(join(tmpdir(), "callsheet-schemastore-"))
execFileSync(process.execPath, [`${entries}prepare.mjs`, clone])
afterAll(() => rmSync(clone, { recursive: true }))

const names = readdirSync(`${clone}/src/schemas/json`).map((file) => file.replace(/\.json$/, ""))
const schemaOf = (name: string): JsonObject => JSON.parse(read(`${clone}/src/schemas/json/${name}.json`))

/** The keywords that SchemaStore's check knows besides the standard's. */
const knownKeywords = [
  "defaultSnippets",
  "markdownDescription",
  "enumDescriptions",
  "markdownEnumDescriptions",
]

const compile = (name: string) =>
  new Ajv({ strict: true })
    .addVocabulary([...knownKeywords, ...(validation.options[`${name}.json`]?.unknownKeywords ?? [])])
    .compile(schemaOf(name))

const testFiles = (folder: "test" | "negative_test", name: string) =>
  readdirSync(`${clone}/src/${folder}/${name}`).map((file) => `${clone}/src/${folder}/${name}/${file}`)

describe("the catalog for SchemaStore", () => {
  it("has one entry per schema, in alphabetical order", () => {
    expect(catalog.map(({ url }) => basename(url, ".json")).sort()).toEqual([...names].sort())
    expect(catalog.map(({ name }) => name)).toEqual(catalog.map(({ name }) => name).toSorted())
    expect(Object.keys(validation.options).sort()).toEqual(names.map((name) => `${name}.json`).sort())
  })

  it.each(catalog.map((entry) => [entry.name, entry] as const))("has the fields of %s", (_, entry) => {
    expect(Object.keys(entry)).toEqual(["name", "description", "fileMatch", "url"])
    expect(entry.url).toMatch(/^https:\/\/www\.schemastore\.org\/[a-z-]+\.json$/)
    for (const text of [entry.name, entry.description]) {
      expect(text).not.toMatch(/[,. \t-]$/)
      expect(text).not.toMatch(/schema|\n/i)
    }
    expect(entry.fileMatch.filter((pattern) => pattern.includes("/") && !pattern.startsWith("**/"))).toEqual(
      [],
    )
  })

  it("applies to every file of the example once, and to no other file", () => {
    const matching = (path: string): readonly string[] =>
      catalog
        .filter(({ fileMatch }) => fileMatch.some((pattern) => matches(path, pattern)))
        .map(({ name }) => name)
    const example = readdirSync(`${root}examples/shop`, { recursive: true, encoding: "utf8" })
      .map((path) => `shop/${path.replaceAll("\\", "/")}`)
      .filter((path) => /\/(workflow|requests\/[^/]+)\/[^/]+\.json$|environments\/schema\.json$/.test(path))
    expect(example.length).toBeGreaterThan(10)
    for (const path of [...example, "shop/callsheet.json", "callsheet.baseline.json"])
      expect([path, matching(path).length]).toEqual([path, 1])
    const foreign = [
      "package.json",
      "workflow/a.json",
      ".github/workflows/a.json",
      "requests/orders/a.json",
      "environments/schema.json",
      "apis/shop/openapi.json",
      "apis/shop/environments/local.json",
      "src/apis/index.json",
      "not-callsheet.json",
    ]
    expect(foreign.filter((path) => matching(path).length > 0)).toEqual([])
  })
})

describe.each(names)("%s for SchemaStore", (name) => {
  it("has the draft and the id that SchemaStore accepts, and compiles in its strict mode", () => {
    expect(schemaOf(name)).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: `https://www.schemastore.org/${name}.json`,
    })
    expect(JSON.stringify(schemaOf(name))).not.toContain("$defs")
    expect(() => compile(name)).not.toThrow()
  })

  it("accepts the positive test files and rejects the negative ones", () => {
    const validate = compile(name)
    for (const file of testFiles("test", name))
      expect([file, validate(JSON.parse(read(file))), validate.errors]).toEqual([file, true, null])
    for (const file of testFiles("negative_test", name))
      expect([file, validate(JSON.parse(read(file)))]).toEqual([file, false])
  })
})

/** Matches as editors do: a pattern without a slash matches in every directory. */
function matches(path: string, pattern: string): boolean {
  const glob = pattern.includes("/") ? pattern.replace(/^\*\*\//, "") : pattern
  const name = glob.replaceAll(".", String.raw`\.`).replaceAll("*", "[^/]*")
  return new RegExp(`(^|/)${name}$`).test(path)
}
