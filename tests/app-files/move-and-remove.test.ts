import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { recoverProject } from "@callsheet/project"
import { countCalls, dyingDisk } from "../../packages/project/src/testing/faulty-disk.ts"
import { makeFolder, type Files } from "../app-project/open-project.ts"
import { shop, workflow } from "../app-project/shop.ts"
import { checkout, openFiles, refusal, type FileName } from "./open-files.ts"

const formatJson = (value: unknown) => JSON.stringify(value, null, 2)
const paid: FileName = { kind: "workflow", workflow: "paid" }
const mine: FileName = { kind: "request", api: "shop", resource: "orders", request: "mine" }
const script: FileName = { kind: "script", workflow: "checkout", script: "sum" }
const SCRIPTS = "apis/workflow/scripts"

const withScripts: Files = {
  ...shop,
  "apis/workflow/checkout.json": formatJson({
    version: 1,
    blocks: [
      { id: "one", type: "request", request: { api: "shop", resource: "orders", instance: "mine" } },
      { id: "two", type: "group", blocks: [{ id: "three", type: "request", request: { api: "shop", instance: "mine" } }] },
      { id: "four", type: "request", request: { api: "shop", instance: "raw" } },
      { id: "five", type: "script", script: { name: "sum", exportName: "sum" } },
    ],
  }),
  "apis/workflow/other.json": formatJson(workflow("a")),
  [`${SCRIPTS}/checkout/sum.ts`]: "export const sum = () => 1\n",
  [`${SCRIPTS}/checkout/lib/deep.ts`]: "export const deep = 1\n",
  [`${SCRIPTS}/checkout/data.json`]: "{}",
} // oxfmt-ignore

async function open(files: Files = withScripts, options: Parameters<typeof openFiles>[1] = {}) {
  const project = await openFiles(files, options)
  const { load, calls } = project
  const etagOf = async (file: FileName) => (await load(file)).etag
  return {
    ...project,
    rename: async (file: FileName, to: FileName) => {
      const etag = await etagOf(file)
      return calls["plans.apply"]({ plan: (await calls["files.planRename"]({ file, etag, to })).plan })
    },
    remove: async (file: FileName) => calls["files.remove"]({ file, etag: await etagOf(file) }),
  }
}

/** Every file by its path, with its text. Leaves out files that git ignores and the next change removes. */
const filesOf = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^\.callsheet-\w+\.secrets\.env$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  )

