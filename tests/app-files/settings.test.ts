// callsheet.json in the app: read, checked, saved and followed like any other file.

import { existsSync, symlinkSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makeFolder } from "../app-project/open-project.ts"
import { shop } from "../app-project/shop.ts"
import { openFiles, refusal, type FileName } from "./open-files.ts"

const file: FileName = { kind: "project" }
const textOf = (suites: object): string => `${JSON.stringify({ version: 1, suites }, null, 2)}\n`

describe("callsheet.json", () => {
  it("is listed with its suites, and appears and disappears with the file", async () => {
    const { read, put, until, load, save, calls, path } = await openFiles(shop)
    expect((await read()).suites).toBeUndefined()
    expect(await refusal(load(file))).toMatchObject({ status: 404, code: "file-missing" })
    await save(file, null, textOf({}))
    expect((await read()).suites).toEqual([])
    const listed = until(async () => (await read()).suites?.length === 2)
    const all = { workflows: ["*"] }
    await put({ "callsheet.json": textOf({ smoke: all, nightly: all }) })
    await listed
    expect((await read()).suites).toEqual(["smoke", "nightly"])
    const broken = until(async () => (await read()).suites?.length === 0)
    await put({ "callsheet.json": "{" })
    await broken
    const { etag } = await load(file)
    for (const call of [
      calls["files.remove"]({ file, etag }),
      calls["files.rename"]({ file, etag, to: file }),
      calls["files.planRename"]({ file, etag, to: file }),
    ])
      expect(await refusal(call)).toMatchObject({ code: "usage" })
    expect(existsSync(path("callsheet.json"))).toBe(true)
  })

  it("is saved only from the state that the page has seen, and only if it is valid", async () => {
    const { load, save, put, bytes } = await openFiles({ ...shop, "callsheet.json": `\ufeff${textOf({})}` })
    const { text, etag } = await load(file)
    const mine = text.replace("{}", '{ "all": { "workflows": ["*"] } }')
    expect(await refusal(save(file, etag, mine.replace("1", "2")))).toMatchObject({
      status: 422,
      code: "version-invalid",
      problems: [{ file: "callsheet.json", line: 2, column: 14 }],
    })
    const theirs = textOf({ theirs: { workflows: ["checkout"] } })
    await put({ "callsheet.json": `\ufeff${theirs}` })
    const conflict = await refusal(save(file, etag, mine))
    expect(conflict).toMatchObject({ status: 409, code: "file-changed", current: { text: theirs } })
    expect(bytes("callsheet.json").toString()).toBe(`\ufeff${theirs}`)
    const saved = await save(file, (await load(file)).etag, mine)
    expect(bytes("callsheet.json").toString()).toBe(`\ufeff${mine}`)
    expect(await load(file)).toEqual({ path: "callsheet.json", text: mine, etag: saved.etag })
  })

  it("keeps a draft", async () => {
    const { load, keep, drafts } = await openFiles({ ...shop, "callsheet.json": textOf({}) })
    const { etag } = await load(file)
    await keep(file, etag, "{ typed")
    expect(await drafts()).toMatchObject([{ file }])
    expect((await load(file)).draft).toMatchObject({ text: "{ typed", etag })
  })

  it("is not read or written through a link out of the project", async () => {
    const { root, load, save } = await openFiles(shop)
    const outside = await makeFolder({ "other.json": textOf({}) })
    symlinkSync(`${outside}/other.json`, `${root}/callsheet.json`)
    expect(await load(file).catch((error: unknown) => error)).toMatchObject({ code: "link-outside" })
    expect(
      await save(file, null, textOf({ a: { workflows: ["*"] } })).catch((error: unknown) => error),
    ).toMatchObject({
      code: "link-outside",
    })
  })
})
