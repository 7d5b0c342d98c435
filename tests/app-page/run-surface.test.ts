// After a run, the editor says why it is red without a click: rows, head, result, and the response that was read.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { chooseEnvironment, showPlace, startEditProject, type EditProject } from "./edit-project.ts"
import { startRunProject, type RunProject } from "./run-project.ts"

describe.runIf(hasBrowser)("the editor after a run", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    project = await startRunProject()
  })
  afterAll(() => project.close())

  const openWorkflow = async (workflow: string): Promise<Page> => {
    const page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await showPlace(page, `#/workflows/${workflow}`)
    return page
  }
  const runLocally = async (page: Page): Promise<void> => {
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
  }
  const row = (page: Page, id: string) =>
    page
      .getByRole("tree", { name: "Blocks" })
      .getByRole("treeitem")
      .filter({ has: page.getByText(id, { exact: true }) })
  const selected = (page: Page) => page.getByRole("tree", { name: "Blocks" }).locator("[aria-selected=true]")
  const result = (page: Page) => page.getByRole("region", { name: "Result" })

  it("selects the first failure, says it in the head, and shows the response that was read", async () => {
    const page = await openWorkflow("failing")
    await runLocally(page)
    const headline = page.getByRole("button", { name: /^2 failed: / })
    await headline.waitFor()
    await expect
      .poll(() => headline.textContent())
      .toContain("good.response.body.price is 12.5, expected 9.99")
    await selected(page).getByText("cheap", { exact: true }).waitFor()
    const exchange = result(page).getByRole("region", { name: "Exchange of good" })
    await exchange.locator(".cm-lintRange-error", { hasText: "12.5" }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("gives the form the whole height of a narrow window until the workflow has run", async () => {
    const page = await openWorkflow("green")
    await page.setViewportSize({ width: 1024, height: 768 })
    const form = page.getByRole("region", { name: /^(Settings and inputs|Selected block)$/ })
    await form.waitFor()
    const heightOf = async () => (await form.boundingBox())?.height ?? 0
    await expect.poll(heightOf).toBeGreaterThan(600)
    await expect.poll(() => result(page).isVisible()).toBe(false)
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Inputs", exact: true }).click()
    await page.getByRole("textbox", { name: "customer text, required" }).fill("Ada")
    await page.keyboard.press("Control+Enter")
    await result(page).waitFor()
    await expect.poll(heightOf).toBeLessThan(500)
  })

  it("shows method, status and time of each request in its row", async () => {
    const page = await openWorkflow("failing")
    await runLocally(page)
    await row(page, "good").getByText("GET", { exact: true }).waitFor()
    await row(page, "good").getByText("200", { exact: true }).waitFor()
    await expect.poll(() => row(page, "odd").textContent()).toMatch(/200.*failed$/)
  })

  it("goes from failure to failure with F8, on every tab, and back with Shift+F8", async () => {
    const page = await openWorkflow("failing")
    await runLocally(page)
    await selected(page).getByText("cheap", { exact: true }).waitFor()
    await page.keyboard.press("F8")
    await selected(page).getByText("odd", { exact: true }).waitFor()
    await result(page).locator(".cm-lintRange-error", { hasText: '"two"' }).waitFor()
    await result(page).getByRole("button", { name: "violates" }).click()
    await page.keyboard.press("Shift+F8")
    await selected(page).getByText("cheap", { exact: true }).waitFor()
    await page.getByRole("tab", { name: "Scripts" }).click()
    await page.keyboard.press("F8")
    await selected(page).getByText("odd", { exact: true }).waitFor()
    await page.getByRole("tab", { name: "Map" }).click()
    await page.getByRole("button", { name: /^2 failed: / }).click()
    await selected(page).getByText("cheap", { exact: true }).waitFor()
  })

  it("opens the editor for an address that names a block, whatever part was open", async () => {
    const page = await openWorkflow("failing")
    await page.getByRole("tab", { name: "Map" }).click()
    await showPlace(page, "#/workflows/failing/blocks/fine")
    await selected(page).getByText("fine", { exact: true }).waitFor()
    await page.getByRole("tab", { name: "Map" }).click()
    await page.reload()
    await page.getByRole("tab", { name: "Map", selected: true }).waitFor()
  })

  it("says nothing wrong of a block that was just added", async () => {
    const page = await openWorkflow("scripted")
    await page.getByRole("tree", { name: "Blocks" }).waitFor()
    await page.getByRole("button", { name: "Add a block" }).click()
    await page.getByRole("menuitem", { name: /^request/ }).click()
    const operation = page.getByRole("combobox", { name: "Operation", exact: true })
    await operation.waitFor()
    await page.getByText("Unsaved changes").waitFor()
    await expect
      .poll(() => page.getByRole("tree", { name: "Blocks" }).getByText("error", { exact: true }).count())
      .toBe(0)
    await operation.focus()
    await page.getByRole("tree", { name: "Blocks" }).focus()
    await selected(page).getByText("error", { exact: true }).waitFor()
  })

  it("shows the run where no block is selected, and says if a block didn't run", async () => {
    const page = await openWorkflow("failing")
    await runLocally(page)
    await selected(page).getByText("cheap", { exact: true }).waitFor()
    await page.getByRole("button", { name: /^Settings and inputs/ }).click()
    await result(page).getByText("2 passed, 2 failed").waitFor()
    await result(page).getByRole("link", { name: "cheap" }).click()
    await selected(page).getByText("cheap", { exact: true }).waitFor()
  })
})

const get = (operationId: string) => ({
  get: { operationId, tags: ["things"], responses: { "200": { description: "ok" } } },
})
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: { "/books": get("getBooks"), "/gone": get("getGone"), "/price": get("getPrice") },
}
const one = (id: string, api: string, operation: string) => ({
  version: 1,
  blocks: [{ id, type: "request", request: { api, resource: "things", operation } }],
})
const baseUrl = { type: "string", required: true }
const files = (url: string) => ({
  "callsheet.json": { version: 1, suites: { all: { workflows: ["calm", "gone"] } } },
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": { version: 1, variables: { baseUrl } },
  "apis/shop/environments/local.json": { level: "local", baseUrl: url },
  "apis/stock/openapi.json": document,
  "apis/stock/environments/schema.json": {
    version: 1,
    variables: { baseUrl, region: { type: "string", required: true } },
  },
  "apis/stock/environments/local.json": { level: "local", baseUrl: url },
  "apis/workflow/gone.json": one("missing", "shop", "getGone"),
  "apis/shop/requests/things/all.json": { version: 1, operation: "getBooks" },
  "apis/workflow/calm.json": {
    version: 1,
    blocks: [{ id: "books", type: "request", request: { api: "shop", resource: "things", instance: "all" } }],
  },
  "apis/workflow/scripts/calm/note.ts": "// Nothing yet.\n",
  "apis/workflow/price.json": {
    version: 1,
    blocks: [
      ...one("price", "shop", "getPrice").blocks,
      {
        id: "cheap",
        type: "assert",
        assertions: [
          { source: "price.response.body.price", operator: "equals", value: 1 },
          { source: "price.response.body.tax", operator: "notEquals", value: 3 },
        ],
      },
    ],
  },
  "apis/workflow/regional.json": one("books", "stock", "getBooks"),
})

