// Checks that a new request block finds its operation in all APIs, and gets its name and fields.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindings, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { saveState, showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const document = (paths: unknown) => ({ openapi: "3.1.0", info: { title: "API", version: "1" }, paths })
const responses = { default: { description: "ok" } }
const files = {
  "apis/mail/openapi.json": document({ "/mails": { get: { operationId: "listMails", responses } } }),
  "apis/shop/openapi.json": document({
    "/orders": {
      get: { operationId: "listOrders", responses },
      post: {
        operationId: "createOrder",
        requestBody: {
          required: true,
          content: { "application/json": { example: { book: 7, copies: 2 } } },
        },
        responses,
      },
    },
  }),
  "apis/workflow/flow.json": { version: 1, blocks: [] },
}

describe.runIf(hasBrowser)("adding a request", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())

  it("starts with a search of all APIs, and shows no error before a field is left", async () => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("treeitem", { name: /^flow/ }).waitFor()
    await showPlace(page, "#/workflows/flow")
    const isChecked = page.waitForResponse((response) => response.url().endsWith("/files.check"))
    await page.getByRole("button", { name: "Add a block" }).press("Enter")
    await page.getByRole("menuitem", { name: /^request/ }).press("Enter")
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
    await options.filter({ hasText: "mail" }).waitFor()
    await expect.poll(() => options.count()).toBe(3)
    const field = page.getByRole("combobox", { name: "Operation", exact: true })
    await expect.poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true)
    await isChecked
    await expect.poll(() => page.getByRole("tree", { name: "Blocks" }).getByText("error").count()).toBe(0)
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("false")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Shift+Tab")
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true")
    await field.click()
    await page.keyboard.type("orders post")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.getByRole("textbox", { name: "Id" }).inputValue()).toBe("createOrder")
    await expect.poll(() => page.getByLabel("API", { exact: true }).inputValue()).toBe("shop")
    await page.getByLabel("body book", { exact: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    await expect
      .poll(async () => JSON.parse(await project.read("apis/workflow/flow.json")) as unknown)
      .toMatchObject({
        blocks: [
          {
            id: "createOrder",
            type: "request",
            request: { api: "shop", operation: "createOrder", overrides: { body: { book: 7, copies: 2 } } },
          },
        ],
      })
    await page.getByRole("tree", { name: "Blocks" }).focus()
    await page.keyboard.press("Control+z")
    await expect.poll(() => page.getByRole("textbox", { name: "Id" }).inputValue()).toBe("request")
  })
})
