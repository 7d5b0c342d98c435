// Ticks values of responses, which become assertions in a new workflow, an open one, or after the block that sent them.

import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { axeFindingsInThemes } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"
import { requestPath, save, selectBlock, type FormProject } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does. */
const expected = /net::ERR_/

describe.runIf(hasBrowser)("ticked values", () => {
  let project: FormProject
  let page: Page
  useFormProject({ expected }, (opened) => ({ project, page } = opened))

  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const bar = () => page.getByRole("region", { name: "New assertions" })
  const box = (name: string) => page.getByRole("checkbox", { name: `Assert the ${name}`, exact: true })
  const body = () => page.getByRole("group", { name: "response body" })
  const selected = () => page.getByRole("tree", { name: "Blocks" }).locator("[aria-selected=true]")
  const blocksIn = async (workflow: string): Promise<readonly unknown[]> =>
    (JSON.parse(await project.read(`apis/workflow/${workflow}.json`)) as { blocks: unknown[] }).blocks
  const sendBook = async (): Promise<void> => {
    await showPlace(page, "#/apis/shop/operations/GET/%2Fbooks%2F%7BbookId%7D")
    await field("path bookId").fill("7")
    await button("Send").click()
    await body().getByText('"Faust"').waitFor()
  }
  const book = {
    id: "getBook",
    type: "request",
    request: {
      api: "shop",
      resource: "books",
      operation: "getBook",
      overrides: { params: { path: { bookId: "7" } } },
    },
  }

  it("of a sent operation become a new workflow with its values, whose run passes", async () => {
    await sendBook()
    await expect.poll(() => box("status").isChecked()).toBe(true)
    await page.getByRole("tab", { name: "Headers (6)" }).click()
    await box("header content-type").check()
    await page.getByRole("region", { name: "Response" }).getByRole("tab", { name: "Body" }).click()
    await body().getByText('"title"').click()
    await body().getByText("title", { exact: true }).waitFor()
    await body().getByRole("button", { name: "Tick" }).click()
    // A masked value is different from the real one, so only its presence can be asserted.
    await body().getByText('"key"').click()
    await body().getByText("key", { exact: true }).waitFor()
    await page.keyboard.press("Space")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.setViewportSize({ width: 1024, height: 700 })
    await bar().getByRole("button", { name: "Add 4 assertions" }).click()
    await selected().getByText("getBook", { exact: true }).waitFor()
    const of = (path: string) => `getBook.response.${path}`
    await expect
      .poll(async () => JSON.parse(await project.read("apis/workflow/getBook.json")) as unknown)
      .toEqual({
        version: 1,
        validateContracts: true,
        blocks: [
          book,
          {
            id: "check-getBook",
            type: "assert",
            assertions: [
              { source: of("status"), operator: "equals", value: 200 },
              { source: of("headers.content-type"), operator: "contains", value: "application/json" },
              { source: of("body.title"), operator: "equals", value: "Faust" },
              { source: of("body.key"), operator: "exists" },
            ],
          },
        ],
      })
    await button("Run").click()
    await page.locator(".bench-status").getByText("passed", { exact: true }).first().waitFor()
    // The next request goes to the same workflow, after the block that is selected and its checks.
    await sendBook()
    await expect.poll(() => bar().getByLabel("Workflow").inputValue()).toBe("getBook")
    await box("response time").check()
    await button("Add 2 assertions").click()
    await selected().getByText("getBook-2", { exact: true }).waitFor()
    await save(page)
    await expect
      .poll(async () => (await blocksIn("getBook")).map((block) => (block as { id: string }).id))
      .toEqual(["getBook", "check-getBook", "getBook-2", "check-getBook-2"])
    // No run depends on this time, which a busy machine may exceed.
    await expect
      .poll(async () => (await blocksIn("getBook"))[3])
      .toMatchObject({
        assertions: [
          { source: "getBook-2.response.status", operator: "equals", value: 200 },
          {
            source: "getBook-2.response.durationMs",
            operator: "lessThan",
            value: expect.any(Number) as number,
          },
        ],
      })
  })

  it("of a saved request become blocks of a chosen workflow, and its unsaved changes are saved", async () => {
    await showPlace(page, "#/apis/shop/requests/books/mine")
    await field("body copies").fill("3")
    await button("Send").click()
    await body().getByText('"copies"').waitFor()
    await bar().getByLabel("Workflow").selectOption({ label: "choose…" })
    const dialog = page.getByRole("dialog", { name: "Add to a workflow" })
    await dialog.getByLabel("Workflow").selectOption("run")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog.getByRole("button", { name: "Add" }).click()
    await selected().getByText("mine", { exact: true }).waitFor()
    await save(page)
    await expect
      .poll(async () => (await blocksIn("run")).slice(-2))
      .toEqual([
        { id: "mine", type: "request", request: { api: "shop", resource: "books", instance: "mine" } },
        {
          id: "check-mine",
          type: "assert",
          assertions: [{ source: "mine.response.status", operator: "equals", value: 201 }],
        },
      ])
    await expect
      .poll(async () => JSON.parse(await project.read(requestPath)) as unknown)
      .toMatchObject({ body: { copies: 3 } })
  })

  it("of a block's result, in the editor and in an old run, are asserted right after the block", async () => {
    await selectBlock(page, "run", "book")
    await button("Run").click()
    await body().getByText('"Faust"').waitFor()
    await expect.poll(() => bar().getByText("after book").count()).toBe(1)
    await button("Add 1 assertion").click()
    await page.getByLabel("Assertion 2: source").waitFor()
    await save(page)
    // Its status is asserted now, so nothing is ticked from the start.
    await page.getByRole("tab", { name: "Runs" }).click()
    await page
      .getByRole("tree", { name: "Report" })
      .getByRole("treeitem")
      .filter({ hasText: "book" })
      .first()
      .click()
    // The report of the run replaces the live result, and with it the line that was clicked.
    const clickedPath = async (): Promise<number> => {
      await body().getByText('"id"').click()
      return body().getByText("id", { exact: true }).count()
    }
    await expect.poll(clickedPath).toBe(1)
    await expect.poll(() => bar().count()).toBe(0)
    await page.keyboard.press("Space")
    await button("Add 1 assertion").click()
    await page.getByLabel("Assertion 3: source").waitFor()
    await save(page)
    const of = (path: string) => `book.response.${path}`
    await expect
      .poll(async () => (await blocksIn("run"))[1])
      .toEqual({
        id: "look",
        type: "assert",
        assertions: [
          { source: "book.response", operator: "exists" },
          { source: of("status"), operator: "equals", value: 200 },
          { source: of("body.id"), operator: "equals", value: 7 },
        ],
      })
  })
})
