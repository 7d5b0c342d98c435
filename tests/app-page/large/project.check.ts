// 12,000 operations: searched, navigated, and painted for the first time.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser } from "../chromium.ts"
import { useBrowser } from "../browser.ts"
import { expectNoDelay } from "./input-delays.ts"
import { serveProject, smallProject, type ProjectContent, type TestProject } from "../test-project.ts"

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

describe.runIf(hasBrowser)("a project of 12,000 operations", () => {
  const { open } = useBrowser()
  let served: TestProject
  beforeAll(async () => {
    served = await serveProject(large)
  })
  afterAll(() => served.app.close())

  it("is searched without delay, and keeps the DOM small", async () => {
    const page = await open(served.app.makeLink("anyone"))
    const search = page.getByRole("combobox", { name: "Search" })
    await search.fill("part-11999")
    await expect.poll(() => page.getByRole("option").first().textContent()).toContain("/part-11999")
    await search.fill("")
    await expectNoDelay(page, "searching 12,000 operations", async () => {
      for (const query of ["get resource-12", "operation1", "number 77", "zzz"]) {
        await search.pressSequentially(query, { delay: 20 })
        await search.fill("")
      }
    })
    await search.fill("part")
    expect(await page.locator("*").count()).toBeLessThan(1500)
  })

  it("is navigated to its end", async () => {
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
