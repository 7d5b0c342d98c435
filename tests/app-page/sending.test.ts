// Unsaved requests: sent from the page of their operation, and turned into saved requests and blocks.

import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace } from "./edit-project.ts"
import { addParam, selectBlock, showPart, type FormProject } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does, and a missing file gets an error response. */
const expected = /net::ERR_|status of 404/
const permissions = ["clipboard-read", "clipboard-write"]

describe.runIf(hasBrowser)("an unsaved request", () => {
  let project: FormProject
  let page: Page
  useFormProject({ expected, permissions }, (opened) => ({ project, page } = opened))

  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
  const sent = () => page.getByRole("region", { name: "Sent request" })
  const showBook = async (): Promise<void> => {
    await showPlace(page, "#/apis/shop/operations/GET/%2Fbooks%2F%7BbookId%7D")
    await field("path bookId").fill("7")
  }

  it("is sent on its own with the entered values, and no file is written", async () => {
    await showBook()
    await showPart(page, "Query")
    await field("query lang").fill("de")
    await page.getByRole("button", { name: "Send", exact: true }).dblclick()
    await sent().getByText("answered").waitFor()
    await sent().getByRole("region", { name: "Response" }).getByText("Faust").waitFor()
    expect(project.api.requests.map(({ path, query }) => [path, String(query)])).toEqual([
      ["/books/7", "lang=de"],
    ])
    await sent().getByRole("button", { name: "Copy as cURL" }).click()
    await sent().getByText("Copied.").waitFor()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("/books/7?lang=de")
    expect(await project.callsheet(["validate"])).toMatchObject({ exitCode: 0 })
    await expect(project.read("apis/shop/requests/books/getBook.json")).rejects.toThrow("ENOENT")
  })

  it("keeps the entered values while the page is open, and becomes a saved request with them", async () => {
    await showPlace(page, "#/apis/shop/operations/POST/%2Forders")
    await field("body book").fill("8")
    await showBook()
    await showPlace(page, "#/apis/shop/operations/POST/%2Forders")
    await expect.poll(() => field("body book").inputValue()).toBe("8")
    await page.getByRole("button", { name: "Save as request…" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("eight")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "eight" }).waitFor()
    await expect
      .poll(() => project.read("apis/shop/requests/orders/eight.json"))
      .toBe('{\n  "version": 1,\n  "operation": "createOrder",\n  "body": {\n    "book": 8\n  }\n}\n')
  })

  it("undoes and redoes entered values with the same keys as a file", async () => {
    await showPlace(page, "#/apis/shop/operations/POST/%2Forders")
    await field("body book").fill("8")
    await addParam(page, "Query", "x-trace")
    await page.keyboard.insertText("on")
    await page.keyboard.press("Control+z")
    await expect.poll(() => field("query x-trace").inputValue()).toBe("")
    await page.keyboard.press("Control+z")
    await showPart(page, "Body")
    await expect.poll(() => field("body book").inputValue()).toBe("0")
    await page.keyboard.press("Control+Shift+z")
    await expect.poll(() => field("body book").inputValue()).toBe("8")
    await page.keyboard.press("Control+y")
    await showPart(page, "Query")
    await expect.poll(() => field("query x-trace").inputValue()).toBe("on")
    await showPart(page, "Body")
    // Changing the type removed a value. A button restores it.
    await field("Type").selectOption("text")
    await page.getByText("Removed the body because it had another type.").waitFor()
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click()
    await expect.poll(() => field("body book").inputValue()).toBe("8")
    // Another operation has another history.
    await showBook()
    await page.keyboard.press("Control+z")
    await expect.poll(() => field("path bookId").inputValue()).toBe("")
    await page.keyboard.press("Control+Shift+z")
    await expect.poll(() => field("path bookId").inputValue()).toBe("7")
    await showPlace(page, "#/apis/shop/operations/POST/%2Forders")
    await expect.poll(() => field("body book").inputValue()).toBe("8")
  })

  it("becomes a block with the entered values", async () => {
    await showBook()
    await page.getByRole("tab", { name: "Use in a workflow" }).click()
    await page.getByText('"bookId": "7"').waitFor()
    await page.getByRole("tab", { name: "Form" }).click()
    await page.getByRole("button", { name: "Add to a workflow…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Workflow").selectOption("run")
    await dialog.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByText("Unsaved changes").waitFor()
    await page.keyboard.press("Control+s")
    await page.locator(".save-bar-state").getByText("Saved", { exact: true }).waitFor()
    const { blocks } = JSON.parse(await project.read("apis/workflow/run.json")) as { blocks: unknown[] }
    expect(blocks.at(-1)).toEqual({
      id: "getBook",
      type: "request",
      request: {
        api: "shop",
        resource: "books",
        operation: "getBook",
        overrides: { params: { path: { bookId: "7" } } },
      },
    })
  })

  it("reports an error at its field, and asks before production", async () => {
    await project.write(
      "apis/shop/environments/live.json",
      JSON.stringify({ level: "production", baseUrl: project.api.url }),
    )
    await showBook()
    await field("path bookId").fill("{{nobody.knows")
    // While the placeholder is typed, it isn't wrong yet.
    await field("path bookId").press("Tab")
    await page.locator(".param-row", { hasText: "bookId" }).locator(".form-problems").waitFor()
    await field("path bookId").fill("7")
    await page.locator(".param-row .form-problems").waitFor({ state: "detached" })
    await chooseEnvironment(page, "live")
    await page.keyboard.press("Control+Enter")
    const dialog = page.getByRole("dialog", { name: "Send to production?" })
    await dialog.getByText("at least 1 request").waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    expect(project.api.requests).toEqual([])
  })

  it("of a run becomes a saved request, with tokens for masked values", async () => {
    await showPlace(page, "#/workflows/run")
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByRole("main").getByRole("button", { name: "Run", exact: true }).first().click()
    const tree = page.getByRole("tree", { name: "Report" })
    await tree.getByRole("treeitem").filter({ hasText: "book" }).first().click()
    const button = page
      .getByRole("region", { name: "Request" })
      .getByRole("button", { name: "Save as request…" })
    await button.click()
    const dialog = page.getByRole("dialog", { name: "Save as request" })
    await dialog.getByText("A placeholder replaces each secret that was sent: header x-key.").waitFor()
    await expect.poll(() => dialog.getByLabel("API").inputValue()).toBe("shop")
    await expect.poll(() => dialog.getByLabel("Resource").inputValue()).toBe("books")
    await dialog.getByLabel("Name").fill("mine")
    await page.keyboard.press("Enter")
    await dialog.getByText("A saved request with this name already exists.").waitFor()
    await dialog.getByLabel("Name").fill("seven")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "seven" }).waitFor()
    await expect
      .poll(async () => JSON.parse(await project.read("apis/shop/requests/books/seven.json")) as unknown)
      .toEqual({
        version: 1,
        operation: "getBook",
        params: { path: { bookId: "7" }, header: { "x-key": "{{apiKey}}" } },
      })
    await page.getByRole("form", { name: "Send" }).waitFor()
    await page.keyboard.press("Control+Enter")
    await sent().getByText("answered").waitFor()
    expect(project.api.requests.map(({ headers }) => headers["x-key"])).toEqual(
      Array(2).fill("s3cr3t-of-shop"),
    )
  })

  it("isn't needed to choose a script: known scripts are offered while the list is loaded again", async () => {
    await selectBlock(page, "forms", "pause")
    await page.getByRole("link", { name: "Open wait.ts" }).waitFor()
    let goOn: () => void = () => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    await page.route("**/api/files.list", async (route) => {
      await held
      let answer = await route.fetch()
      await expect
        .poll(async () => {
          answer = await route.fetch()
          return answer.text()
        })
        .toContain("later")
      await route.fulfill({ response: answer })
    })
    await page.getByRole("combobox", { name: "Script" }).click()
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
    await expect.poll(() => options.allTextContents()).toEqual(["wait"])
    await project.write("apis/workflow/scripts/forms/later.ts", "export const later = () => 1\n")
    goOn()
    await expect.poll(() => options.allTextContents()).toEqual(["wait", "later"])
    // Other readers of the list may still wait for their responses.
    await page.unrouteAll({ behavior: "ignoreErrors" })
  })
})
