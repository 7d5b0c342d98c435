import { describe, expect, it } from "vitest"
import { outlineJson, type ReadFile } from "@callsheet/format"
import { secretFieldsOf } from "../response/secret-fields-of.ts"
import { type Files, readerOf } from "../testing/problems-in.ts"
import type { OpenApiDocument } from "./document.ts"
import { type Mark, marksOfOutline, mayMarkSecrets, outlineOptions } from "./marks.ts"
import { listOperations } from "./operations.ts"
import type { StoredOutline, OutlineStore } from "./outline-store.ts"
import { readDocument } from "./read-document.ts"

const head = `"openapi": "3.1.0", "info": {"title": "t", "version": "1"}`
const responses = (schema: string) =>
  `"paths": {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": ${schema}}}}}}}}`

/** Reads a document as a run does. */
async function read(text: string, files: Files = {}, file = "openapi.json") {
  const { document } = await readDocument({ file, text }, { readFile: readerOf(files), readsAhead: true })
  return document!
}

const secretsOf = (document: OpenApiDocument, body: string) => {
  const fields = secretFieldsOf(listOperations(document)[0]!, {
    status: 200,
    contentType: "application/json",
  })
  return fields === undefined ? undefined : [...fields.valuesOf(body)]
}

/** Returns whether the outline of a text has a mark. */
function has(text: string, mark: Mark): boolean {
  const outline = outlineJson(new TextEncoder().encode(text), outlineOptions)
  return outline !== undefined && marksOfOutline(outline.seen)(mark)
}

describe("the marks of an outline", () => {
  it.each([
    [`{"a": {"$ref": "#/b"}}`, false],
    [`{"a": {"$ref": "other.json#/b"}}`, true],
    [`{"$ref": {"type": "string"}}`, false],
    [`{"a": "$ref"}`, false],
  ])("reports whether %s leads elsewhere", (text, leadsElsewhere) => {
    expect(has(text, "leadsElsewhere")).toBe(leadsElsewhere)
  })

  it.each([
    [`{"a": {"$id": "https://example.com/a"}}`, true],
    [`{"$self": "/a.json"}`, true],
    [`{"properties": {"$id": {"type": "string"}}}`, false],
    [`{"a": ["$id", "$self"]}`, false],
  ])("reports whether %s defines addresses", (text, givesAddresses) => {
    expect(has(text, "givesAddresses")).toBe(givesAddresses)
  })

  it("reports whether there are dynamic anchors", () => {
    const marksOf = (text: string) => has(text, "hasDynamicAnchors")
    expect([marksOf(`[{"$dynamicAnchor": "a"}]`), marksOf(`{"$anchor": "$dynamicAnchor"}`)]).toEqual([
      true,
      false,
    ])
  })
})

describe("the secret marks of an outline", () => {
  it.each([
    [`[{"writeOnly": true}]`, true],
    [`{"a": {"writeOnly" :false, "b": {"format":\n"password"}}}`, true],
    [`{"form\\u0061t": "pass\\u0077ord"}`, true],
    [`{"writeOnly": false, "format": "passwords", "x": "password", "format2": "password"}`, false],
    [`{"properties": {"format": {"type": "string"}, "writeOnly": {"type": "true"}}}`, false],
    [`["writeOnly", true, "format", "password"]`, false],
  ])("reports whether %s may mark a value as secret", (text, marksSecrets) => {
    expect(has(text, "marksSecrets")).toBe(marksSecrets)
  })
})

describe("a document that is read in full", () => {
  it.each([
    ["no mark", `{"type": "string", "readOnly": true}`, false],
    ["a format", `{"format": "password"}`, true],
    ["writeOnly", `{"writeOnly": true}`, true],
    ["an escaped word", `{"format": "p\\u0061ssword"}`, true],
  ])("may mark secrets if its text has %s", async (_, schema, may) => {
    const document = await read(`{${head}, ${responses(schema)}}`)
    expect([mayMarkSecrets(document), secretsOf(document, "x")]).toEqual([may, may ? ["x"] : undefined])
  })

  it.each([`format: password`, `"format": "pass\\\n  word"`, `format: "\\x70assword"`])(
    "may mark secrets in YAML, by %j",
    async (schema) => {
      const text = `{${head}, ${responses(`{\n${schema}}`)}}`
      expect(secretsOf(await read(text, {}, "openapi.yaml"), "x")).toEqual(["x"])
    },
  )
})

describe("a document of several files", () => {
  const main = `{${head}, ${responses(`{"$ref": "a.yaml#/A"}`)}}`

  it("has the marks of a file that another file refers to", async () => {
    const files = { "a.yaml": "A: {allOf: [{$ref: b.yaml}]}", "b.yaml": "format: password" }
    expect(secretsOf(await read(main, files), "x")).toEqual(["x"])
  })

  it("has no marks, and opens nothing, if none of its files has one", async () => {
    const document = await read(main, { "a.yaml": "A: {$ref: b.yaml}", "b.yaml": "type: string" })
    const closed = { ...document, files: { open: () => expect.unreachable("a file was opened") } }
    expect(secretsOf(closed, "x")).toBeUndefined()
  })

  it("may mark secrets if its files were not read ahead", async () => {
    const readFile: ReadFile = (path) => ({ ok: true, value: { file: path, text: "A: {format: password}" } })
    const { document } = await readDocument({ file: "openapi.json", text: main }, { readFile })
    expect(secretsOf(document!, "x")).toEqual(["x"])
  })

  it("may mark secrets if escapes hide a reference", async () => {
    const hidden = main.replace("$ref", "\\u0024ref").replace("yaml", "json")
    expect(secretsOf(await read(hidden, { "a.json": `{"A": {"format": "password"}}` }), "x")).toEqual(["x"])
  })
})

describe("a large document", () => {
  const createStore = (): OutlineStore => {
    const kept = new Map<Uint8Array, StoredOutline>()
    return {
      read: ({ bytes }) => kept.get(bytes),
      write: ({ bytes }, outline) => void kept.set(bytes, outline),
    }
  }

  it.each([
    [`{"format": "password"}`, ["x"]],
    [`{"title": "password", "description": "writeOnly"}`, undefined],
  ])("with the schema %s is recognized by its outline", async (schema, secrets) => {
    const text = `{${head}, ${responses(schema)}, "x-long": "${"x".repeat(300_000)}"}`
    const bytes = new TextEncoder().encode(text)
    const source = { file: "openapi.json", bytes, text: "" }
    const { document } = await readDocument(source, { outlines: createStore() })
    expect(secretsOf(document!, "x")).toEqual(secrets)
  })
})
