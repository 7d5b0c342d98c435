// The values of a saved request in a block: shown in gray, overridden by typing, and reset.

import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { axeFindingsInThemes } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { openTarget, save, selectBlock, typeAndPick, workflowPath, type FormProject } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does. */
const expected = /net::ERR_/

describe.runIf(hasBrowser)("a saved request in a block", () => {
  let project: FormProject
  let page: Page
  useFormProject({ expected }, (opened) => ({ project, page } = opened))

  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
  const requestOf = async (id: string): Promise<unknown> => {
    const { blocks } = JSON.parse(await project.read(workflowPath)) as {
      blocks: readonly { readonly id: string; readonly request: unknown }[]
    }
    return blocks.find((block) => block.id === id)?.request
  }
  const pickSaved = async (): Promise<void> => {
    await openTarget(page)
    await field("Saved request").click()
    await typeAndPick(page, "mine")
  }

  it("has its values in gray, which typing overrides and a button resets", async () => {
    await selectBlock(page, "forms", "book")
    await pickSaved()
    await expect.poll(() => field("body book").inputValue()).toBe("1")
    await expect.poll(() => field("body copies").inputValue()).toBe("9007199254740993")
    await save(page)
    await expect.poll(() => requestOf("book")).toEqual({ api: "shop", resource: "books", instance: "mine" })
    await expect.poll(() => page.getByRole("button", { name: "Remove body book" }).count()).toBe(0)
    await field("body book").focus()
    await page.keyboard.type("25")
    await page.getByRole("button", { name: "Reset body book to the saved value" }).waitFor()
    await expect.poll(() => field("body book").evaluate((input) => input.matches(":focus"))).toBe(true)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await save(page)
    await expect.poll(() => requestOf("book")).toMatchObject({ overrides: { body: { book: 25 } } })
    await page.getByRole("button", { name: "Reset body book to the saved value" }).click()
    await expect.poll(() => field("body book").inputValue()).toBe("1")
    await save(page)
    await expect.poll(() => requestOf("book")).toEqual({ api: "shop", resource: "books", instance: "mine" })
  })

  it("leaves nothing of an operation that was picked before or after it", async () => {
    await selectBlock(page, "forms", "book")
    await page.getByRole("button", { name: "Add a block" }).click()
    await page.getByRole("menuitem", { name: /^request/ }).click()
    await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
    await typeAndPick(page, "createOrder")
    await expect.poll(() => field("body book").inputValue()).toBe("0")
    await pickSaved()
    await expect.poll(() => field("body book").inputValue()).toBe("1")
    await save(page)
    await expect
      .poll(() => requestOf("createOrder"))
      .toEqual({ api: "shop", resource: "books", instance: "mine" })
    await openTarget(page)
    await field("Operation").click()
    await typeAndPick(page, "one book")
    await field("path bookId").waitFor()
    await save(page)
    await expect
      .poll(() => requestOf("createOrder"))
      .toEqual({ api: "shop", resource: "books", operation: "getBook" })
  })
})
