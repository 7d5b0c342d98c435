// The focus after a dialog, a choice or an opened file: it is where the user was, and the keys go on.

import type { Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"
import { selectBlock, typeAndPick } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does, and a missing file gets an error response. */
const expected = /net::ERR_|status of 404/

describe.runIf(hasBrowser)("the focus", () => {
  let page: Page
  useFormProject({ expected }, (opened) => void ({ page } = opened))
  beforeEach(async () => {
    await page.getByRole("tree", { name: "Project" }).waitFor()
  })

  const list = () => page.getByRole("dialog", { name: "Keyboard shortcuts" })
  const focused = () => page.locator(":focus")

  it("returns to the outline when the list of shortcuts closes, and a key adds a block", async () => {
    await selectBlock(page, "run", "look")
    const outline = page.getByRole("tree", { name: "Blocks" })
    await outline.focus()
    await page.keyboard.press("?")
    await list().waitFor()
    await page.keyboard.press("Escape")
    await list().waitFor({ state: "detached" })
    await outline.and(focused()).waitFor()
    await page.keyboard.press("a")
    await page.getByRole("menu").waitFor()
  })

  it("returns to the table after a variable was created and a secret was saved", async () => {
    await showPlace(page, "#/apis/shop/environments")
    const button = page.getByRole("button", { name: "New variable", exact: true })
    await button.focus()
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("token")
    await dialog.getByLabel("Secret").check()
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await button.and(focused()).waitFor()
    const cell = page
      .getByRole("row", { name: /^token/ })
      .getByRole("gridcell")
      .first()
    await cell.focus()
    await page.keyboard.press("Enter")
    await dialog.waitFor()
    await page.keyboard.insertText("s3cr3t-of-token")
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await cell.and(focused()).waitFor()
    await page.keyboard.press("ArrowUp")
    await page
      .getByRole("row", { name: /^apiKey/ })
      .getByRole("gridcell")
      .and(focused())
      .waitFor()
  })

  it("is in the page after the first variable was created, whose button is gone", async () => {
    await showPlace(page, "#/apis/large/environments")
    await page.getByRole("button", { name: "New variable", exact: true }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("first")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("grid").waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY")
    await page.keyboard.press("?")
    await list().waitFor()
  })

  it("is in the page after an operation was opened from the search", async () => {
    await page.keyboard.press("/")
    await page.keyboard.insertText("getBook")
    await page.getByRole("option").first().waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "getBook" }).waitFor()
    await page.getByRole("main").and(focused()).waitFor()
    await page.keyboard.press("?")
    await list().waitFor()
  })

  it("stays at the target of a new block whose operation names it", async () => {
    await selectBlock(page, "run", "look")
    await page.getByRole("tree", { name: "Blocks" }).focus()
    await page.keyboard.press("a")
    await page.getByRole("menu").waitFor()
    await page.keyboard.press("r")
    await page.keyboard.press("Enter")
    const field = page.getByRole("combobox", { name: "Operation", exact: true })
    await field.click()
    await typeAndPick(page, "createOrder")
    await page.getByRole("textbox", { name: "Id", exact: true }).waitFor()
    await expect
      .poll(() => page.getByRole("textbox", { name: "Id", exact: true }).inputValue())
      .toBe("createOrder")
    await page.locator(".target-fold > summary").and(focused()).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("tree", { name: "Blocks" }).and(focused()).waitFor()
    await page.keyboard.press("a")
    await page.getByRole("menu").waitFor()
  })
})
