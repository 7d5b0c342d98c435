// 12,000 operations, and the speed of the page: figures are printed, and bounded generously.

import { gzipSync } from "node:zlib"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { useBrowser } from "./browser.ts"
import { readDelays, watchDelays } from "./input-delays.ts"
import {
  pageFolder,
  serveProject,
  smallProject,
  type ProjectContent,
  type TestProject,
} from "./test-project.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const operations = Array.from({ length: 12_000 }, (_, index) => ({
  name: `operation${index}`,
  method: methods[index % 5] ?? "GET",
  path: `/resource-${index % 400}/{id}/part-${index}`,
  resources: [`resource-${index % 400}`],
  summary: `Does the thing that has the number ${index} to every part of the resource`,
}))

const large: ProjectContent = { ...smallProject, operations: { shop: operations } }

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

describe("the built page", () => {
  it("is small, and the code editor comes on top only when it is opened", () => {
    const first = firstFiles()
    const all = readdirSync(pageFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(pageFolder, join(entry.parentPath, entry.name)))
    const [before, later] = [sizeOf(first), sizeOf(all.filter((file) => !first.includes(file)))]
    print(`The page: ${before.toFixed(1)} kB compressed, and ${later.toFixed(1)} kB with the code editor`)
    expect(before).toBeLessThan(300)
    expect(later).toBeGreaterThan(100)
    expect(later).toBeLessThan(220)
  })
})

/** What a browser loads when it opens the page: what it names, and what that imports. */
function firstFiles(): readonly string[] {
  const page = readFileSync(join(pageFolder, "index.html"), "utf8")
  const files = [
    "index.html",
    ...[...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file ?? ""),
  ]
  for (const file of files) {
    if (!file.endsWith(".js")) continue
    const imports = readFileSync(join(pageFolder, file), "utf8").matchAll(
      /(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g,
    )
    files.push(
      ...[...imports]
        .map(([, name]) => join(dirname(file), name ?? ""))
        .filter((name) => !files.includes(name)),
    )
  }
  return files
}

/** In kB, compressed one by one. */
const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(pageFolder, file))).length, 0) / 1000

describe.runIf(hasBrowser)("a project of 12,000 operations", () => {
  const { open } = useBrowser()
  let served: TestProject
  beforeAll(async () => {
    served = await serveProject(large)
  })
  afterAll(() => served.app.close())

  it("is searched without delay, and keeps the page small", async () => {
    const page = await open(served.app.makeLink("anyone"))
    const search = page.getByRole("combobox", { name: "Search" })
    await search.fill("part-11999")
    await expect.poll(() => page.getByRole("option").count()).toBe(1)
    await search.fill("")
    await watchDelays(page)
    for (const query of ["get resource-12", "operation1", "number 77", "zzz"]) {
      await search.pressSequentially(query, { delay: 20 })
      await search.fill("")
    }
    const delays = await readDelays(page)
    const longest = Math.max(...delays)
    print(`Input delay with 12,000 operations: longest of ${delays.length} events ${longest} ms`)
    expect(longest).toBeLessThan(400)
    await search.fill("part")
    expect(await page.locator("*").count()).toBeLessThan(1500)
  })

  it("is walked through to its end", async () => {
    const page = await open(served.app.makeLink("anyone"))
    await page.getByRole("treeitem", { name: "resource-0" }).first().click()
    await page.getByRole("tree").focus()
    await page.keyboard.press("End")
    await page.getByRole("treeitem", { name: "mail" }).waitFor()
    const shown = await page.getByRole("treeitem").count()
    expect(shown).toBeLessThan(80)
  })

  it("is painted soon after its link is opened", async () => {
    const page = await open("about:blank")
    const blank: number[] = []
    const painted: number[] = []
    for (let round = 0; round < 3; round++) {
      blank.push(await timed(() => page.goto("about:blank")))
      const link = served.app.makeLink("anyone")
      painted.push(
        await timed(async () => {
          await page.goto(link)
          await page.getByRole("heading", { name: "webshop" }).waitFor()
        }),
      )
    }
    const [first, other] = [Math.min(...painted), Math.min(...blank)]
    print(
      `First useful paint: ${first.toFixed(0)} ms, ${(first / other).toFixed(1)} times about:blank (${other.toFixed(0)} ms)`,
    )
    expect(first).toBeLessThan(5000)
  })
})

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await act()
  return performance.now() - start
}
