// OpenAPI documents without a collection, and with references as `list` and `validate` read them.

import { describe, expect, it } from "vitest"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, validated } from "./import-into.ts"

const data = { $ref: "missing.json" }
const responses = { 200: { description: "Done.", content: { "application/json": { example: data } } } }
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1", "x-logo": data },
  servers: [
    { url: "https://shop.example", description: "Production" },
    { url: "http://localhost:3000", description: "Local" },
  ],
  paths: { "/a": { get: { operationId: "a", responses }, post: { operationId: "b", responses } } },
}

describe("an OpenAPI document without a collection", () => {
  it("adds its API, and says what is in it", async () => {
    const folder = await folderWith({ "openapi.json": document })
    const words = ["import", "openapi.json", "--into", "p"]
    const preview = await callsheet([...words, "--dry-run"], { folder })
    expect(preview.stdout).toContain("would add the API shop with 2 operations and 2 environments\n")
    const { stdout, exitCode } = await callsheet(words, { folder })
    expect([exitCode, stdout.split("\n")[0]]).toEqual([
      0,
      "added the API shop with 2 operations and 2 environments",
    ])
    expect(stdout).not.toContain("0 requests")
    const again = await callsheet(words, { folder })
    expect(again.stdout).toBe("nothing to write: every file is up to date\n")
  })

  it("is imported if list and validate find no broken reference in it", async () => {
    const folder = await folderWith({
      "openapi.json": { ...document, components: { schemas: { A: { $ref: "a.json", "x-a": data } } } },
      "a.json": { type: "object", examples: [data] },
    })
    const { exitCode, result, stderr } = await importInto(folder, ["openapi.json", "--into", "p"])
    expect([exitCode, result?.losses, stderr]).toEqual([0, [], ""])
    expect(await validated(`${folder}/p`)).toEqual([])
    const { stdout } = await callsheet(["list", "--project", "p"], { folder })
    expect(stdout).toContain("/a")
    const written = (await textsIn(`${folder}/p`))["apis/shop/openapi.json"] ?? ""
    expect(written.match(/missing\.json/g)).toHaveLength(5)
  })
})

describe("a source that doesn't exist", () => {
  it.each([
    ["missing/x.json", ["missing/x.json"]],
    ["missing/sub/x.json", ["missing/sub/x.json"]],
    ["missing/d.json", ["openapi.json", "--document", "missing/d.json"]],
  ])("is named: %s", async (file, words) => {
    const folder = await folderWith({ "openapi.json": document })
    const { exitCode, stderr } = await importInto(folder, [...words, "--into", "p"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${file}: can't read the file: it does not exist (file-unreadable)`)
    expect(Object.keys(await textsIn(folder))).toEqual(["openapi.json"])
  })
})
