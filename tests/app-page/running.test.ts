// Checks questions, notices and links around runs that start on the page.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startRunProject, type RunProject } from "./run-project.ts"
import { chooseEnvironment } from "./edit-project.ts"

describe.runIf(hasBrowser)("running from the page", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    project = await startRunProject()
  })
  afterAll(() => project.close())

  const openWorkflow = async (workflow: string, expected?: RegExp): Promise<Page> => {
    const page = await open(await project.link(), expected === undefined ? {} : { expected })
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await page.evaluate((to) => (window.location.hash = to), `#/workflows/${workflow}`)
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByRole("form", { name: "Run" }).waitFor()
    return page
  }

  it("asks before running unapproved scripts: Enter cancels, and it asks once", async () => {
    const page = await openWorkflow("scripted")
    await page.keyboard.press("Control+Enter")
    const dialog = page.getByRole("dialog", { name: "Run new scripts?" })
    await dialog.getByText("apis/workflow/scripts/scripted/greet.ts").waitFor()
    await dialog.getByText("apis/workflow/scripts/scripted/word.ts").waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel")
    await page.keyboard.press("Control+Enter")
    await expect.poll(() => dialog.isVisible()).toBe(true)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await expect.poll(() => page.locator(".history-run").count()).toBe(0)
    await page.keyboard.press("Control+Enter")
    await dialog.getByRole("button", { name: "I trust them, run" }).click()
    await ended(page, "passed")
    await page.getByText("hello from a script").waitFor()
    await page.keyboard.press("Control+Enter")
    await expect.poll(() => page.locator(".history-run").count()).toBe(2)
    await expect.poll(() => dialog.count()).toBe(0)
  })

  it("runs up to a block, or only one, from the report, by keys and from the palette", async () => {
    const page = await openWorkflow("failing")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await ended(page, "failed")
    const sent = (): number => project.api.requests.length
    let before = sent()
    await reportRow(page, "shelf").click()
    await page.getByRole("button", { name: "Run only this" }).click()
    await page.locator(".run-summary .tag", { hasText: "only shelf" }).waitFor()
    await ended(page, "failed")
    expect(sent()).toBe(before)
    await expect.poll(() => rows(page)).toEqual(["shelf", "fine", "cheap"])
    await reportRow(page, "fine").click()
    await page.keyboard.press("Control+Shift+Enter")
    await page.locator(".run-summary .tag", { hasText: "to fine" }).waitFor()
    await ended(page, "passed")
    expect(sent()).toBe(before + 1)
    before = sent()
    await page.keyboard.press("Alt+Enter")
    await page.locator(".run-summary .tag", { hasText: "only fine" }).waitFor()
    expect(sent()).toBe(before)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("run to good")
    await page.keyboard.press("Enter")
    await page.locator(".run-summary .tag", { hasText: "to good" }).waitFor()
    await ended(page, "passed")
    expect(sent()).toBe(before + 1)
  })

  it("compares two runs: outcomes, assertions and different bodies, block by block", async () => {
    const page = await openWorkflow("green")
    await chooseEnvironment(page, "local")
    const runs = page.locator(".history-run")
    for (const customer of ["Ada", "Grace"]) {
      await page.getByLabel("customer").fill(customer)
      const before = await runs.count()
      await page.keyboard.press("Control+Enter")
      await expect.poll(() => runs.count()).toBe(before + 1)
    }
    await page.getByRole("button", { name: "Compare" }).first().click()
    const comparison = page.getByRole("region", { name: "Comparison of two runs" })
    await comparison.getByText("1 block of").waitFor()
    await expect.poll(() => comparison.getByRole("option").allTextContents()).toHaveLength(1)
    await comparison.getByRole("option", { name: "place" }).waitFor()
    for (const part of ["Request bodies", "Response bodies"]) {
      const diff = comparison.getByRole("region", { name: part }).getByRole("group", { name: "Differences" })
      await diff.getByText("Ada").waitFor()
      await diff.getByText("Grace").waitFor()
    }
    const values = comparison.getByRole("region", { name: "Response differences" })
    await values.getByRole("row", { name: 'body order.customer "Ada" "Grace"', exact: true }).waitFor()
    const serial = values.getByRole("row", { name: /^body serial noise \d+ \d+$/ })
    await serial.getByText("noise").waitFor()
    await comparison.getByRole("button", { name: "Show all" }).click()
    await comparison.getByRole("option", { name: "checks" }).click()
    await comparison.getByRole("rowheader", { name: "Result" }).waitFor()
    await comparison.getByRole("button", { name: "Close" }).click()
    await comparison.waitFor({ state: "detached" })
  })

  it("shows the environment of a finished run once, in the list of runs", async () => {
    const page = await openWorkflow("other-book")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await page.getByText(/^The run has ended/).waitFor({ state: "attached" })
    const environment = page.getByRole("main").getByText("shop: local", { exact: true })
    await expect.poll(() => environment.count()).toBe(1)
    await page.locator(".history-run").first().getByText("shop: local", { exact: true }).waitFor()
  })

  it("says to run the whole workflow first if there are no results", async () => {
    const page = await openWorkflow("slow", /status of 400/)
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("run only first")
    await page.keyboard.press("Enter")
    await page.getByText("run the whole workflow first").waitFor()
  })
})

