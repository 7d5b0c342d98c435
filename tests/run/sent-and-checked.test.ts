// Checks that requests written in any documented style cause no warning.

import { describe, expect, it } from "vitest"
import { request, runBlocks } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>

const list = { type: "array", items: { type: "integer" } }
const object = { type: "object", additionalProperties: { type: "integer" } }
const values = [
  [list, "[1,2]"],
  [object, `{"R":1,"G":2}`],
  [{ type: "integer" }, "5"],
] as const

const responses = { default: { description: "Any." } }

interface Sent {
  readonly parameter: Fields
  readonly value: string
}

/** Sends one request per parameter and returns the blocks with warnings. */
async function blocksWithWarnings(head: Fields, sent: readonly Sent[]) {
  const operations = sent.map(({ parameter }, index) => {
    const path = parameter["in"] === "path" ? `/${index}/{x}` : `/${index}`
    const parameters = [{ name: "x", required: true, ...parameter }]
    return [path, { post: { operationId: `o${index}`, parameters, responses } }] as const
  })
  const blocks = sent.map(({ parameter, value }, index) => {
    const place = parameter["in"] as string
    const overrides =
      place === "formData"
        ? { body: { x: JSON.parse(value) as unknown } }
        : { params: { [place]: { x: value } } }
    return request(`b${index}`, { operation: `o${index}`, overrides })
  })
  const info = { title: "Shop", version: "1" }
  const result = await runBlocks(blocks, {
    files: () => ({ "apis/shop/openapi.json": { ...head, info, paths: Object.fromEntries(operations) } }),
    workflow: { validateContracts: true },
    timeoutMs: 60_000,
  })
  expect(result.requests).toHaveLength(sent.length)
  return result.run.blocks.flatMap(({ requestProblems }, index) =>
    requestProblems === undefined
      ? []
      : [{ ...sent[index], problems: requestProblems.map(({ message }) => message) }],
  )
}

const styles: readonly [style: string, place: string][] = [
  ["matrix", "path"],
  ["label", "path"],
  ["simple", "path"],
  ["simple", "header"],
  ["form", "query"],
  ["spaceDelimited", "query"],
  ["pipeDelimited", "query"],
  ["deepObject", "query"],
  ["form", "cookie"],
]

/** A list can't be a deepObject, and a cookie can't contain a comma. */
const isDefined = (style: string, explode: boolean, schema: Fields): boolean =>
  (style !== "deepObject" || schema === object) &&
  (style !== "cookie" || explode || schema["type"] === "integer")

describe("requests of OpenAPI", () => {
  it.each(["3.0", "3.1", "3.2"])("%s get no warning, whatever the style", async (version) => {
    const all = version === "3.2" ? [...styles, ["cookie", "cookie"] as const] : styles
    const sent = all.flatMap(([style, place]) =>
      [true, false].flatMap((explode) =>
        values
          .filter(([schema]) => isDefined(style, explode, schema))
          .map(([schema, value]) => ({ parameter: { in: place, style, explode, schema }, value })),
      ),
    )
    expect(await blocksWithWarnings({ openapi: `${version}.0` }, sent)).toEqual([])
  })

  it("2.0 get no warning, whatever the collectionFormat", async () => {
    const formats = ["csv", "ssv", "tsv", "pipes", "multi"]
    const sent = formats.flatMap((collectionFormat) =>
      ["query", "path", "header", "formData"]
        .filter((place) => collectionFormat !== "multi" || place === "query" || place === "formData")
        .map((place) => ({ parameter: { in: place, ...list, collectionFormat }, value: "[1,2]" })),
    )
    expect(await blocksWithWarnings({ swagger: "2.0" }, sent)).toEqual([])
  })

  it("get a warning if they are missing", async () => {
    const parameter = { in: "query", schema: object }
    expect(await blocksWithWarnings({ openapi: "3.1.0" }, [{ parameter, value: "{}" }])).toMatchObject([
      { problems: ['POST /0 requires the query parameter "x"'] },
    ])
  })
})
