// Checks that the app reads, checks, saves and watches callsheet.json like any other file.

import { existsSync, symlinkSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makeFolder } from "../app-project/open-project.ts"
import { shop, workflow } from "../app-project/shop.ts"
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

/** No formatter would format it like this. */
const nightly =
  '\ufeff{"version": 1,\r\n\t"suites": {"nightly": {\r\n' +
  '"before": ["check\\u006fut"],  "workflows": [{"workflow":"other","inputs":{"id":"{{checkout.one.response.status}}"},\r\n' +
  '"finally":[{ "workflow" : "checkout", "as": "again" }]}, "check*"] },\r\n' +
  '"smoke": {"workflows": ["other"]}}}\r\n'
const files = {
  ...shop,
  "apis/workflow/other.json": { ...workflow("a"), inputs: { id: { type: "string" } } },
  "callsheet.json": nightly,
}
const checkout: FileName = { kind: "workflow", workflow: "checkout" }

describe("a rename of a workflow", () => {
  const open = async (content = files) => {
    const project = await openFiles(content)
    const plan = async (to: string) => {
      const { etag } = await project.load(checkout)
      return project.calls["files.planRename"]({
        file: checkout,
        etag,
        to: { kind: "workflow", workflow: to },
      })
    }
    return { ...project, plan, apply: (id: string) => project.calls["plans.apply"]({ plan: id }) }
  }

  it("reaches the entries and inputs that name it, keeps every other byte, and shows what it leaves", async () => {
    const { plan, apply, bytes, path } = await open()
    const shown = await plan("pay")
    const after = nightly
      .replace("check\\u006fut", "pay")
      .replace("{{checkout.one", "{{pay.one")
      .replace('"checkout", "as"', '"pay", "as"')
    expect(shown.files).toMatchObject([
      { path: "apis/workflow/pay.json", from: "apis/workflow/checkout.json" },
      { path: "callsheet.json", before: nightly.slice(1), after: after.slice(1) },
    ])
    expect(shown.notes).toEqual([
      'callsheet.json:4:58: "check*" matches only one of "checkout" and "pay", so the suite changes.',
    ])
    expect(bytes("callsheet.json").toString()).toBe(nightly)
    await apply(shown.plan)
    expect(bytes("callsheet.json").toString()).toBe(after)
    expect([
      existsSync(path("apis/workflow/checkout.json")),
      existsSync(path("apis/workflow/pay.json")),
    ]).toEqual([false, true])
  })

  it("changes nothing if callsheet.json has changed since, or if it is broken, and shows where it is named", async () => {
    const { plan, apply, put, bytes } = await open()
    const { plan: stale } = await plan("pay")
    await put({ "callsheet.json": nightly.replace("smoke", "quick") })
    expect(await refusal(apply(stale))).toMatchObject({ status: 409, code: "file-changed" })
    const broken = nightly.replace('"smoke"', '"smoke').replace("check\\u006fut", "checkout")
    await put({ "callsheet.json": broken })
    const shown = await plan("pay")
    expect([shown.fileCount, shown.notes]).toEqual([
      1,
      [
        `callsheet.json:3:12: this file has errors, so "checkout" doesn't change here.`,
        `callsheet.json:4:27: this file has errors, so "checkout" doesn't change here.`,
      ],
    ])
    await apply(shown.plan)
    expect(bytes("callsheet.json").toString()).toBe(broken)
  })
})

it("the deletion of a workflow warns about the suites that can't run without it", async () => {
  const { calls } = await openFiles({
    ...files,
    "callsheet.json": textOf({
      named: { workflows: ["other"], finally: ["checkout"] },
      matched: { workflows: ["check*", "other"] },
      all: { workflows: ["*"] },
      cleaned: { workflows: [{ workflow: "other", finally: [{ workflow: "checkout" }] }] },
      fine: { workflows: ["other"] },
    }),
  })
  expect(await calls["files.uses"]({ file: checkout })).toEqual({
    uses: [],
    suites: ["named", "matched", "cleaned"],
  })
})
