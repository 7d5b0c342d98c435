// The map of a workflow: blocks, their order and outcomes, the values of the selected block, and 300 blocks at once.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const transform = (id: string, from: string) => ({ id, type: "transform", transforms: { value: from } })
const many = Array.from({ length: 30 }, (_, group) => ({
  id: `step-${group}`,
  type: "group",
  blocks: Array.from({ length: 9 }, (__, at) =>
    transform(`value-${group}-${at}`, at === 0 ? "start.value" : `value-${group}-${at - 1}.value`),
  ),
}))
const files = {
  "apis/shop/requests/orders/pay.json": {
    version: 1,
    method: "POST",
    path: "/pay",
    body: { sku: "{{start.value}}" },
  },
  "apis/workflow/small.json": {
    version: 1,
    inputs: { sku: { type: "string", default: "a" } },
    onFailure: "continue",
    blocks: [
      transform("start", "sku"),
      {
        id: "is-set",
        type: "condition",
        if: { source: "start.value", operator: "exists" },
        then: [transform("yes", "start.value")],
        else: [transform("no", "sku")],
      },
      { id: "check", type: "assert", assertions: [{ source: "yes.value", operator: "equals", value: "b" }] },
    ],
  },
  "apis/workflow/saved.json": {
    version: 1,
    inputs: { sku: { type: "string", default: "a" } },
    blocks: [
      transform("start", "sku"),
      { id: "pay", type: "request", request: { api: "shop", resource: "orders", instance: "pay" } },
    ],
  },
  "apis/workflow/large.json": {
    version: 1,
    inputs: { sku: { type: "string", default: "a" } },
    blocks: [transform("start", "sku"), ...many],
  },
}

describe.runIf(hasBrowser)("the map of a workflow", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())

  const mapOf = (page: Page) => page.getByRole("tree", { name: "Map of the workflow" })
  const openMap = async (workflow: string): Promise<Page> => {
    const page = await open(await project.link())
    await page.setViewportSize({ width: 1280, height: 800 })
    await showPlace(page, `#/workflows/${workflow}`)
    await page.getByRole("tab", { name: "Map" }).click()
    await mapOf(page).waitFor()
    return page
  }
  const box = (page: Page, id: string) =>
    mapOf(page)
      .getByRole("treeitem")
      .and(page.getByTitle(id, { exact: true }))
  const links = (page: Page) => page.locator(".map-links")

  it("shows branches, outcomes and values, is used with the keyboard, and leads to the editor", async () => {
    const page = await openMap("small")
    await expect.poll(() => page.locator(".map-step").count()).toBe(2)
    const [yes, no] = await Promise.all(["yes", "no"].map((id) => box(page, id).boundingBox()))
    expect(yes?.y).toBe(no?.y)
    await mapOf(page).focus()
    await page.keyboard.press("Home")
    await expect
      .poll(() => links(page).textContent())
      .toBe("start: reads no other block; read by is-set, yes.")
    await expect.poll(() => page.locator(".map-link").count()).toBe(2)
    for (const key of ["End", "ArrowUp", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key)
    await expect.poll(() => links(page).textContent()).toBe("yes: reads start (start.value); read by check.")
    await page.keyboard.press("Control+Enter")
    await page.locator(".map-box.map-failed").getByText("check").waitFor()
    await page.locator(".map-box.map-skipped").getByText("no", { exact: true }).waitFor()

    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.keyboard.press("Home")
    await page.keyboard.press("Enter")
    await page.getByRole("tab", { name: "Editor", selected: true }).waitFor()
    await page
      .getByRole("tree", { name: "Blocks" })
      .getByRole("treeitem", { selected: true })
      .getByText("start", { exact: true })
      .waitFor()
    await page.getByRole("tab", { name: "Map" }).click()
    await box(page, "check").click()
    await page
      .getByRole("tree", { name: "Blocks" })
      .getByRole("treeitem", { selected: true })
      .getByText("check", { exact: true })
      .waitFor()
    await showPlace(page, "#/workflows/saved")
    await page.getByRole("tab", { name: "Map" }).click()
    await box(page, "start").hover()
    await expect.poll(() => links(page).textContent()).toBe("start: reads no other block; read by pay.")
  })

  it("shows 300 blocks without more than two screens to scroll, and all of them when fitted", async () => {
    const page = await openMap("large")
    await expect.poll(() => mapOf(page).getByRole("treeitem").count()).toBe(301)
    const view = page.locator(".map-view")
    const overflow = () =>
      view.evaluate((tree) => {
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = tree as unknown as Record<
          string,
          number
        >
        return [(scrollWidth ?? 0) / (clientWidth ?? 1), (scrollHeight ?? 0) / (clientHeight ?? 1)]
      })
    for (const ratio of await overflow()) expect(ratio).toBeLessThan(2.2)
    await mapOf(page).focus()
    for (const key of ["Home", "ArrowDown", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key)
    await expect
      .poll(() => links(page).textContent())
      .toContain("value-0-1: reads value-0-0 (value-0-0.value)")
    await expect.poll(() => page.locator(".map-link").count()).toBe(2)

    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await expect.poll(() => mapOf(page).getByRole("treeitem").count()).toBe(292)
    await page.getByRole("button", { name: "Fit" }).click()
    for (const ratio of await overflow()) expect(ratio).toBeLessThanOrEqual(1.01)
  })
})
