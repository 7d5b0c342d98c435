// Checks `files.planRename` and `plans.apply`: renaming a script or a saved request updates everything that uses it, or
// nothing.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { recoverProject } from "@callsheet/project"
import { countCalls, dyingDisk } from "../../packages/project/src/testing/faulty-disk.ts"
import { createScriptTrust, hashScript } from "../../packages/server/src/runs/script-trust.ts"
import { makeFolder, type Files } from "../app-project/open-project.ts"
import { sized } from "../harness/full-size.ts"
import { shop } from "../app-project/shop.ts"
import { openFiles, refusal, type FileName } from "./open-files.ts"

const SCRIPTS = "apis/workflow/scripts"
const REQUESTS = "apis/shop/requests"
const checkout = "apis/workflow/checkout.json"
const sum: FileName = { kind: "script", workflow: "checkout", script: "sum" }
const total: FileName = { ...sum, script: "checks/total" }
const mine: FileName = { kind: "request", api: "shop", resource: "orders", request: "mine" }
const own: FileName = { ...mine, resource: "carts", request: "all mine" }

/** No formatter would format it like this. */
const flow =
  '\ufeff{"version": 1, \r\n\t"blocks":[\r\n' +
  '{ "id":"one", "type": "request", "request": {"instance" : "m\\u0069ne","api":"shop", "resource":"orders"}},\r\n' +
  '  {"id": "two","type":"group","blocks":[ {"id":"three","type":"request","request":{"api":"shop","instance":"mine"} } ]},\r\n' +
  '  {"id":"four","type":"assert", "script": { "exportName":"sum","name":"sum" }, "timeoutMs":1.50e3},\r\n' +
  '  {"id":"five","type":"script","script":{"name":"{{which}}","exportName":"sum"}}\r\n' +
  '],"inputs":{"which":{"type":"string"}}}'

const files: Files = {
  ...shop,
  [checkout]: flow,
  "apis/workflow/other.json": '{"version":1,"blocks":[{"id":"a","type":"request","request":{"api":"shop","instance":"mine"}}]}\n',
  "apis/workflow/broken.json": '{"version":1,"blocks":[{"id":"a","request":{"api":"shop","instance":"mine"}',
  [`${SCRIPTS}/checkout/sum.ts`]: '\ufeffimport { pay } from "./pay"\r\nexport const sum = () => pay // "./pay"',
  [`${SCRIPTS}/checkout/pay.ts`]: "import { sum } from './sum.ts'\n\nexport const pay = sum\n",
  [`${SCRIPTS}/other/sum.ts`]: 'import { sum } from "../checkout/sum.js"\nexport { sum }\n',
} // oxfmt-ignore

/** Every file by its path, with its bytes as text. */
const filesOf = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes(".callsheet-"))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "latin1")]),
  )

async function open(options: Parameters<typeof openFiles>[1] = {}, content: Files = files) {
  const project = await openFiles(content, options)
  const plan = async (file: FileName, to: FileName) =>
    project.calls["files.planRename"]({ file, etag: (await project.load(file)).etag, to })
  const apply = (plan: string) => project.calls["plans.apply"]({ plan })
  return { ...project, plan, apply }
}

/** Returns the files after the plan was applied. A missing file is null. */
function shownIn(root: string, paths: readonly string[]) {
  return paths.map((path) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8").replace(/^\ufeff/, "") : null,
  )
}

