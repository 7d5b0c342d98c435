// Running a workflow from the page, with the real command, real files and an API on loopback.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindings, axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { openTarget } from "./form-project.ts"
import { startRunProject, type RunProject } from "./run-project.ts"
import { chooseEnvironment } from "./edit-project.ts"

describe.runIf(hasBrowser)("running from the page", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    project = await startRunProject()
  })
  afterAll(() => project.close())

  const openWorkflow = async (workflow: string): Promise<Page> => {
    const page = await open(await project.link())
    await show(page, workflow)
    return page
  }
  const sent = (path: string): number =>
    project.api.requests.filter((request) => request.path === path).length

  it("asks for a missing value at its field, and runs once for a double click and a repeating key", async () => {
    const page = await openWorkflow("green")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("Choose an environment.").waitFor()
    await page.getByText("Enter a value.").waitFor()
    await chooseEnvironment(page, "local")
    await page.getByLabel("customer").fill("Ada")
    await page.getByLabel("copies").fill("many")
    await page.keyboard.press("Control+Enter")
    await page.getByText("This must be a number.").waitFor()
    await expect.poll(() => focusedLabel(page)).toContain("copies")
    await page.getByLabel("copies").fill("3")
    const before = sent("/orders")
    await page.getByRole("button", { name: "Run", exact: true }).dblclick()
    await ended(page, "passed")
    expect(sent("/orders")).toBe(before + 1)
    await holdRunKey(page)
    await expect.poll(() => sent("/orders")).toBe(before + 2)
    await ended(page, "passed")
    await expect.poll(() => page.locator(".history-run").count()).toBeGreaterThanOrEqual(2)
    expect(sent("/orders")).toBe(before + 2)
  })

  it("remembers the environments, and shows the last run after a reload", async () => {
    const page = await openWorkflow("green")
    await chooseEnvironment(page, "local")
    await page.getByLabel("customer").fill("Ada")
    await page.keyboard.press("Control+Enter")
    await ended(page, "passed")
    await page.reload()
    await page.getByRole("form", { name: "Run" }).waitFor()
    await expect.poll(() => page.getByLabel("Environment", { exact: true }).inputValue()).toBe("local")
    await reportRow(page, "place").click()
    await detail(page).getByRole("region", { name: "Response" }).getByText("201").waitFor()
    await detail(page).getByRole("group", { name: "request body" }).getByText('"copies"').waitFor()
    await reportRow(page, "order").click()
    await detail(page).getByRole("region", { name: "Outputs" }).getByText('"Faust"').waitFor()
  })

  it("runs by its keys wherever the focus is: in the id of a block, in an open list, in the sidebar", async () => {
    const page = await openWorkflow("green")
    await page.getByRole("tab", { name: "Editor" }).click()
    const places = [
      page.getByRole("textbox", { name: "Id", exact: true }),
      page.getByRole("combobox", { name: "Operation", exact: true }),
      page.getByRole("tree", { name: "Project" }),
    ]
    for (const place of places) {
      await page.getByRole("tree", { name: "Blocks" }).getByRole("treeitem", { name: "place" }).click()
      await openTarget(page)
      await place.focus()
      if ((await place.getAttribute("role")) === "combobox") {
        await page.keyboard.press("Control+Space")
        await page.getByRole("option", { name: "createOrder" }).waitFor()
      }
      await page.keyboard.press("Control+Enter")
      // The page shows which values are missing.
      await page.getByText("Enter a value.").waitFor()
      await page.getByRole("tab", { name: "Editor" }).click()
    }
    await page.getByRole("tree", { name: "Project" }).focus()
    await page.keyboard.press("Home")
    const isTaken = await page.evaluate(() => {
      const alt = new KeyboardEvent("keydown", {
        key: "ArrowLeft",
        altKey: true,
        cancelable: true,
        bubbles: true,
      })
      return document.activeElement?.dispatchEvent(alt) === false
    })
    expect(isTaken, "Alt with an arrow is the browser's, which goes back").toBe(false)
  })

  it("opens what failed, and shows expected and received values", async () => {
    const page = await openWorkflow("failing")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await ended(page, "failed")
    const selected = page.getByRole("tree", { name: "Report" }).locator("[aria-selected=true]")
    await expect.poll(() => selected.textContent()).toContain("cheap")
    await expect.poll(() => page.locator(".difference-expected").textContent()).toBe("9.99")
    await expect.poll(() => page.locator(".difference-received").textContent()).toBe("12.5")
  })

  it("shows the lines that differ between two objects, whatever the order of their members", async () => {
    const page = await openWorkflow("other-book")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await ended(page, "failed")
    const difference = detail(page).getByRole("group", { name: "Differences" })
    await difference.locator(".diff-removed").waitFor()
    await expect
      .poll(() => difference.locator(".diff-removed").allInnerTexts())
      .toEqual([expect.stringContaining('"verse"')])
    await expect
      .poll(() => difference.locator(".diff-added").allInnerTexts())
      .toEqual([expect.stringContaining('"prose"')])
    expect(await axeFindings(page)).toEqual([])
  })

  it("marks contract violations in the body, by keyboard, and creates no link from a response", async () => {
    const page = await openWorkflow("failing")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await ended(page, "failed")
    await page.getByRole("tree", { name: "Report" }).focus()
    await page.keyboard.press("End")
    // The list of violations says it, so nothing else does.
    await expect
      .poll(() =>
        detail(page)
          .getByText(/expected an integer/)
          .count(),
      )
      .toBe(1)
    await page.locator(".cm-lintRange-error", { hasText: '"two"' }).hover()
    await page
      .locator(".cm-tooltip")
      .getByText(/expected an integer/)
      .waitFor()
    await detail(page).getByText("<script>alert(1)</script>").waitFor()
    const tabs = detail(page).getByRole("tablist", { name: "Response" })
    await tabs.getByRole("tab", { selected: true }).press("ArrowRight")
    await detail(page)
      .getByRole("group", { name: "response body" })
      .getByText("javascript:alert(1)")
      .last()
      .waitFor()
    await tabs.getByRole("tab", { selected: true }).press("ArrowRight")
    await detail(page).getByText("<img src=x onerror=alert(1)>").waitFor()
    await expect
      .poll(() => page.locator("#run-report a, #run-report img, #run-report script").count())
      .toBe(0)
  })

  it("says which body was not checked against its schema, and counts it", async () => {
    const page = await openWorkflow("feed")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await ended(page, "passed")
    await page.locator(".run-summary").getByText("1 passed, 1 unchecked").waitFor()
    await reportRow(page, "feed").click()
    await detail(page).getByText("Unchecked: XML is only checked to be well-formed").waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  it("stops a run, and finds a current one after a reload", async () => {
    const page = await openWorkflow("slow")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await reportRow(page, "late").getByText("running").waitFor({ state: "attached" })
    await page.reload()
    await reportRow(page, "late").getByText("running").waitFor({ state: "attached" })
    await page.getByRole("button", { name: "Stop" }).click()
    await ended(page, "stopped")
    await reportRow(page, "after").getByText("skipped").waitFor({ state: "attached" })
    await page.getByRole("button", { name: "Run", exact: true }).waitFor()
  })

  it("shows the report of a previous run", async () => {
    const page = await openWorkflow("green")
    await chooseEnvironment(page, "local")
    const runs = page.locator(".history-run")
    const all = page.getByRole("button", { name: /^Show all \d+ runs$/ })
    const countRuns = async (): Promise<number> => {
      if (await all.isVisible()) await all.click()
      return runs.count()
    }
    for (const customer of ["Ada", "Grace"]) {
      await page.getByLabel("customer").fill(customer)
      const before = await countRuns()
      await page.keyboard.press("Control+Enter")
      await expect.poll(countRuns).toBe(before + 1)
      await ended(page, "passed")
    }
    const body = detail(page).getByRole("group", { name: "request body" })
    await reportRow(page, "place").click()
    await body.getByText('"Grace"').waitFor()
    await page.locator(".history-run").nth(1).press("Enter")
    await reportRow(page, "place").click()
    await body.getByText('"Ada"').waitFor()
  })

  it("shows the end of a run that was joined midway", async () => {
    const page = await openWorkflow("slow")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await reportRow(page, "late").getByText("running").waitFor({ state: "attached" })
    await page.reload()
    await reportRow(page, "late").getByText("running").waitFor({ state: "attached" })
    project.release()
    await ended(page, "passed")
    await reportRow(page, "after").getByText("passed").waitFor({ state: "attached" })
  })

  it("asks before production: Enter cancels, and only the name of the environment starts it", async () => {
    const page = await openWorkflow("green")
    const before = project.api.requests.length
    await chooseEnvironment(page, "live")
    await page.getByLabel("customer").fill("Ada")
    await page.keyboard.press("Control+Enter")
    const dialog = page.getByRole("dialog", { name: "Run against production?" })
    await dialog.getByText("at least 2 requests").waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel")
    await expect.poll(() => dialog.locator(".confirm-method-writes").textContent()).toContain("POST")
    await page.keyboard.press("Control+Enter")
    await expect.poll(() => dialog.isVisible()).toBe(true)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await page.keyboard.press("Control+Enter")
    await dialog.getByRole("textbox").fill("Live")
    await page.keyboard.press("Enter")
    await dialog.getByText("That is not the environment's name.").waitFor()
    expect(project.api.requests.length).toBe(before)
    await dialog.getByRole("textbox").fill("live")
    await dialog.getByRole("button", { name: "Run against production" }).click()
    await ended(page, "passed")
    expect(project.api.requests.length).toBe(before + 2)
  })

  it("keeps few of 10,000 iterations in the DOM, and moves through them by key", async () => {
    const page = await openWorkflow("many")
    await page.keyboard.press("Control+Enter")
    await ended(page, "passed")
    const tree = page.getByRole("tree", { name: "Report" })
    await tree.focus()
    await page.keyboard.press("ArrowRight")
    const moved = await page.evaluate(async () => {
      const list = document.querySelector<HTMLElement>(".report-outline")
      const began = performance.now()
      list?.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return performance.now() - began
    })
    await tree.getByText("9999").first().waitFor()
    expect(await tree.getByRole("treeitem").count()).toBeLessThan(60)
    process.stdout.write(`To the end of 10,000 iterations in ${moved.toFixed(0)} ms\n`)
  })

  it("filters the report, steps through its failures, and shows requests over time", async () => {
    const page = await openWorkflow("failing")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await ended(page, "failed")
    await reportRow(page, "GET /books/1").getByText("200").waitFor()
    await page.keyboard.press("F8")
    await detail(page).getByRole("heading", { name: "odd" }).waitFor()
    await page.keyboard.press("Shift+F8")
    await detail(page).getByRole("heading", { name: "cheap" }).waitFor()

    await reportRow(page, "GET /books/1").click()
    // At 1280 by 800, a report of 15 rows and a response are visible without scrolling.
    expect((await page.getByRole("tree", { name: "Report" }).boundingBox())?.height).toBeGreaterThan(15 * 24)
    await expect
      .poll(async () => (await detail(page).locator(".cm-content").first().boundingBox())?.y)
      .toBeLessThan(560)

    await page.getByRole("button", { name: "Failed only" }).click()
    await expect.poll(() => rowNames(page)).toEqual(["shelf", "cheap", "odd"])
    const filter = page.getByRole("searchbox", { name: "Filter the report" })
    await filter.fill("/books/2")
    await expect.poll(() => rowNames(page)).toEqual(["odd"])
    await filter.fill("nothing like this")
    await page.getByText("No block matches the filter.").waitFor()
    await filter.press("Escape")
    await page.getByRole("button", { name: "Failed only" }).click()
    await expect.poll(() => rowNames(page)).toEqual(["good", "shelf", "fine", "cheap", "odd"])

    await page.getByRole("button", { name: "Timeline" }).click()
    const timeline = page.getByRole("listbox", { name: /^Requests over / })
    await expect
      .poll(() => timeline.getByRole("option").allInnerTexts())
      .toEqual([expect.stringMatching(/GET \/books\/1\s+200/), expect.stringMatching(/GET \/books\/2\s+200/)])
    await timeline.getByRole("option").first().click()
    await detail(page).getByRole("heading", { name: "good" }).waitFor()
    await timeline.press("ArrowDown")
    await detail(page).getByRole("heading", { name: "odd" }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])

    await page.getByRole("button", { name: "Go to block" }).click()
    await page
      .getByRole("tree", { name: "Blocks" })
      .getByRole("treeitem", { selected: true })
      .getByText("odd", { exact: true })
      .waitFor()
    expect(page.url()).toMatch(/#\/workflows\/failing\/blocks\/odd$/)
  })
})