describe("a rename", () => {
  it("of a workflow moves its scripts", async () => {
    const { root, load, rename, read } = await open()
    const before = filesOf(root)
    const { etag } = await load(checkout)
    await rename(checkout, paid)
    expect((await load(paid)).etag).toBe(etag)
    const moved = Object.entries(before).map(([path, text]) => [path.replace("checkout", "paid"), text])
    expect(filesOf(root)).toEqual(Object.fromEntries(moved))
    expect((await read()).workflows.map(({ name }) => name)).toEqual(["other", "paid"])
  })

  it("leaves no empty directory", async () => {
    const { rename, path } = await open()
    await rename({ ...script, script: "lib/deep" }, { ...script, script: "deep" })
    expect(readdirSync(path(`${SCRIPTS}/checkout`))).toEqual(["data.json", "deep.ts", "sum.ts"])
  })

  it("may change only the case", async () => {
    const { root, rename } = await open()
    await rename(checkout, { kind: "workflow", workflow: "CheckOut" })
    expect(readdirSync(join(root, "apis/workflow")).toSorted()).toEqual([
      "CheckOut.json",
      "other.json",
      "scripts",
    ])
    expect(readdirSync(join(root, SCRIPTS))).toEqual(["CheckOut"])
  })

  it.each([
    ["belongs to another workflow", { kind: "workflow", workflow: "other" }, "file-exists"],
    ["almost belongs to another workflow", { kind: "workflow", workflow: "Other" }, "file-twin"],
    ["belongs to a directory of scripts", { kind: "workflow", workflow: "taken" }, "file-exists"],
    ["almost belongs to a directory of scripts", { kind: "workflow", workflow: "Taken" }, "file-twin"],
    ["is of another kind", mine, "usage"],
  ] as const)("that %s changes nothing", async (_, to, code) => {
    const { root, rename } = await open({ ...withScripts, [`${SCRIPTS}/taken/a.ts`]: "" })
    const before = filesOf(root)
    expect(await refusal(rename(checkout, to))).toMatchObject({ code })
    expect(filesOf(root)).toEqual(before)
  })

  it.each([
    [mine, { ...mine, api: "pay" }],
    [script, { ...script, workflow: "other" }],
    [
      { kind: "environment", api: "shop", environment: "local" },
      { kind: "environment", api: "shop", environment: "new" },
    ],
    [
      { kind: "schema", api: "shop" },
      { kind: "schema", api: "pay" },
    ],
  ] as readonly (readonly [FileName, FileName])[])("of %j cannot be %j", async (file, to) => {
    const { root, rename } = await open()
    const before = filesOf(root)
    expect(await refusal(rename(file, to))).toMatchObject({ code: "usage" })
    expect(filesOf(root)).toEqual(before)
  })

  it("requires the file to be what was seen", async () => {
    const { root, calls, load, put } = await open()
    const { etag } = await load(checkout)
    await put({ "apis/workflow/checkout.json": formatJson(workflow("theirs")) })
    const before = filesOf(root)
    const current = { text: formatJson(workflow("theirs")) }
    const call = (seen: string | null) => calls["files.planRename"]({ file: checkout, etag: seen, to: paid })
    expect(await refusal(call(etag))).toMatchObject({ status: 409, code: "file-changed", current })
    expect(await refusal(call(null))).toMatchObject({ status: 409, current })
    const gone = calls["files.planRename"]({ file: paid, etag, to: checkout })
    expect(await refusal(gone)).toMatchObject({ status: 409, current: null })
    expect(filesOf(root)).toEqual(before)
  })

  it("moves the drafts", async () => {
    const { rename, keep, load, drafts } = await open()
    await keep(checkout, null, "workflow")
    await keep(script, null, "script")
    await keep({ ...script, workflow: "other" }, null, "another's")
    await rename(checkout, paid)
    expect((await load(paid)).draft?.text).toBe("workflow")
    expect((await load({ ...script, workflow: "paid" })).draft?.text).toBe("script")
    expect((await drafts()).map(({ file }) => JSON.stringify(file)).toSorted()).toEqual(
      [paid, { ...script, workflow: "paid" }, { ...script, workflow: "other" }]
        .map((file) => JSON.stringify(file))
        .toSorted(),
    )
  })

  it("leads nowhere outside the project", async () => {
    const { root, rename, path } = await open()
    const outside = await makeFolder({ "kept.txt": "theirs" })
    mkdirSync(path("apis/shop/requests"), { recursive: true })
    symlinkSync(outside, path("apis/shop/requests/links"))
    symlinkSync(outside, path(`${SCRIPTS}/checkout/links`))
    const tries: readonly (readonly [FileName, FileName])[] = [
      [mine, { ...mine, resource: "links" }],
      [script, { ...script, script: "links/sum" }],
    ]
    for (const [file, to] of tries)
      expect(await refusal(rename(file, to))).toMatchObject({ code: "link-outside" })
    expect(readdirSync(outside)).toEqual(["kept.txt"])
    expect(filesOf(root)).toMatchObject({
      [`${SCRIPTS}/checkout/sum.ts`]: withScripts[`${SCRIPTS}/checkout/sum.ts`],
    })
  })

  it("is complete or has no effect after a kill at any file call", async () => {
    const suites = { all: { workflows: ["checkout"] } }
    const files = { ...withScripts, "callsheet.json": formatJson({ version: 1, suites }) }
    const before = filesOf(await makeFolder(files))
    const after = Object.fromEntries(
      Object.entries(before).map(([path, text]) => [
        path.replace("checkout", "paid"),
        path === "callsheet.json" ? text.replace("checkout", "paid") : text,
      ]),
    )
    const tried = async (disk: Parameters<typeof dyingDisk>[0] | "count") => {
      const { root, rename } = await open(files, {
        write: disk === "count" ? {} : { disk: dyingDisk(disk) },
      })
      await rename(checkout, paid).catch(() => undefined)
      return root
    }
    const calls = await countCalls(async (disk) => {
      const { rename } = await open(files, { write: { disk } })
      await rename(checkout, paid)
    })
    expect(calls).toBeGreaterThan(10)
    const outcomes = new Set<string>()
    for (let last = 1; last <= calls; last++) {
      const root = await tried(last)
      await recoverProject(root)
      const found = filesOf(root)
      expect([last, found]).toEqual([
        last,
        existsSync(join(root, "apis/workflow/paid.json")) ? after : before,
      ])
      outcomes.add(Object.keys(found).join())
    }
    expect(outcomes.size).toBe(2)
  })
})

