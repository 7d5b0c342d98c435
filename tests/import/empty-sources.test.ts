// What an import says about a source with nothing to import, and what its JSON lists beside the losses.

import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto } from "./import-into.ts"

const collection = (item: readonly unknown[]) => ({ info: { name: "Shop" }, item })

describe("an import without anything to import", () => {
  it.each<readonly [text: string, item: readonly unknown[]]>([
    ["no requests to import: the source (postman) has none\n", []],
    ["no requests to import: the source (postman) has none\n", [{ name: "Folder", item: [] }]],
    [
      "no requests to import: callsheet can't send the only one of the source (postman)\n",
      [{ name: "a", request: { method: "GET", url: "http://not a url" } }],
    ],
  ])("says %s", async (text, item) => {
    const folder = await folderWith({ "shop.json": collection(item) })
    const { stdout } = await callsheet(["import", "shop.json"], { folder })
    expect(stdout.slice(0, text.length)).toBe(text)
    const again = await callsheet(["import", "shop.json"], { folder })
    expect([again.stdout.slice(0, text.length), again.stdout.includes("up to date")]).toEqual([text, false])
  })

  it("says that files are up to date only if it has some", async () => {
    const item = [{ name: "a", request: { method: "GET", url: "https://shop.example/a" } }]
    const folder = await folderWith({ "shop.json": collection(item) })
    await callsheet(["import", "shop.json"], { folder })
    const { stdout } = await callsheet(["import", "shop.json"], { folder })
    expect(stdout).toContain("nothing to write: every file is up to date\n")
  })
})

describe("the JSON of an import", () => {
  it("lists shared authentication and secrets without their values", async () => {
    const auth = { type: "bearer", bearer: [{ key: "token", value: "tok-1234567890" }] }
    const item = [{ name: "a", request: { method: "GET", url: "https://shop.example/a" } }]
    const folder = await folderWith({ "shop.json": { ...collection(item), auth } })
    const { result, stdout } = await importInto(folder, ["shop.json"])
    expect(result).toMatchObject({
      sharedAuth: [
        { where: "shop.json", what: "header authorization", variables: ["shop.bearerToken"], requests: 1 },
      ],
      secrets: [{ variable: "shop.bearerToken", cause: "credential" }],
    })
    expect(stdout).not.toContain("tok-1234567890")
  })
})
