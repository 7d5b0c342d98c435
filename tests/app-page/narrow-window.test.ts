// The page in a narrow window, such as one of 1440 by 900 at 200 % zoom.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { serveProject, smallProject, type TestProject } from "./test-project.ts"

describe.runIf(hasBrowser)("a window of 720 by 450", () => {
  const { open } = useBrowser()
  let project: TestProject
  beforeAll(async () => {
    project = await serveProject(smallProject)
  })
  afterAll(() => project.app.close())

  const opened = async (): Promise<Page> => {
    const page = await open(project.app.makeLink("anyone"), { viewport: { width: 720, height: 450 } })
    await page.getByRole("button", { name: "Show the sidebar" }).waitFor()
    return page
  }
  const sidebar = (page: Page) => page.getByRole("dialog", { name: "Sidebar" })

  it("shows the sidebar on demand, until a row is opened", async () => {
    const page = await opened()
    await expect.poll(() => page.getByRole("navigation", { name: "Project" }).count()).toBe(0)
    await page.getByRole("button", { name: "Show the sidebar" }).click()
    await sidebar(page).getByRole("treeitem", { name: "checkout" }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await sidebar(page).getByRole("treeitem", { name: "checkout" }).click()
    await page.getByRole("heading", { level: 1, name: "checkout" }).waitFor()
    await sidebar(page).waitFor({ state: "detached" })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main")
  })

  it("shows the search for its key, and returns the focus", async () => {
    const page = await opened()
    await page.getByRole("button", { name: "Show the sidebar" }).focus()
    await page.keyboard.press("/")
    await page.keyboard.insertText("checkout")
    await sidebar(page).getByRole("option", { name: "checkout" }).waitFor()
    await page.keyboard.press("Escape")
    await sidebar(page).getByRole("tree").waitFor()
    await page.keyboard.press("Escape")
    await sidebar(page).waitFor({ state: "detached" })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Show the sidebar")
  })
})