describe("a rename of a script", () => {
  it("reaches the blocks that call it and its imports, and keeps every other byte", async () => {
    const { root, plan, apply } = await open()
    const before = filesOf(root)
    const shown = await plan(sum, total)
    expect(filesOf(root)).toEqual(before)
    expect(await apply(shown.plan)).toEqual({})
    const { [`${SCRIPTS}/checkout/sum.ts`]: moved = "", ...rest } = before
    expect(filesOf(root)).toEqual({
      ...rest,
      [`${SCRIPTS}/checkout/checks/total.ts`]: moved.replace('from "./pay"', 'from "../pay"'),
      [`${SCRIPTS}/checkout/pay.ts`]: rest[`${SCRIPTS}/checkout/pay.ts`]?.replace("./sum.ts", "./checks/total.ts"),
      [`${SCRIPTS}/other/sum.ts`]: rest[`${SCRIPTS}/other/sum.ts`]?.replace("sum.js", "checks/total.js"),
      [checkout]: rest[checkout]?.replace('"name":"sum"', '"name":"checks/total"'),
    })
    expect(shown.files.map(({ path, from }) => [path, from])).toEqual([
      [`${SCRIPTS}/checkout/checks/total.ts`, `${SCRIPTS}/checkout/sum.ts`],
      [checkout, undefined],
      [`${SCRIPTS}/checkout/pay.ts`, undefined],
      [`${SCRIPTS}/other/sum.ts`, undefined],
    ])
    expect(shownIn(root, shown.files.map(({ path }) => path))).toEqual(shown.files.map(({ after }) => after))
    expect(shown).toMatchObject({ fileCount: 4, omitted: [] })
  }) // oxfmt-ignore

  it("reports what it leaves: a name that a token builds, and a path that is not an import", async () => {
    const { plan } = await open()
    const { notes } = await plan(sum, total)
    expect(notes).toEqual([
      `${checkout}:6:49: this block may refer to the file; callsheet can't tell before a run.`,
      `${SCRIPTS}/checkout/sum.ts:2:33: "./pay" may refer to the renamed script, but callsheet updates only imports.`,
    ])
  })

  it("reports which files have unsaved changes, and leaves these", async () => {
    const { plan, apply, keep, load } = await open()
    const flow: FileName = { kind: "workflow", workflow: "checkout" }
    await keep(flow, (await load(flow)).etag, "typed")
    await keep({ ...sum, script: "pay" }, null, "typed too")
    await keep({ kind: "workflow", workflow: "other" }, null, "of another one")
    const { notes, plan: name } = await plan(sum, total)
    expect(notes.slice(2)).toEqual([
      `${checkout} has unsaved changes. They are kept: merge them with this change.`,
      `${SCRIPTS}/checkout/pay.ts has unsaved changes. They are kept: merge them with this change.`,
    ])
    const { etag } = await load(flow)
    await apply(name)
    const after = await load(flow)
    expect([after.draft?.text, after.draft?.etag === etag, after.etag === etag]).toEqual([
      "typed",
      true,
      false,
    ])
  })

  it("preserves the approval of a script, or its absence", async () => {
    const state = await makeFolder({})
    const root = await makeFolder({})
    const trust = createScriptTrust({ state, root })
    const known = { path: `${SCRIPTS}/checkout/pay.ts`, hash: hashScript("import { sum } from './sum.ts'\n\nexport const pay = sum\n") }
    trust.trust([known])
    const { plan, apply, bytes } = await open({ trustFixed: trust.trustFixed })
    await apply((await plan(sum, total)).plan)
    const unknown = ["checkout/pay.ts", "other/sum.ts"]
      .map((path) => `${SCRIPTS}/${path}`)
      .filter((path) => trust.unknown([{ path, hash: hashScript(bytes(path)) }]).length > 0)
    expect(unknown).toEqual([`${SCRIPTS}/other/sum.ts`])
  }) // oxfmt-ignore

  it("is not available to other machines", async () => {
    const { root, plan } = await open({ isRemote: () => true })
    const before = filesOf(root)
    expect(await refusal(plan(sum, total))).toMatchObject({ status: 403, code: "remote-refused" })
    expect(filesOf(root)).toEqual(before)
  })
})

describe("a rename of a saved request", () => {
  it("reaches the blocks of all workflows that use it, and keeps every other byte", async () => {
    const { root, plan, apply } = await open()
    const before = filesOf(root)
    const shown = await plan(mine, own)
    await apply(shown.plan)
    const { [`${REQUESTS}/orders/mine.json`]: moved, ...rest } = before
    expect(filesOf(root)).toEqual({
      ...rest,
      [`${REQUESTS}/carts/all mine.json`]: moved,
      "apis/workflow/other.json": rest["apis/workflow/other.json"]?.replace('"mine"', '"all mine"'),
      [checkout]: rest[checkout]
        ?.replace('"m\\u0069ne"', '"all mine"')
        .replace('"resource":"orders"', '"resource":"carts"')
        .replace('"instance":"mine"', '"instance":"all mine"'),
    })
    expect(shownIn(root, shown.files.map(({ path }) => path))).toEqual(shown.files.map(({ after }) => after))
    expect(shown.notes).toEqual([expect.stringContaining('broken.json:1:69: this file has errors, so "mine"')])
  }) // oxfmt-ignore

  it("moves its draft", async () => {
    const { plan, apply, keep, load, drafts } = await open()
    await keep(mine, (await load(mine)).etag, "typed")
    await apply((await plan(mine, own)).plan)
    expect((await load(own)).draft?.text).toBe("typed")
    expect((await drafts()).map(({ file }) => file)).toEqual([own])
  })

  it("shows no secret that is in a workflow", async () => {
    const secret = "s3cr3t-canary-of-a-workflow"
    const { plan } = await open({}, {
      ...files,
      "apis/shop/environments/schema.json": { version: 1, variables: { key: { type: "string", required: false, secret: true } } },
      "apis/shop/environments/local.json": {},
      "apis/shop/environments/local.secrets.env": `key=${secret}\n`,
      "apis/workflow/other.json": `{"version":1,"blocks":[{"id":"a","type":"request","description":"${secret}","request":{"api":"shop","instance":"mine"}}]}\n`,
      [`${SCRIPTS}/checkout/sum.ts`]: `export const sum = "${secret} \\x41"\n`,
    })
    for (const [file, to] of [[mine, own], [sum, total]] as const)
      expect(JSON.stringify(await plan(file, to))).not.toContain(secret)
  }) // oxfmt-ignore
})

