// A workflow of 5,000 blocks and one nested 500 deep: edited and navigated.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import { saveState, showPlace, startEditProject, type EditProject } from "../edit-project.ts"
import { expectNoDelay } from "./input-delays.ts"

const many = 5000
const request = (index: number) => ({
  id: `request-${index}`,
  type: "request",
  description: `Does the thing that has the number ${index}`,
  request: { api: "shop", operation: "listOrders", overrides: { params: { query: { page: `${index}` } } } },
})
const large = {
  version: 1,
  blocks: Array.from({ length: many / 10 }, (_, group) => ({
    id: `group-${group}`,
    type: "group",
    blocks: Array.from({ length: 9 }, (_, index) => request(group * 9 + index)),
  })),
}
const nested = (depth: number): unknown =>
  depth === 0 ? request(0) : { id: `level-${depth}`, type: "group", blocks: [nested(depth - 1)] }
const deep = { version: 1, blocks: [nested(500)] }

const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/orders": { get: { operationId: "listOrders", responses: { "200": { description: "ok" } } } } },
  },
  "apis/workflow/large.json": large,
  "apis/workflow/deep.json": deep,
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

describe.runIf(hasBrowser)("a large workflow", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())
  const openFlow = async (name: string): Promise<Page> => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("treeitem", { name, exact: true }).waitFor()
    const start = performance.now()
    await showPlace(page, `#/workflows/${name}`)
    await page.getByRole("tree", { name: "Blocks" }).waitFor()
    print(`The editor of ${name} is there after ${(performance.now() - start).toFixed(0)} ms`)
    return page
  }

  it("is selected, typed in, moved and dragged without delay, and keeps the DOM small", async () => {
    const page = await openFlow("large")
    const rows = page.locator(".wf-row")
    await rows.nth(1).click()
    await page.getByRole("textbox", { name: "Id" }).waitFor()
    await expectNoDelay(page, "walking", async () => {
      await page.getByRole("tree", { name: "Blocks" }).focus()
      for (let steps = 0; steps < 15; steps++) await page.keyboard.press("ArrowDown")
    })
    await expectNoDelay(page, "typing an id", async () => {
      await page.getByRole("textbox", { name: "Id" }).click()
      await page.keyboard.type("-longer", { delay: 30 })
      await page.keyboard.press("Enter")
    })
    await expectNoDelay(page, "typing a description", async () => {
      await page.getByRole("textbox", { name: "Description" }).click()
      await page.keyboard.type("and more of it", { delay: 60 })
    })
    await expectNoDelay(page, "typing a placeholder", async () => {
      await page.getByRole("combobox", { name: "query page" }).focus()
      await page.keyboard.press("End")
      await page.keyboard.type(" {{request-0.response.body.0.id}}", { delay: 60 })
    })
    await expectNoDelay(page, "moving and duplicating", async () => {
      await page.getByRole("tree", { name: "Blocks" }).focus()
      for (const keys of ["Alt+ArrowDown", "Alt+ArrowUp", "Control+d", "Delete", "Control+z"])
        await page.keyboard.press(keys)
    })
    const [from, to] = [await rows.nth(4).boundingBox(), await rows.nth(9).boundingBox()]
    if (from === null || to === null) throw new Error("a row is not visible")
    await expectNoDelay(page, "dragging", async () => {
      await page.mouse.move(from.x + 160, from.y + 20)
      await page.mouse.down()
      await page.mouse.move(to.x + 170, to.y + 4, { steps: 20 })
      await page.mouse.up()
    })
    expect(await page.locator("*").count()).toBeLessThan(2000)
    await page.getByRole("tree", { name: "Blocks" }).focus()
    await page.keyboard.press("End")
    await page
      .getByRole("treeitem")
      .filter({ hasText: `request-${(many / 10) * 9 - 1}` })
      .waitFor()
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent(), { timeout: 10_000 }).toBe("Saved")
  })

  it("nested 500 deep is navigated to its end and edited there", async () => {
    const page = await openFlow("deep")
    await page.getByRole("tree", { name: "Blocks" }).focus()
    await page.keyboard.press("End")
    await page.getByRole("textbox", { name: "Id" }).waitFor()
    expect(await page.getByRole("textbox", { name: "Id" }).inputValue()).toBe("request-0")
    await expectNoDelay(page, "moving out of the 500th level", async () => {
      await page.keyboard.press("Alt+ArrowLeft")
    })
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent(), { timeout: 10_000 }).toBe("Saved")
    expect(await project.read("apis/workflow/deep.json")).toContain('"id": "request-0"')
  })
})