describe("a deletion", () => {
  it("of a workflow deletes its scripts and lists them", async () => {
    const { root, remove, keep, drafts, read } = await open()
    const before = filesOf(root)
    await keep(checkout, null, "draft")
    await keep(script, null, "draft")
    expect(await remove(checkout)).toEqual({ uses: [], scripts: ["lib/deep", "sum"] })
    const gone = [
      "apis/workflow/checkout.json",
      `${SCRIPTS}/checkout/sum.ts`,
      `${SCRIPTS}/checkout/lib/deep.ts`,
    ]
    const rest = Object.entries(before).filter(([path]) => !gone.includes(path))
    expect(filesOf(root)).toEqual(Object.fromEntries(rest))
    expect(readdirSync(join(root, SCRIPTS, "checkout"))).toEqual(["data.json"])
    expect(await drafts()).toEqual([])
    expect((await read()).workflows.map(({ name }) => name)).toEqual(["other"])
  })

  it("is complete or has no effect after a kill at any file call", async () => {
    const all = Object.keys(filesOf(await makeFolder(withScripts))).length
    const attempt = async (write: NonNullable<Parameters<typeof openFiles>[1]>["write"]) => {
      const { root, calls, load } = await openFiles(withScripts, { write: write ?? {} })
      const { etag } = await load(checkout)
      await calls["files.remove"]({ file: checkout, etag }).catch(() => undefined)
      return root
    }
    const calls = await countCalls((disk) => attempt({ disk }))
    const outcomes = new Set<number>()
    for (let last = 1; last <= calls; last++) {
      const root = await attempt({ disk: dyingDisk(last) })
      await recoverProject(root)
      const found = Object.keys(filesOf(root)).length
      expect([last, found]).toEqual([
        last,
        existsSync(join(root, "apis/workflow/checkout.json")) ? all : all - 3,
      ])
      outcomes.add(found)
    }
    expect(outcomes).toEqual(new Set([all, all - 3]))
  })

  it("of a script or a saved request lists the blocks that use it", async () => {
    const { remove, path } = await open()
    expect(await remove(script)).toEqual({ uses: [{ workflow: "checkout", blocks: ["five"] }], scripts: [] })
    expect(await remove(mine)).toMatchObject({ uses: [{ blocks: ["one", "three"] }] })
    expect(existsSync(path(`${SCRIPTS}/checkout/sum.ts`))).toBe(false)
  })

  it("removes directories that become empty, so that their names are free", async () => {
    const { remove, rename, path, folder } = await open()
    folder("apis/shop/requests/empty")
    for (const name of ["sum", "lib/deep"]) await remove({ ...script, script: name })
    expect(readdirSync(path(`${SCRIPTS}/checkout`))).toEqual(["data.json"])
    for (const name of ["mine", "raw"]) await remove({ ...mine, request: name })
    expect(readdirSync(path("apis/shop/requests"))).toEqual(["empty"])
    rmSync(path(`${SCRIPTS}/checkout/data.json`))
    writeFileSync(path(`${SCRIPTS}/checkout/sum.ts`), "")
    await remove(script)
    expect(readdirSync(path("apis/workflow"))).toEqual(["checkout.json", "other.json", "scripts"])
    await rename(checkout, paid)
  })

  it("requires the file to be what was seen", async () => {
    const { calls, load, put, bytes } = await open()
    const { etag } = await load(checkout)
    await put({ "apis/workflow/checkout.json": "theirs" })
    for (const seen of [etag, null]) {
      const error = await refusal(calls["files.remove"]({ file: checkout, etag: seen }))
      expect(error).toMatchObject({ status: 409, current: { text: "theirs" } })
    }
    expect(await refusal(calls["files.remove"]({ file: paid, etag }))).toMatchObject({ current: null })
    expect(bytes("apis/workflow/checkout.json").toString()).toBe("theirs")
  })

  it("of a link removes only the link", async () => {
    const { remove, path, bytes } = await open()
    writeFileSync(path("shared.json"), formatJson(workflow("a")))
    symlinkSync("../../shared.json", path("apis/workflow/linked.json"))
    await remove({ kind: "workflow", workflow: "linked" })
    expect(readdirSync(path("apis/workflow"))).not.toContain("linked.json")
    expect(bytes("shared.json").toString()).toBe(formatJson(workflow("a")))
  })

  it("does not apply to environment files, nor to scripts from other machines", async () => {
    const { root, calls, load } = await openFiles(withScripts, { isRemote: () => true })
    const before = filesOf(root)
    const environment: FileName = { kind: "environment", api: "shop", environment: "local" }
    const refused: readonly (readonly [FileName, object])[] = [
      [environment, { code: "usage" }],
      [script, { code: "remote-refused", status: 403 }],
    ]
    const { etag: seen } = await load(checkout)
    expect(await refusal(calls["files.remove"]({ file: checkout, etag: seen }))).toMatchObject({
      status: 403,
    })
    for (const [file, expected] of refused) {
      const { etag } = await load(file)
      expect(await refusal(calls["files.remove"]({ file, etag }))).toMatchObject(expected)
      expect(await refusal(calls["files.planRename"]({ file, etag, to: file }))).toMatchObject(expected)
    }
    expect(filesOf(root)).toEqual(before)
  })
})
