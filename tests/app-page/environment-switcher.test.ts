// The environment of the project: one choice for everything that is sent, with overrides, and never production by itself.

import type { Page } from "playwright-core"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startAuthenticationProject, type AuthenticationProject } from "./authentication-project.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"

/** The app stops before the browser does, and a request without a document has no operation to read. */
const expected = /net::ERR_|status of 40[04]/

describe.runIf(hasBrowser)("the environment of the project", () => {
  const { open } = useBrowser()
  let project: AuthenticationProject
  let page: Page
  beforeEach(async () => {
    project = await startAuthenticationProject()
    await project.write("apis/shop/environments/live.json", '{ "extends": "local", "level": "production" }')
    page = await open(await project.link(), { expected })
  })
  afterEach(() => project.close())

  const switcher = () => page.getByLabel("Environment", { exact: true })
  const menuOf = (of: string) => page.getByRole("button", { name: `Environment of ${of}` })
  const pick = (name: string) => page.getByRole("menuitemradio", { name, exact: true }).click()
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
  const scheme = () => page.getByRole("region", { name: "Authentication" })
  const health = "#/apis/shop/operations/GET/%2Fhealth"
  const orders = "#/apis/shop/operations/GET/%2Forders"

  it("is one choice for requests, workflows and the overview, and is remembered", async () => {
    await showPlace(page, health)
    await press("Send")
    await page.getByText("Choose an environment at the top right.").waitFor()
    await switcher().and(page.locator(":focus")).waitFor()
    await switcher().selectOption("staging")
    await press("Send")
    await page.getByText("answered with 200").waitFor()
    await showPlace(page, orders)
    await scheme().getByText("missing in staging").waitFor()
    // The environment is shown once.
    await expect.poll(() => page.getByRole("main").getByText("staging", { exact: true }).count()).toBe(0)
    await showPlace(page, "#/workflows/look")
    await press("Run")
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByText("shop: staging").first().waitFor()
    await page.getByText("callsheet run look --env shop=staging").waitFor()
    await page.reload()
    await expect.poll(() => switcher().inputValue()).toBe("staging")
    await showPlace(page, "#/")
    await press("Run all")
    await page.getByText(/^Ran 1 of 1/).waitFor()
    await showPlace(page, "#/workflows/look")
    await page.getByRole("tab", { name: "Runs" }).click()
    await expect.poll(() => page.locator(".history-run", { hasText: "shop: staging" }).count()).toBe(2)
  })

  it("is overridden for an API and for a workflow, and both say so", async () => {
    await showPlace(page, orders)
    await switcher().selectOption("staging")
    await menuOf("shop").click()
    await pick("local")
    await scheme().getByText("missing in local").waitFor()
    await menuOf("shop: local").and(page.locator(":focus")).waitFor()
    await press("1 API differs")
    const dialog = page.getByRole("dialog", { name: "Environments by API" })
    await expect.poll(() => dialog.getByLabel("shop").inputValue()).toBe("local")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog.getByLabel("shop").selectOption("As the project")
    await page.keyboard.press("Escape")
    await scheme().getByText("missing in staging").waitFor()
    await showPlace(page, "#/workflows/look")
    await menuOf("this workflow").click()
    await page.keyboard.press("End")
    await page.keyboard.press("Escape")
    await menuOf("this workflow").and(page.locator(":focus")).waitFor()
    await menuOf("this workflow").click()
    await pick("local")
    await menuOf("this workflow: local").waitFor()
    await page.reload()
    await menuOf("this workflow: local").waitFor()
    await press("Run")
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByText("shop: local").first().waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await menuOf("this workflow: local").click()
    await pick("As the project")
    await page.getByText("callsheet run look --env shop=staging").waitFor()
  })

  it("is production only until the page is reloaded, and production still asks", async () => {
    await showPlace(page, health)
    await switcher().selectOption("live")
    await expect.poll(() => switcher().getAttribute("data-level")).toBe("production")
    await press("Send")
    const dialog = page.getByRole("dialog", { name: "Send to production?" })
    await dialog.getByLabel("Type live to send").fill("live")
    await dialog.getByRole("button", { name: "Send to production" }).click()
    await page.getByText("answered with 200").waitFor()
    await showPlace(page, "#/workflows/look")
    await menuOf("this workflow").click()
    await pick("live (production)")
    await menuOf("this workflow: live").waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("live")
    await page.reload()
    await menuOf("this workflow").waitFor()
    await expect.poll(() => switcher().inputValue()).toBe("")
    await expect.poll(() => menuOf("this workflow: live").count()).toBe(0)
  })

  it("is changed by the palette", async () => {
    const command = async (text: string): Promise<void> => {
      await page.keyboard.press("Control+k")
      const palette = page.getByRole("dialog", { name: "Go to" })
      await palette.getByRole("combobox").fill(text)
      // Until the list is filtered, its first option is a page.
      await expect.poll(() => palette.getByRole("option").first().textContent()).toContain(text)
      await page.keyboard.press("Enter")
    }
    await showPlace(page, orders)
    await command("Change the environment to staging")
    await scheme().getByText("missing in staging").waitFor()
    await command("Change the environment")
    await switcher().and(page.locator(":focus")).waitFor()
  })
})