describe.runIf(hasBrowser)("another route", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    project = await startRunProject()
  })
  afterAll(() => project.close())

  it("is announced to screen readers, receives a lost focus, and is in the title", async () => {
    const page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await page.evaluate(() => (window.location.hash = "#/workflows/green"))
    await page.getByRole("status").getByText("green", { exact: true }).waitFor({ state: "attached" })
    await expect.poll(() => page.title()).toMatch(/^green · .+ · callsheet$/)
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main")
    await page.getByRole("combobox", { name: "Search" }).focus()
    await page.evaluate(() => (window.location.hash = "#/apis/shop/environments/live"))
    await page.getByRole("status").getByText("live, shop", { exact: true }).waitFor({ state: "attached" })
    await expect.poll(() => page.title()).toMatch(/^live · shop · /)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("combobox")
  })
})

describe.runIf(hasBrowser)("a saved request", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    project = await startRunProject()
  })
  afterAll(() => project.close())

  const openRequest = async (path: string): Promise<Page> => {
    const page = await open(await project.link(), { permissions: ["clipboard-read", "clipboard-write"] })
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await page.evaluate((to) => (window.location.hash = to), `#/apis/shop/requests/${path}`)
    await page.getByRole("form", { name: "Send" }).waitFor()
    return page
  }
  const sent = (page: Page) => page.getByRole("region", { name: "Sent request" })

  it("is sent on its own with its environment, which is remembered, and shows request and response", async () => {
    const page = await openRequest("orders/order%20it")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByText("Choose an environment at the top right.").waitFor()
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Send", exact: true }).dblclick()
    await sent(page).getByText("answered").waitFor()
    await sent(page).getByRole("region", { name: "Response" }).getByText("201").waitFor()
    expect(project.api.requests.map(({ json }) => json)).toEqual([{ book: 1, note: 'it\'s "mine"' }])
    await page.reload()
    await page.getByRole("form", { name: "Send" }).waitFor()
    await expect.poll(() => page.getByLabel("Environment", { exact: true }).inputValue()).toBe("local")
  })

  it("is copied as a curl command", async () => {
    const page = await openRequest("orders/order%20it")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("button", { name: "Copy as cURL" }).click()
    await page.getByText("Copied.").waitFor()
    const line = await page.evaluate(() => navigator.clipboard.readText())
    expect(line).toMatch(/^curl -X POST|^curl http/)
    expect(line).toContain(`'{"book":1,"note":"it'\\''s \\"mine\\""}'`)
  })

  it("becomes an unsaved block at the end of a workflow", async () => {
    const page = await openRequest("orders/order%20it")
    await page.getByRole("button", { name: "Add to a workflow…" }).click()
    await page.getByRole("dialog").getByLabel("Workflow").selectOption("slow")
    await page.getByRole("dialog").getByRole("button", { name: "Add" }).click()
    await page.getByText("order-it").first().waitFor()
    const selected = page.getByRole("tree", { name: "Blocks" }).locator("[aria-selected=true]")
    await selected.getByText("order-it", { exact: true }).waitFor()
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "local")
    // A run uses saved files. The user may choose to be asked before they are saved.
    await page.keyboard.press("Control+k")
    await page.keyboard.insertText("ask before a run saves")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Control+Enter")
    const dialog = page.getByRole("dialog", { name: "Save before the run?" })
    await dialog.getByText("apis/workflow/slow.json").waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Save and run")
    await dialog.getByRole("button", { name: "Run the saved version" }).waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await page.getByText("Unsaved changes").waitFor()
    await page.keyboard.press("Control+k")
    await page.keyboard.insertText("without asking")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Control+Enter")
    await page.getByText("Saved", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Stop", exact: true }).click()
    await ended(page, "stopped")
  })

  it("asks before production, and is canceled while it waits", async () => {
    const page = await openRequest("books/late")
    await chooseEnvironment(page, "live")
    await page.keyboard.press("Control+Enter")
    const dialog = page.getByRole("dialog", { name: "Send to production?" })
    await dialog.getByText("at least 1 request").waitFor()
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await expect.poll(() => project.api.requests.at(-1)?.path).toBe("/slow")
    await page.getByRole("button", { name: "Cancel" }).click()
    await sent(page).getByText("canceled").waitFor()
    await page.getByRole("button", { name: "Send", exact: true }).waitFor()
  })
})

const reportRow = (page: Page, label: string) =>
  page.getByRole("tree", { name: "Report" }).getByRole("treeitem").filter({ hasText: label }).first()

const rows = (page: Page): Promise<string[]> =>
  page.getByRole("tree", { name: "Report" }).locator(".report-label").allTextContents()

const ended = (page: Page, status: string): Promise<void> =>
  page.locator(".run-summary .outcome", { hasText: status }).waitFor()
