// What running from the page asks and offers beside the run itself.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindings, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startRunProject, type RunProject } from "./run-project.ts"

describe.runIf(hasBrowser)("running from the page", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    project = await startRunProject()
  })
  afterAll(() => project.close())

  const openWorkflow = async (workflow: string, colorScheme: "light" | "dark" = "light"): Promise<Page> => {
    const page = await open(await project.link(), { colorScheme })
    page.setDefaultTimeout(10_000)
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await page.evaluate((to) => (window.location.hash = to), `#/workflows/${workflow}`)
    await page.getByRole("form", { name: "Run" }).waitFor()
    return page
  }

  it("asks before scripts that nobody has said yes to: Cancel is what Enter does, and it asks once (SR-16)", async () => {
    const page = await openWorkflow("scripted")
    await page.keyboard.press("Control+Enter")
    const dialog = page.getByRole("dialog", { name: "Run new scripts?" })
    await dialog.getByText("apis/workflow/scripts/scripted/greet.ts").waitFor()
    await dialog.getByText("apis/workflow/scripts/scripted/word.ts").waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel")
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press("Control+Enter")
    expect(await dialog.isVisible()).toBe(true)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    expect(await page.locator(".history-run").count()).toBe(0)
    await page.keyboard.press("Control+Enter")
    await dialog.getByRole("button", { name: "I trust them, run" }).click()
    await ended(page, "passed")
    await page.getByText("hello from a script").waitFor()
    await page.keyboard.press("Control+Enter")
    await expect.poll(() => page.locator(".history-run").count()).toBe(2)
    expect(await dialog.count()).toBe(0)
  })
})

const ended = (page: Page, status: string): Promise<void> =>
  page.locator(".run-summary .outcome", { hasText: status }).waitFor()