describe("a plan of a rename", () => {
  it.each<[string, FileName, FileName, object]>([
    ["that is taken", sum, { ...sum, script: "pay" }, { code: "file-exists" }],
    ["that differs from another only in case", sum, { ...sum, script: "Pay" }, { code: "file-twin" }],
    ["that it already has", mine, mine, { code: "file-exists" }],
    ["of another API", mine, { ...mine, api: "pay" }, { code: "usage" }],
    ["of another workflow", sum, { ...sum, workflow: "other" }, { code: "usage" }],
  ])("%s is rejected", async (_, file, to, expected) => {
    const { root, plan } = await open()
    const before = filesOf(root)
    expect(await refusal(plan(file, to))).toMatchObject(expected)
    expect(filesOf(root)).toEqual(before)
  }) // oxfmt-ignore

  it("requires the file to be what was seen", async () => {
    const { calls, load, put } = await open()
    const { etag } = await load(mine)
    await put({ [`${REQUESTS}/orders/mine.json`]: "theirs" })
    for (const seen of [etag, null])
      expect(await refusal(calls["files.planRename"]({ file: mine, etag: seen, to: own }))).toMatchObject({
        status: 409,
        current: { text: "theirs" },
      })
  })

  it.each([
    ["the file itself", `${REQUESTS}/orders/mine.json`],
    ["a workflow that names it", "apis/workflow/other.json"],
    ["a file that was created meanwhile", `${REQUESTS}/carts/all mine.json`],
  ])("is not applied if %s has changed since", async (_, path) => {
    const { root, plan, apply, put, noteChange } = await open()
    const shown = await plan(mine, own)
    await put({ [path]: '{"version": 1, "blocks": [], "method": "GET"}' })
    noteChange()
    const before = filesOf(root)
    expect(await refusal(apply(shown.plan))).toMatchObject({ status: 409, code: "file-changed" })
    expect(filesOf(root)).toEqual(before)
  })

  it("is not applied if a new block uses the file", async () => {
    const { root, plan, apply, put } = await open()
    const shown = await plan(mine, own)
    await put({ "apis/workflow/third.json": files["apis/workflow/other.json"] ?? "" })
    const before = filesOf(root)
    expect(await refusal(apply(shown.plan))).toMatchObject({ status: 409 })
    expect(filesOf(root)).toEqual(before)
    await apply((await plan(mine, own)).plan)
    expect(filesOf(root)["apis/workflow/third.json"]).toContain("all mine")
  })

  it("is complete or has no effect after a kill at any file call", async () => {
    const before = filesOf(await makeFolder(files))
    const done = await open()
    await done.apply((await done.plan(sum, total)).plan)
    const after = filesOf(done.root)
    const tried = async (write: NonNullable<Parameters<typeof openFiles>[1]>["write"]) => {
      const { root, plan, apply } = await open({ write: write ?? {} })
      await apply((await plan(sum, total)).plan).catch(() => undefined)
      return root
    }
    const calls = await countCalls((disk) => tried({ disk }))
    expect(calls).toBeGreaterThan(20)
    const outcomes = new Set<string>()
    for (let last = 1; last <= calls; last += sized(3, 1)) {
      const root = await tried({ disk: dyingDisk(last) })
      await recoverProject(root)
      const found = filesOf(root)
      const isDone = existsSync(join(root, `${SCRIPTS}/checkout/checks/total.ts`))
      expect([last, found]).toEqual([last, isDone ? after : before])
      outcomes.add(String(isDone))
    }
    expect(outcomes.size).toBe(2)
  })
})

describe("files.uses", () => {
  it("lists the blocks that use a file before it is deleted", async () => {
    const { calls } = await open()
    const usesOf = async (file: FileName) => (await calls["files.uses"]({ file })).uses
    expect(await usesOf(sum)).toEqual([{ workflow: "checkout", blocks: ["four"] }])
    expect(await usesOf(mine)).toEqual([
      { workflow: "checkout", blocks: ["one", "three"] },
      { workflow: "other", blocks: ["a"] },
    ])
    expect(await usesOf({ kind: "workflow", workflow: "checkout" })).toEqual([])
  })
})
