import { execFile } from "node:child_process"
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { makeFolder, openProject } from "./open-project.ts"
import { document, shop, workflow } from "./shop.ts"

const run = promisify(execFile)

/** An editor may first write only this part. */
const half = '{"version": 1, "blocks": [{"id": "one", "ty'

describe("changes by other programs", () => {
  it("are shown after the command line has written them", async () => {
    const { root, read, until } = await openProject(shop)
    expect((await read()).apis[0]?.environments).toHaveLength(2)
    const shown = until(async () => (await read()).apis[0]?.environments.length === 3)
    const { exitCode, stderr } = await callsheet(
      ["env", "write", "shop", "test", "baseUrl=http://127.0.0.1:2"],
      {
        folder: root,
      },
    )
    expect(exitCode, stderr).toBe(0)
    await shown
  })

  it("are reported within a second", async () => {
    const { root, read, until } = await openProject(shop)
    await read()
    // The machine may be busy, so the best of a few measurements counts.
    const tookMs: number[] = []
    for (const name of ["a", "b", "c", "d", "e"]) {
      const start = performance.now()
      const shown = until(async () => (await read()).workflows.some((one) => one.name === name))
      writeFileSync(join(root, `apis/workflow/${name}.json`), JSON.stringify(workflow("one")))
      await shown
      tookMs.push(performance.now() - start)
    }
    expect(Math.min(...tookMs)).toBeLessThan(1000)
  })
})

describe("a change", () => {
  const blocksOf = async (project: Awaited<ReturnType<typeof openProject>>): Promise<number | undefined> =>
    (await project.read()).workflows.find(({ name }) => name === "checkout")?.blocks

  it("by rename", async () => {
    const project = await openProject(shop)
    expect(await blocksOf(project)).toBe(3)
    for (const count of [1, 2, 5]) {
      const shown = project.until(async () => (await blocksOf(project)) === count)
      const ids = Array.from({ length: count }, (_, index) => `b${index}`)
      writeFileSync(join(project.root, "apis/workflow/.checkout.json.swp"), JSON.stringify(workflow(...ids)))
      renameSync(
        join(project.root, "apis/workflow/.checkout.json.swp"),
        join(project.root, "apis/workflow/checkout.json"),
      )
      await shown
    }
  })

  it("in two parts: problems in between, and none when it is complete", async () => {
    const project = await openProject(shop)
    const file = join(project.root, "apis/workflow/checkout.json")
    expect(await project.problems()).toEqual([])
    const broken = project.until(async () => (await project.problems()).length > 0)
    writeFileSync(file, half)
    await broken
    expect(await project.problems()).toMatchObject([
      { code: "json-syntax", file: "apis/workflow/checkout.json" },
    ])
    expect((await project.read()).workflows).toEqual([{ name: "checkout", apis: [] }])
    const whole = project.until(async () => (await project.problems()).length === 0)
    appendFileSync(file, 'pe": "request", "request": {"api": "shop", "operation": "listOrders"}}]}')
    await whole
    expect(await blocksOf(project)).toBe(1)
  })

  it("to 200 files by git, there and back", async () => {
    const many = (...ids: string[]) =>
      Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`apis/workflow/w${index}.json`, workflow(...ids)]),
      )
    const root = await makeFolder({ ...shop, ...many("one") })
    const git = (...words: string[]) =>
      run("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/nowhere", ...words], {
        cwd: root,
      })
    await git("init", "-q")
    await git("add", "-A")
    await git("commit", "-qm", "one")
    await git("checkout", "-qb", "other")
    const project = await openProject(root)
    await project.put(many("one", "two"))
    await git("commit", "-qam", "two")
    const isAll = async (blocks: number) => {
      const found = (await project.read()).workflows.filter(({ name }) => /^w\d/.test(name))
      return found.length === 200 && found.every((one) => one.blocks === blocks)
    }
    for (const [branch, blocks] of [
      ["-", 1],
      ["other", 2],
    ] as const) {
      const shown = project.until(() => isAll(blocks))
      await git("checkout", "-q", branch)
      // git reports its work in a few events, and the page requests no more often than that.
      expect((await shown).length).toBeLessThan(50)
    }
    expect(await project.problems()).toEqual([])
  })

  it("of a directory deleted and created again, and of apis/ itself", async () => {
    const project = await openProject(shop)
    const count = async () => (await project.read()).apis.length + (await project.read()).workflows.length
    expect(await count()).toBe(2)
    for (const folder of ["apis/shop", "apis"]) {
      const gone = project.until(async () => (await count()) < 2)
      rmSync(join(project.root, folder), { recursive: true })
      await gone
      const back = project.until(async () => (await count()) === 2)
      await project.put(shop)
      await back
      const changed = project.until(async () => (await project.read()).apis[0]?.environments.length === 3)
      await project.put({ "apis/shop/environments/third.json": {} })
      await changed
    }
  })
})

