import type { JsonObject } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { type Files, readerOf } from "../testing/problems-in.ts"
import { findReferenced } from "./part.ts"
import { readDocument } from "./read-document.ts"

/** Returns a document in which each reference leads through two references of the level below. */
function layered(levels: number) {
  let inner: JsonObject = { v: {}, w: {} }
  for (let level = levels; level > 0; level--) inner = { v: { $ref: `#/x-parts/d${level - 1}/w` }, w: inner }
  const holders = Array.from({ length: levels }, (_, level) => [
    `d${level + 1}`,
    { $ref: `#/x-parts/d${level}/v` },
  ])
  const parts = { d0: inner, ...(Object.fromEntries(holders) as object) }
  return { openapi: "3.0.3", info: { title: "", version: "" }, paths: {}, "x-parts": parts }
}

async function findIn(levels: number) {
  const text = JSON.stringify(layered(levels))
  const { document } = await readDocument({ file: "apis/shop/openapi.json", text })
  return document && findReferenced(document, `#/x-parts/d${levels}/w`, "")
}

describe("findReferenced", () => {
  it("follows references that a location leads through", async () => {
    expect(await findIn(3)).toMatchObject({ ok: true, part: { value: {} } })
  })

  it("ends soon if each reference leads through two others", async () => {
    expect(await findIn(40)).toMatchObject({ ok: false })
  })
})

/** Resolves `reference`, written at `from`, in a document with these schemas. Returns a name or the error. */
async function lead(schemas: JsonObject, reference: string, from: string, more: Partial<Options> = {}) {
  const { version = "3.1.0", files = {}, self = {} } = more
  const root = { openapi: version, ...self, paths: {}, components: { schemas } }
  const { document } = await readDocument(
    { file: "apis/shop/openapi.json", text: JSON.stringify(root) },
    { readFile: readerOf(files) },
  )
  const found = findReferenced(document!, reference, from)
  return found.ok ? found.part.pointer : found.problem.message
}

interface Options {
  readonly version: string
  readonly files: Files
  readonly self: JsonObject
}

const at = "/components/schemas"
const A = {
  $id: "https://example.com/schemas/a",
  $defs: {
    x: { $anchor: "x" },
    b: { $id: "b.json", $defs: { y: { $anchor: "x" } }, properties: { $id: { type: "string" } } },
  },
}
const schemas = { A, C: { $anchor: "c" }, D: { example: { $id: "https://example.com/data" } } }

describe("references by schema address", () => {
  it.each([
    ["https://example.com/schemas/a", `${at}/C`, `${at}/A`],
    ["https://example.com/schemas/a#", `${at}/C`, `${at}/A`],
    ["https://example.com/schemas/a#/$defs/x", `${at}/C`, `${at}/A/$defs/x`],
    ["https://example.com/schemas/a#x", `${at}/C`, `${at}/A/$defs/x`],
    ["https://example.com/schemas/b.json", `${at}/C`, `${at}/A/$defs/b`],
    ["b.json#x", `${at}/A/$defs/x`, `${at}/A/$defs/b/$defs/y`],
    ["a", `${at}/A/$defs/b/$defs/y`, `${at}/A`],
    ["#", `${at}/A/$defs/b/$defs/y`, `${at}/A/$defs/b`],
    ["#/$defs/y", `${at}/A/$defs/b/properties/z`, `${at}/A/$defs/b/$defs/y`],
    ["#x", `${at}/A/$defs/b/properties/$id`, `${at}/A/$defs/b/$defs/y`],
    ["#x", `${at}/A/$defs/x`, `${at}/A/$defs/x`],
  ])("%s at %s leads to %s", async (reference, from, pointer) => {
    expect(await lead(schemas, reference, from)).toBe(pointer)
  })

  it("resolve in the whole document if the enclosing schema has no such pointer", async () => {
    expect(await lead(schemas, "#/components/schemas/C", `${at}/A/$defs/x`)).toBe(`${at}/C`)
    expect(await lead(schemas, "#c", `${at}/A/$defs/x`)).toBe(`${at}/C`)
  })

  it("ignore addresses in examples, and in versions without $id", async () => {
    expect(await lead(schemas, "https://example.com/data", `${at}/C`)).toContain("references to URLs")
    expect(await lead(schemas, "https://example.com/schemas/a", `${at}/C`, { version: "3.0.0" })).toContain(
      "references to URLs",
    )
    expect(await lead(schemas, "#/$defs/x", `${at}/A/$defs/x`, { version: "3.0.0" })).toContain("has nothing")
  })

  it("lead from file to file, by relative path if no schema has the address", async () => {
    const files = {
      "apis/shop/e.json": `{"$id": "https://example.com/e", "$defs": {"f": {"$anchor": "f"}}}`,
      "apis/shop/g.json": `{"type": "string"}`,
    }
    const e = "apis/shop/e.json#"
    expect(await lead(schemas, "#f", `${e}/properties/z`, { files })).toBe(`${e}/$defs/f`)
    expect(await lead(schemas, "https://example.com/schemas/a#x", e, { files })).toBe(`${at}/A/$defs/x`)
    expect(await lead(schemas, "g.json", e, { files })).toBe("apis/shop/g.json#")
    expect(await lead(schemas, "g.json", `${at}/A`, { files })).toBe("apis/shop/g.json#")
  })

  it("resolve by the $self of a 3.2 document", async () => {
    const self = { $self: "https://example.com/api.json" }
    const options = { version: "3.2.0", self }
    expect(
      await lead(schemas, "https://example.com/api.json#/components/schemas/C", `${at}/A`, options),
    ).toBe(`${at}/C`)
    expect(await lead({ Z: { $id: "z" } }, "https://example.com/z", at, options)).toBe(`${at}/Z`)
  })
})
