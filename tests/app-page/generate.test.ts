// The page previews the tests that a document gives, writes them as one change, and runs them against the mock.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Page } from "playwright-core"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const order = {
  type: "object",
  required: ["name"],
  properties: { id: { type: "string", readOnly: true }, name: { type: "string" } },
}
const json = (schema: object) => ({ content: { "application/json": { schema } } })
const answer = (schema?: object) => ({ description: "", ...(schema === undefined ? {} : json(schema)) })

const documentOf = (more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:1" }],
  paths: {
    "/orders": {
      post: {
        operationId: "createOrder",
        tags: ["orders"],
        requestBody: { required: true, ...json(order) },
        responses: { 201: answer(order) },
      },
    },
    "/orders/{orderId}": {
      parameters: [{ name: "orderId", in: "path", required: true, schema: { type: "string" } }],
      get: { operationId: "getOrder", tags: ["orders"], responses: { 200: answer(order), 404: answer() } },
      delete: { operationId: "deleteOrder", tags: ["orders"], responses: { 204: answer(), 404: answer() } },
    },
    "/health": { get: { operationId: "check", tags: ["health"], responses: { 200: answer() } } },
    ...more,
  },
})

const lifecycle = "apis/workflow/orders-lifecycle.json"

describe.runIf(hasBrowser)("generated tests on the page", () => {
  const { open } = useBrowser()
  let project: EditProject
  let page: Page
  const putDocument = (content: unknown) =>
    project.write("apis/shop/openapi.json", typeof content === "string" ? content : JSON.stringify(content))
  const isThere = (path: string) => existsSync(join(project.folder, path))
  const generate = async () => {
    await showPlace(page, "#/apis/shop")
    await page.getByRole("main").getByRole("button", { name: "Generate tests…" }).click()
    return page.getByRole("dialog", { name: "Generate tests" })
  }
  beforeAll(async () => {
    project = await startEditProject({
      "apis/shop/openapi.json": documentOf(),
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
    })
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    await project.reset()
    page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("navigation", { name: "Project" }).waitFor()
  })

  it("shows the steps of each workflow, writes all files, and runs them against the mock", async () => {
    await showPlace(page, "#/apis/shop")
    const mock = page.getByRole("region", { name: "Mock" })
    await mock.getByRole("checkbox", { name: "Keep what clients create" }).check()
    await mock.getByRole("button", { name: "Start mock" }).click()
    const baseUrl = await mock.getByRole("status").locator("code").innerText()
    await project.write("apis/shop/environments/local.json", JSON.stringify({ baseUrl }))
    const dialog = await generate()
    const steps = dialog
      .getByRole("group")
      .filter({ hasText: lifecycle })
      .getByRole("list", { name: "Steps" })
    await steps.getByText("createOrder").first().waitFor()
    expect(isThere(lifecycle)).toBe(false)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog.getByRole("button", { name: /^Write \d+ files$/ }).click()
    await dialog.getByRole("link", { name: "orders-lifecycle" }).waitFor()
    expect(isThere(lifecycle)).toBe(true)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog.getByRole("button", { name: "Run generated" }).click()
    await page.waitForURL(/#\/suites\/generated/)
    await page.getByRole("main").getByText("3 passed", { exact: true }).first().waitFor()
    await showPlace(page, "#/apis/shop")
    await mock.getByRole("cell", { name: /POST \/orders/ }).waitFor()
  })

  it("keeps edits, says what the document added, and then that everything is up to date", async () => {
    const first = await generate()
    await first.getByRole("button", { name: /^Write/ }).click()
    await first.getByRole("link", { name: "orders-lifecycle" }).waitFor()
    await page.keyboard.press("Escape")
    const edited = (await project.read(lifecycle)).replace(
      '"blocks": [',
      '"description": "Mine.",\n  "blocks": [',
    )
    await project.write(lifecycle, edited)
    await putDocument(
      documentOf({
        "/stock": { get: { operationId: "count", tags: ["stock"], responses: { 200: answer() } } },
      }),
    )
    const second = await generate()
    await second.getByRole("list", { name: "Added to the document" }).getByText("count").waitFor()
    await second.getByRole("button", { name: /^Write/ }).click()
    await second.getByRole("link", { name: "stock-count" }).waitFor()
    await expect.poll(() => project.read(lifecycle)).toBe(edited)
    await page.keyboard.press("Escape")
    const third = await generate()
    await third.getByText("Everything is up to date.").waitFor()
    await expect.poll(() => third.getByRole("button", { name: /^Write/ }).count()).toBe(0)
  })

  it("writes nothing if a file changed after the preview, and shows the changes again", async () => {
    const dialog = await generate()
    await dialog.getByRole("button", { name: /^Write/ }).waitFor()
    await putDocument(
      documentOf({
        "/stock": { get: { operationId: "count", tags: ["stock"], responses: { 200: answer() } } },
      }),
    )
    await dialog.getByRole("button", { name: /^Write/ }).click()
    await dialog.getByText("Files changed on disk, so nothing was written.").waitFor()
    await dialog.getByText("apis/workflow/stock-count.json").waitFor()
    expect(isThere(lifecycle)).toBe(false)
  })

  it("generates for a resource and for an operation", async () => {
    const outline = page.getByRole("tree", { name: "Project" })
    await outline.getByRole("treeitem", { name: /^health/ }).click({ button: "right" })
    await page.getByRole("menuitem", { name: "Generate tests…" }).click()
    const dialog = page.getByRole("dialog", { name: "Generate tests" })
    await dialog.getByText("apis/workflow/health-check.json").waitFor()
    await expect.poll(() => dialog.getByText(lifecycle).count()).toBe(0)
    await page.keyboard.press("Escape")
    await showPlace(page, `#/apis/shop/operations/GET/${encodeURIComponent("/orders/{orderId}")}`)
    await page.getByRole("main").getByRole("button", { name: "Generate tests…" }).click()
    await dialog.getByText(lifecycle).waitFor()
    await expect.poll(() => dialog.getByText("health-check").count()).toBe(0)
  })

  it("says where a broken document is broken, and writes nothing", async () => {
    await putDocument('{ "openapi": ')
    const dialog = await generate()
    await dialog.getByText("Nothing was generated.").waitFor()
    await dialog
      .getByRole("alert")
      .getByText(/apis\/shop\/openapi\.json/)
      .waitFor()
    await expect.poll(() => dialog.getByRole("button", { name: /^Write/ }).count()).toBe(0)
  })
})