const detail = (page: Page) => page.getByRole("region", { name: "Selected block" })

const reportRow = (page: Page, name: string) =>
  page.getByRole("tree", { name: "Report" }).getByRole("treeitem").filter({ hasText: name }).first()

const rowNames = (page: Page): Promise<readonly string[]> =>
  page.getByRole("tree", { name: "Report" }).locator(".report-name").allInnerTexts()

const ended = (page: Page, status: string): Promise<void> =>
  page.getByText(new RegExp(`^The run has ended: (${status})`)).waitFor({ state: "attached" })

async function show(page: Page, workflow: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/workflows/${workflow}`)
  await page.getByRole("heading", { level: 1, name: workflow }).waitFor()
  await page.getByRole("tab", { name: "Runs" }).click()
  await page.getByRole("form", { name: "Run" }).waitFor()
}

const focusedLabel = (page: Page): Promise<string> =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLInputElement
      ? (document.activeElement.labels?.[0]?.textContent ?? "")
      : "",
  )

/** Each `down` after the first is a repeat. */
async function holdRunKey(page: Page): Promise<void> {
  await page.keyboard.down("Control")
  for (let times = 0; times < 5; times++) await page.keyboard.down("Enter")
  await page.keyboard.up("Enter")
  await page.keyboard.up("Control")
}
