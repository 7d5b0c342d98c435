import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { bundleDocument } from "./bundle.ts"
import { readDocument } from "./read-document.ts"

/** Bundles a document whose other files have the given texts. */
async function bundled(root: JsonObject, files: Readonly<Record<string, JsonObject>>) {
  const { document } = await readDocument(
    {
      file: "openapi.json",
      text: JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, ...root }),
    },
    {
      readsWhole: true,
      readFile: (path) =>
        path in files
          ? { ok: true, value: { file: path, text: JSON.stringify(files[path]) } }
          : { ok: false, problem: { code: "file-unreadable", message: "it does not exist" } },
    },
  )
  return document && bundleDocument(document)
}

const data = { $ref: "missing.json" }

describe("a bundled document", () => {
  it("takes no $ref in data and extensions for a reference", async () => {
    const schema = {
      type: "object",
      default: data,
      enum: [data],
      const: data,
      example: data,
      examples: [data],
      "x-note": data,
    }
    const content = { "application/json": { schema, example: data, examples: { one: { value: data } } } }
    const operation = { "x-op": [data], responses: { 200: { description: "d", content } } }
    const root = { "x-top": data, paths: { "x-path": data, "/a": { get: operation } } }
    expect(await bundled(root, {})).toBeUndefined()
  })

  it("follows references below properties and names that look like data", async () => {
    const reference = { $ref: "thing.json#/Thing" }
    const root = {
      paths: {},
      components: {
        schemas: { example: reference, "x-a": { properties: { default: reference, $ref: reference } } },
      },
    }
    const made = await bundled(root, {
      "thing.json": { Thing: { examples: [data], allOf: [{ $ref: "#/Other" }] }, Other: {} },
    })
    const own = { $ref: "#/x-files/file1/Thing" }
    expect(made).toMatchObject({
      ok: true,
      value: {
        components: { schemas: { example: own, "x-a": { properties: { default: own, $ref: own } } } },
        "x-files": { file1: { Thing: { examples: [data], allOf: [{ $ref: "#/x-files/file1/Other" }] } } },
      },
    })
  })

  it("keeps the mapping of a discriminator", async () => {
    const pet = { discriminator: { propertyName: "kind", mapping: { dog: "pets.json#/Dog", cat: "Cat" } } }
    const root = { paths: {}, components: { schemas: { Pet: pet } } }
    expect(await bundled(root, { "pets.json": { Dog: { type: "object" } } })).toMatchObject({
      value: {
        components: {
          schemas: { Pet: { discriminator: { mapping: { dog: "#/x-files/file1/Dog", cat: "Cat" } } } },
        },
      },
    })
  })

  it("fails if the file of a reference is missing", async () => {
    const root = { paths: { "/a": data } }
    expect(await bundled(root, {})).toMatchObject({ ok: false })
  })
})
