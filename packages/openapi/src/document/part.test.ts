import type { JsonObject } from "@callsheet/format"
import { describe, expect, it } from "vitest"
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
