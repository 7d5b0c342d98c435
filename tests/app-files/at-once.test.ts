// Checks concurrent access to the same files by two pages, the command line, an editor and a run. Also checks a failing
// disk.

import { appendFileSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { countCalls, diskError, faultyDisk } from "../../packages/project/src/testing/faulty-disk.ts"
import type { Disk } from "../../packages/project/src/write/write-scope.ts"
import { openRuns, until } from "../app-runs/open-runs.ts"
import { shop, workflow } from "../app-project/shop.ts"
import { callsheet } from "../harness/callsheet.ts"
import { checkout, openFiles, refusal, type FileName } from "./open-files.ts"

const FILE = "apis/workflow/checkout.json"
const LOCAL = "apis/shop/environments/local.json"
const formatJson = (value: unknown) => JSON.stringify(value, null, 2)
const local: FileName = { kind: "environment", api: "shop", environment: "local" }

describe("two pages", () => {
  it("with one environment: the second save sees the first, and loses nothing", async () => {
    const { load, save, bytes } = await openFiles(shop)
    const [one, two] = [await load(local), await load(local)]
    const first = '{"baseUrl": "http://first"}'
    await save(local, one.etag, first)
    const error = await refusal(save(local, two.etag, '{"baseUrl": "http://second"}'))
    expect(error).toMatchObject({ status: 409, code: "file-changed", current: { text: first } })
    expect(bytes(LOCAL).toString()).toBe(first)
  })

  it("that save at once: one succeeds, and the others are rejected with its change", async () => {
    const { load, save, bytes } = await openFiles(shop)
    const { etag } = await load(checkout)
    const texts = Array.from({ length: 8 }, (_, index) => formatJson(workflow(`page${index}`)))
    const outcomes = await Promise.all(
      texts.map((text) =>
        save(checkout, etag, text).then(
          () => text,
          (error: unknown) => refusal(Promise.reject(error as Error)),
        ),
      ),
    )
    const winners = outcomes.filter((outcome) => typeof outcome === "string")
    expect(winners).toEqual([bytes(FILE).toString()])
    for (const outcome of outcomes)
      if (typeof outcome !== "string")
        expect(outcome).toMatchObject({ status: 409, current: { text: winners[0] } })
  })

  it("of two apps with one project lose no save", async () => {
    const one = await openFiles(shop)
    const two = await openFiles(one.root)
    const { etag } = await one.load(checkout)
    const text = formatJson(workflow("one"))
    const [first, second] = await Promise.all(
      [one, two].map(({ save }, index) =>
        refusal(save(checkout, etag, index === 0 ? text : formatJson(workflow("two")))),
      ),
    )
    expect([first, second].filter((error) => error === undefined)).toHaveLength(1)
    expect([first, second]).toContainEqual(expect.objectContaining({ status: 409 }))
  })
})

describe("the command line", () => {
  it("and a page that save one file at once keep both changes", async () => {
    const { edit, bytes, root, put } = await openFiles(shop)
    const schema = JSON.parse(JSON.stringify(shop["apis/shop/environments/schema.json"])) as {
      variables: Record<string, unknown>
    }
    for (const name of ["a", "b", "c", "d"]) schema.variables[name] = { type: "number", required: false }
    await put({ "apis/shop/environments/schema.json": schema })
    const commands = ["a", "b"].map((name) =>
      callsheet(["env", "write", "shop", "local", `${name}=1`], { folder: root }),
    )
    const state = { isOver: false }
    const over = Promise.all(commands).finally(() => (state.isOver = true))
    let conflicts = 0
    // The commands may be over before the page's first save succeeds.
    let lastSaved = 0
    for (let count = 1; !state.isOver || lastSaved === 0; count++) {
      const saved = edit(local, (text) => formatJson({ ...(JSON.parse(text) as object), c: count }))
      const error = await refusal(saved)
      if (error === undefined) lastSaved = count
      else {
        expect(error).toMatchObject({ status: 409 })
        conflicts++
      }
    }
    expect((await over).map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const values = JSON.parse(bytes(LOCAL).toString()) as Record<string, number>
    expect([values["a"], values["b"], values["c"]]).toEqual([1, 1, lastSaved])
    expect(conflicts).toBeLessThan(1000)
  })
})

describe("an editor", () => {
  const theirs = formatJson(workflow("theirs"))
  const ways: readonly (readonly [string, (path: string) => void])[] = [
    ["by rename", (path) => (writeFileSync(`${path}.swp`, theirs), renameSync(`${path}.swp`, path))],
    ["in place", (path) => (truncateSync(path), appendFileSync(path, theirs))],
    ["after it was deleted", (path) => (rmSync(path), writeFileSync(path, theirs))],
  ]
  it.each(ways)("that writes %s is never overwritten", async (_, write) => {
    const { load, save, path, bytes } = await openFiles(shop)
    const { etag } = await load(checkout)
    write(path(FILE))
    const error = await refusal(save(checkout, etag, formatJson(workflow("ours"))))
    expect(error).toMatchObject({ status: 409, current: { text: theirs } })
    expect(bytes(FILE).toString()).toBe(theirs)
  })

  it("that writes between the check of a file and its replacement is never overwritten", async () => {
    const project = await openFiles(shop)
    const { etag } = await project.load(checkout)
    let met = 0
    const disk = faultyDisk(({ name }) => {
      // Our text is in a temporary file, about to replace the file.
      if (name === "writeSync" && met++ === 0) writeFileSync(project.path(FILE), theirs)
    })
    const { save } = await openFiles(project.root, { write: { disk } })
    const error = await refusal(save(checkout, etag, formatJson(workflow("ours"))))
    expect(error).toMatchObject({ status: 409, current: { text: theirs } })
    expect(project.bytes(FILE).toString()).toBe(theirs)
    expect(readdirSync(project.path("apis/workflow"))).toEqual(["checkout.json"])
  })
})

describe("a disk", () => {
  const created: FileName = { kind: "request", api: "shop", resource: "new", request: "mine" }
  const cases: readonly (readonly [FileName, string])[] = [
    [checkout, formatJson(workflow("ours"))],
    [created, '{"version":1,"operation":"listOrders"}'],
  ]

  it.each(cases)("that fails any call keeps every byte, and the draft: %j", async (file, text) => {
    const saveOn = async (disk: Disk) => {
      const project = await openFiles(shop, { write: { disk } })
      const { etag } = file === created ? { etag: null } : await project.load(file)
      await project.keep(file, etag, text)
      return { project, error: await refusal(project.save(file, etag, text)) }
    }
    const calls = await countCalls(saveOn)
    const codes = new Set<string>()
    for (let at = 1; at <= calls; at++) {
      const { project, error } = await saveOn(
        faultyDisk(({ number }) => {
          if (number === at) throw diskError("ENOSPC")
        }),
      )
      const found = await project.load(file)
      if (error === undefined) expect(found.text).toBe(text)
      else {
        codes.add((error as { code: string }).code)
        expect([at, found.draft?.text]).toEqual([at, text])
        expect(found.text).not.toBe(text)
      }
      const names = readdirSync(project.root, { recursive: true, encoding: "utf8" })
      // A disk that can't remove files leaves a temporary one, which git ignores and the next change removes.
      expect(names.filter((name) => name.endsWith("requests/new") && found.etag === null)).toEqual([])
    }
    expect([...codes]).toEqual(["write-failed"])
  })
})

describe("a run", () => {
  it("uses the files as read at its start, whatever is saved meanwhile", async () => {
    const deferred: (() => void)[] = []
    const runs = await openRuns({
      routes: {
        "GET /orders": async () => {
          await new Promise<void>((resolve) => void deferred.push(resolve))
          return { body: [] }
        },
      },
      files: (url) => ({
        ...shop,
        "apis/shop/environments/local.json": { baseUrl: url },
        "apis/workflow/w.json": workflow("first", "second"),
      }),
    })
    const { edit } = await openFiles(runs.root)
    const run = await runs.start()
    await until(() => deferred.length === 1)
    await edit({ kind: "workflow", workflow: "w" }, () => formatJson(workflow("other")))
    deferred[0]?.()
    await until(() => deferred.length === 2)
    deferred[1]?.()
    await runs.done(run)
    const { report } = await runs.read(run)
    expect(report.runs[0]?.blocks.map(({ id, status }) => [id, status])).toEqual([
      ["first", "passed"],
      ["second", "passed"],
    ])
  })
})