describe.runIf(hasBrowser)("marks of the last run", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let price = 1
  let project: EditProject
  beforeAll(async () => {
    api = await startApi({
      "GET /books": { body: [] },
      "GET /gone": { status: 404, body: {} },
      "GET /price": () => ({ body: { price: price++ } }),
    })
    project = await startEditProject(files(api.url))
  })
  afterAll(() => Promise.all([project.close(), api.close()]))

  const openPage = async (hash: string): Promise<Page> => {
    const page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await showPlace(page, hash)
    return page
  }
  const sidebar = (page: Page, name: string) =>
    page.getByRole("tree", { name: "Project" }).getByRole("treeitem", { name: new RegExp(`^${name}`) })
  const headline = (page: Page, name: RegExp) => page.getByRole("button", { name })

  it("aren't green for an error response that nothing checks, until a click checks it", async () => {
    const page = await openPage("#/workflows/gone")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await headline(page, /^1 not checked: missing answered 404/).waitFor()
    const row = page.getByRole("tree", { name: "Blocks" }).getByRole("treeitem").first()
    await row.getByText("ran, not checked").waitFor()
    await sidebar(page, "gone").getByText("ran, not checked").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.getByRole("button", { name: "Assert status is 404" }).waitFor()
    // The note is the only offer.
    await page.getByRole("region", { name: "New assertions" }).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Assert status is 404" }).click()
    await page.keyboard.press("Control+s")
    await page.getByText("Saved", { exact: true }).waitFor()
    await sidebar(page, "gone").getByText("ran, not checked before your edits").waitFor()
    await page.keyboard.press("Control+Enter")
    await sidebar(page, "gone").getByText("passed", { exact: true }).waitFor()
    await expect
      .poll(async () => JSON.parse(await project.read("apis/workflow/gone.json")) as unknown)
      .toMatchObject({
        blocks: [{}, { assertions: [{ source: "missing.response.status", operator: "equals", value: 404 }] }],
      })
  })

  it("are those of a suite's runs, and gray after an edit on disk of its files", async () => {
    const page = await openPage("#/suites/all")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await sidebar(page, "calm").getByText("passed", { exact: true }).waitFor()
    for (const path of [
      "apis/workflow/calm.json",
      "apis/shop/requests/things/all.json",
      "apis/workflow/scripts/calm/note.ts",
    ]) {
      const text = await project.read(path)
      await project.write(path, `${text} `)
      await sidebar(page, "calm").getByText("passed before your edits").waitFor()
      await project.write(path, text)
      await sidebar(page, "calm").getByText("passed", { exact: true }).waitFor()
    }
  })

  it("say why a run could not start, with a link to the value", async () => {
    const page = await openPage("#/workflows/regional")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    const head = page.locator(".bench-status")
    await head.getByText(/region/).waitFor()
  })

  it("lead from a failure to what differs from the last passing run, and list warnings", async () => {
    const page = await openPage("#/workflows/price")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    await page
      .locator(".bench-status")
      .getByText(/^2 passed/)
      .waitFor()
    await page.getByRole("button", { name: /^Settings and inputs/ }).click()
    await page.getByRole("region", { name: "Result" }).getByText("1 warning").waitFor()
    await page.keyboard.press("Control+Enter")
    await headline(page, /^1 failed: price.response.body.price is 2, expected 1/).waitFor()
    await page.getByRole("button", { name: "Compare with the last passing run" }).click()
    const comparison = page.getByRole("region", { name: "Comparison of two runs" })
    await comparison.getByText("Both runs used the same workflow, scripts and saved requests.").waitFor()
    await comparison.getByRole("option", { name: "price" }).click()
    await comparison.getByRole("row", { name: "body price 1 2", exact: true }).waitFor()
  })
})
