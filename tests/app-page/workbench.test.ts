// The layout of the page: panes, and what is on the screen together.

import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace } from "./edit-project.ts"
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
    await page.getByRole("tree", { name: "Project" }).waitFor()
  })

  const bar = (name: string): Locator => page.getByRole("separator", { name })
  const main = (): Locator => page.getByRole("main")
  const widthOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.width ?? 0
  const sendGift = async (): Promise<void> => {
    await showPlace(page, "#/apis/shop/requests/orders/gift")
    await chooseEnvironment(page, "local")
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
    await expect.poll(() => widthOf(sidebar)).toBeCloseTo(first + 100, 1)
    await bar("Resize the sidebar").focus()
    await page.keyboard.press("ArrowRight")
    await expect.poll(() => widthOf(sidebar)).toBeGreaterThan(first + 110)
    const kept = await widthOf(sidebar)
    await page.reload()
    await expect.poll(() => widthOf(sidebar)).toBe(kept)
    await bar("Resize the sidebar").dblclick({ position: { x: 0, y: 300 } })
    await expect.poll(() => widthOf(sidebar)).toBe(first)
  })

  it("cuts off no button of a block at 1024 pixels, and moves none when an environment is missing", async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await showPlace(page, "#/workflows/refund")
    await page.getByRole("tree", { name: "Blocks" }).getByRole("treeitem").first().click()
    const button = (name: string): Locator => page.getByRole("button", { name, exact: true })
    const boxes = (): Promise<readonly unknown[]> =>
      Promise.all(["Run", "Run only this", "Show in JSON"].map((name) => button(name).boundingBox()))
    const panel = await page.locator(".wf-panel").boundingBox()
    const before = await boxes()
    for (const box of await Promise.all(
      ["Run to here", "Run only this", "Show in JSON"].map((name) => button(name).boundingBox()),
    ))
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(
        (panel?.x ?? 0) + (panel?.width ?? 0),
      )
    await button("Run only this").click()
    const form = page.getByRole("form", { name: "Run" })
    await form
      .getByRole("combobox", { name: "shop environment" })
      .and(page.locator("[aria-invalid=true]"))
      .waitFor()
    expect(await boxes()).toEqual(before)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.keyboard.press("Escape")
    await form.getByRole("combobox", { name: "shop environment" }).waitFor({ state: "detached" })
    expect(await boxes()).toEqual(before)
    await chooseEnvironment(page, "local")
    await button("Run only this").click()
    await form.getByText("results-missing").waitFor()
    expect(await boxes()).toEqual(before)
    await form.getByRole("button", { name: "Close the message" }).click()
    await expect.poll(() => form.getByText("results-missing").count()).toBe(0)
  })

  it("shows another request from its top, and not at the response of the last one", async () => {
    await page.setViewportSize({ width: 800, height: 600 })
    await sendGift()
    const top = (): Promise<number> => main().evaluate((element) => element.scrollTop)
    await page.getByRole("region", { name: "Response" }).scrollIntoViewIfNeeded()
    await main().evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect.poll(() => top()).toBeGreaterThan(100)
    await showPlace(page, "#/apis/shop/requests/sessions/customer")
    await page.getByRole("heading", { level: 1, name: "customer" }).waitFor()
    await expect.poll(() => top()).toBe(0)
    await showPlace(page, "#/apis/shop/requests/orders/gift")
    await page.getByRole("region", { name: "Response" }).waitFor()
    await expect.poll(() => top()).toBe(0)
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
        page.getByLabel("Environment", { exact: true }),
        page.getByRole("textbox", { name: "URL", exact: true }),
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

  it("shows no empty result below a request, and a hint beside it", async () => {
    await page.setViewportSize({ width: 1279, height: 800 })
    await showPlace(page, "#/apis/shop/requests/orders/gift")
    await page.getByRole("form", { name: "Send" }).waitFor()
    const hint = page.getByText("Send the request to see its response")
    await hint.waitFor({ state: "hidden" })
    await page.setViewportSize({ width: 1280, height: 800 })
    await hint.waitFor()
    await page.setViewportSize({ width: 1024, height: 768 })
    await hint.waitFor({ state: "hidden" })
    await sendGift()
    const form = await page.getByRole("tabpanel", { name: "Form" }).boundingBox()
    const response = await page.getByRole("region", { name: "Response" }).boundingBox()
    expect(response?.y).toBeGreaterThanOrEqual((form?.y ?? Infinity) + (form?.height ?? 0))
  })

  it("has bars of one line at 1024 pixels, whose parts don't overlap, with words for the main actions", async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    const faults = (): Promise<readonly string[]> =>
      page.locator(bars).evaluateAll((found) =>
        found.flatMap((one) => {
          const parts = [...one.children].map((part) => part.getBoundingClientRect())
          const shown = parts.filter(({ width, height }) => width > 1 && height > 1)
          const isInLine = shown.every(
            ({ top, bottom, left }, index) =>
              (index === 0 || left >= (shown[index - 1]?.right ?? 0) - 1) &&
              shown.every((other) => other.top < bottom && top < other.bottom),
          )
          const isWhole = one.scrollWidth <= one.clientWidth + 1
          return isInLine && isWhole ? [] : [`${one.className} ${isInLine} ${isWhole}`]
        }),
      )
    const bars =
      ".bench-head, .bench-bar, .bench-actions, .run-bar-line, .wf-panel-head, .report-tools, .body-tools, .env-toolbar"
    await sendGift()
    await page.getByRole("button", { name: "Add to a workflow…" }).waitFor()
    await expect.poll(faults).toEqual([])
    await page.getByRole("button", { name: "Send", exact: true }).getByText("Send").waitFor()
    await showPlace(page, "#/apis/shop/environments")
    await page.getByRole("toolbar", { name: "Environments" }).waitFor()
    await expect.poll(faults).toEqual([])
    await showPlace(page, "#/workflows/checkout")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page
      .locator(".bench-status")
      .getByText(/passed ·/)
      .waitFor()
    await row("create").click()
    await result().getByRole("region", { name: "Response" }).getByText("201").first().waitFor()
    await expect.poll(faults).toEqual([])
    await page.getByRole("button", { name: "Save", exact: true }).getByText("Save").waitFor()
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByRole("button", { name: "Timeline" }).waitFor()
    await expect.poll(faults).toEqual([])
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("has a bar with method, resolved URL, environment and Send on requests and operations", async () => {
    await sendGift()
    const form = page.getByRole("form", { name: "Send" })
    await expect.poll(() => form.getByLabel("Method", { exact: true }).inputValue()).toBe("POST")
    await form.getByText(/^http:\/\/127\.0\.0\.1:\d+$/).waitFor()
    await expect.poll(() => form.getByLabel("URL", { exact: true }).inputValue()).toBe("/orders")
    await showPlace(page, "#/apis/shop/operations/GET/%2Forders%2F%7BorderId%7D")
    await page.getByRole("combobox", { name: "orderId" }).fill("o-7")
    await form.getByText(/^http:\/\/127\.0\.0\.1:\d+\/orders\/o-7$/).waitFor()
    await page.getByRole("tab", { name: "Docs" }).click()
    for (const part of ["Authentication", "Parameters", "Response 200"])
      await main().getByRole("heading", { name: part, exact: true }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  const row = (id: string): Locator =>
    page
      .getByRole("tree", { name: "Blocks" })
      .getByRole("treeitem")
      .filter({ has: page.locator(".wf-id").getByText(id, { exact: true }) })
  const result = (): Locator => page.getByRole("region", { name: "Result", exact: true })

  it("shows the result of the selected block in the editor, and keeps the marks of the others", async () => {
    await showPlace(page, "#/workflows/checkout")
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page
      .locator(".bench-status")
      .getByText(/passed ·|not checked/)
      .waitFor()
    await expect
      .poll(() => page.getByRole("tab", { name: "Editor" }).getAttribute("aria-selected"))
      .toBe("true")
    await row("create").click()
    await result().getByRole("region", { name: "Response" }).getByText("201").first().waitFor()
    await row("order-is-complete").click()
    await expect
      .poll(() => result().getByRole("list", { name: "Assertions" }).getByRole("listitem").count())
      .toBe(7)
    await row("add-teas").click()
    await result()
      .getByRole("treeitem", { name: /iteration 0/ })
      .waitFor()
    await row("product").click()
    await page.getByRole("button", { name: "Run only this" }).click()
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.locator(".history").getByText("only product").waitFor()
    await page.getByRole("tab", { name: "Editor" }).click()
    for (const id of ["create", "product"]) await row(id).getByText("passed").waitFor()
  })

  it("sets the environment of every API with one choice, also in the command to copy", async () => {
    await showPlace(page, "#/workflows/refund")
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "staging")
    await page.getByText(/^callsheet run refund (--env (shop|payments)=staging ?){2}$/).waitFor()
  })

  it("runs selected workflows from the overview, with totals and one list of failures", async () => {
    await page.getByRole("checkbox", { name: "Select smoke" }).check()
    await page.getByRole("checkbox", { name: "Select kinds" }).check()
    await page.getByLabel("Environment", { exact: true }).selectOption("local")
    await page.getByRole("button", { name: "Run 2 selected" }).click()
    const results = page.getByRole("region", { name: "Results" })
    await results.getByText("Ran 2 of 2: 1 passed, 1 failed").waitFor()
    const counts = results.locator(".batch-counts")
    expect((await counts.locator("div").allTextContents()).join("; ")).toBe(
      "blocks15 passed, 1 failed; requests9 passed, 1 failed; assertions17 passed",
    )
    const failures = results.getByRole("article", { name: "Failures of kinds" })
    await failures.getByText("old").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await failures.getByRole("link", { name: "old" }).click()
    await page.getByRole("textbox", { name: "Id", exact: true }).and(page.locator("[value=old]")).waitFor()
    // A workflow that polls counts its requests while it runs.
    await showPlace(page, "#/")
    await page.getByRole("checkbox", { name: "Select patient" }).check()
    await page.getByRole("button", { name: "Run 1 selected" }).click()
    await counts
      .getByText(/^[2-9] passed$/)
      .first()
      .waitFor()
    await results.getByText("0 of 1: 0 passed").waitFor()
    await page.getByRole("button", { name: "Stop" }).click()
    await results.getByText("Ran 1 of 1: 0 passed, 1 failed").waitFor()
  })

  it("has a theme of its own if the user chooses one, also after a reload", async () => {
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: "light" })
    const light = await ground()
    await page.getByRole("button", { name: "Theme: system. Switch to light" }).click()
    await page.getByRole("button", { name: "Theme: light. Switch to dark" }).click()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.getByRole("tree", { name: "Project" }).waitFor()
    expect(await ground()).toBe(dark)
  })
})
