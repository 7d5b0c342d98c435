// The layout of the page: panes, and what is on the screen together.

import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"
import { startViewsProject, type ViewsProject } from "./views/views-project.ts"

const expected = /Failed to load resource/

describe.runIf(hasBrowser)("the workbench", () => {
  const { open } = useBrowser()
  let project: ViewsProject
  let page: Page
  beforeAll(async () => {
    project = await startViewsProject()
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    page = await open(await project.link(), { expected })
    page.setDefaultTimeout(10_000)
    await page.getByRole("tree", { name: "Project" }).waitFor()
  })

  const bar = (name: string): Locator => page.getByRole("separator", { name })
  const main = (): Locator => page.getByRole("main")
  const widthOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.width ?? 0
  const sendGift = async (): Promise<void> => {
    await showPlace(page, "#/apis/shop/requests/orders/gift")
    await page.getByLabel("shop environment").selectOption("local")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("region", { name: "Response" }).getByRole("tab", { name: "Raw" }).waitFor()
  }

  it("has panes that are resized by mouse and keyboard, remembered, and reset by a double-click", async () => {
    const sidebar = page.getByRole("navigation", { name: "Project" })
    const first = await widthOf(sidebar)
    const box = await bar("Resize the sidebar").boundingBox()
    if (box === null) throw new Error("the bar is not shown")
    await page.mouse.move(box.x, 400)
    await page.mouse.down()
    await page.mouse.move(box.x + 100, 400, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => widthOf(sidebar)).toBe(first + 100)
    await bar("Resize the sidebar").focus()
    await page.keyboard.press("ArrowRight")
    await expect.poll(() => widthOf(sidebar)).toBeGreaterThan(first + 110)
    const kept = await widthOf(sidebar)
    await page.reload()
    await expect.poll(() => widthOf(sidebar)).toBe(kept)
    await bar("Resize the sidebar").dblclick({ position: { x: 0, y: 300 } })
    await expect.poll(() => widthOf(sidebar)).toBe(first)
  })

  it("shows a request and its response together, at every usual size, without scrolling the page", async () => {
    for (const [width, height] of [
      [1280, 800],
      [1440, 900],
      [1920, 1080],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height })
      await sendGift()
      const parts = [
        page.getByRole("button", { name: "Send", exact: true }),
        page.getByLabel("shop environment"),
        main().getByRole("combobox", { name: "Operation" }),
        page.getByText("401", { exact: true }).first(),
        page.getByRole("region", { name: "Response" }).getByText('"Unauthorized"'),
      ]
      for (const part of parts) {
        const box = await part.boundingBox()
        expect(box, `${width}: ${String(part)}`).not.toBeNull()
        expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= height, String(part)).toBe(true)
      }
      const overflow = await main().evaluate((element) => element.scrollHeight - element.clientHeight)
      expect(overflow, `${width}: main scrolls`).toBeLessThanOrEqual(0)
      const [form, result] = await Promise.all(
        ["#request-form", "#request-result"].map((pane) => page.locator(pane).boundingBox()),
      )
      if (width > 1024) expect(result?.y).toBe(form?.y)
      else expect(result?.y).toBeGreaterThan(form?.y ?? Infinity)
    }
  })

  it("has a bar with method, resolved URL, environment and Send on requests and operations", async () => {
    await sendGift()
    const form = page.getByRole("form", { name: "Send" })
    expect(await form.textContent()).toMatch(/^POSThttp:\/\/127\.0\.0\.1:\d+\/orders/)
    await showPlace(page, "#/apis/shop/operations/GET/%2Forders%2F%7BorderId%7D")
    await page.getByRole("combobox", { name: "orderId" }).fill("o-7")
    await form.getByText(/^http:\/\/127\.0\.0\.1:\d+\/orders\/o-7$/).waitFor()
    await page.getByRole("tab", { name: "Docs" }).click()
    for (const part of ["Authentication", "Parameters", "Response 200"])
      await main().getByRole("heading", { name: part, exact: true }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
  })
})