describe("a project that changes while it is read", () => {
  it("is never shown as a mix of two states", async () => {
    // The blocks of every file show the state in which the file was written.
    const at = (ids: readonly string[]) =>
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`apis/workflow/w${index}.json`, workflow(...ids)]),
      )
    const project = await openProject({ ...shop, ...at(["a"]) })
    await project.read()
    for (let count = 2; count < 8; count++) {
      const ids = Array.from({ length: count }, (_, index) => `b${index}`)
      const shown = project.until(async () => {
        const blocks = (await project.read()).workflows
          .filter(({ name }) => name !== "checkout")
          .map((one) => one.blocks)
        expect(new Set(blocks).size).toBe(1)
        return blocks[0] === count
      })
      for (const [file, content] of Object.entries(at(ids))) {
        writeFileSync(join(project.root, file), JSON.stringify(content))
      }
      await shown
    }
  })
})

describe("links out of the project", () => {
  it("are neither listed nor read, and are reported as problems", async () => {
    const outside = await makeFolder({
      "api/openapi.json": document,
      "leaked.json": { version: 1, description: "outside-canary", method: "GET", path: "/outside-canary" },
      "flow.json": { version: 1, blocks: [{ id: "outside-canary", type: "group", blocks: [] }] },
      "environment.json": { baseUrl: "http://outside-canary" },
    })
    const root = await makeFolder({ ...shop, "apis/bare/environments/local.json": {} })
    const link = (from: string, to: string): void => {
      mkdirSync(join(root, from, ".."), { recursive: true })
      symlinkSync(join(outside, to), join(root, from))
    }
    link("apis/linked", "api")
    link("apis/bare/openapi.json", "api/openapi.json")
    link("apis/shop/requests/orders/leaked.json", "leaked.json")
    link("apis/shop/requests/all", ".")
    link("apis/shop/environments/outside.json", "environment.json")
    link("apis/workflow/flow.json", "flow.json")
    const { read, problems, operations } = await openProject(root)
    const view = await read()
    expect(view.apis.map(({ name }) => name)).toEqual(["bare", "shop"])
    expect(view.apis[0]).not.toHaveProperty("document")
    expect(view.apis[1]?.environments.map(({ name }) => name)).toEqual(["live", "local"])
    expect(view.apis[1]?.requests.map(({ name }) => name)).toEqual(["mine", "raw"])
    expect(view.workflows.map(({ name }) => name)).toEqual(["checkout"])
    const found = await problems()
    expect(found.filter(({ code }) => code === "link-outside")).toHaveLength(6)
    const answers = [view, found, await operations("linked"), await operations("bare")]
    expect(answers.slice(2)).toMatchObject([{ operations: [] }, { operations: [] }])
    expect(JSON.stringify(answers)).not.toContain("outside-canary")
    expect(JSON.stringify(answers)).not.toContain(outside)
  })
})

describe("scripts", () => {
  it("are neither loaded nor run by any call", async () => {
    const root = await makeFolder({
      ...shop,
      "apis/workflow/scripted.json": {
        version: 1,
        blocks: [
          { id: "a", type: "script", script: { name: "mark", exportName: "mark" } },
          { id: "b", type: "script", script: { name: "mark", exportName: "gone" } },
        ],
      },
      "apis/workflow/scripts/scripted/mark.ts": `
        import { writeFileSync } from "node:fs"
        writeFileSync(new URL("./ran", import.meta.url), "")
        writeFileSync("MARK", "")
        export const mark = () => undefined
      `,
    })
    const { read, problems, operations } = await openProject(root)
    await Promise.all([read(), operations("shop")])
    // A missing export is known, so the script has been parsed.
    expect(await problems()).toMatchObject([{ code: "script-missing" }])
    expect(existsSync(join(root, "apis/workflow/scripts/scripted/ran"))).toBe(false)
    expect(existsSync(join(root, "MARK"))).toBe(false)
  })
})
