// Two runs side by side: two columns with the headings of both runs, in which every difference can be read.

import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const words = "a long text that nobody reads to its end, ".repeat(30)
const items = (price: number) =>
  Array.from({ length: 60 }, (_, index) => ({ number: index, price: index === 30 ? price : index }))

describe.runIf(hasBrowser)("the comparison of two runs", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let project: EditProject
  let round = 1
  beforeAll(async () => {
    api = await startApi({
      "GET /item": () => ({
        headers: { "x-cache": round === 1 ? "MISS" : "HIT" },
        body: { price: round === 1 ? 12.5 : 14, text: `${words}${round === 1 ? "Ada" : "Grace"} ${words}` },
      }),
      "GET /items": () => ({ status: round === 1 ? 200 : 203, body: items(round * 1000) }),
      "GET /same": { body: { same: true } },
    })
    project = await startEditProject(files(api.url))
  })
  afterAll(async () => {
    await project.close()
    await api.close()
  })

  /** Shows the comparison of two runs in different environments and with different responses. */
  async function compareRuns(): Promise<readonly [Page, Locator]> {
    const page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await showPlace(page, "#/workflows/prices")
    await page.getByRole("tab", { name: "Runs" }).click()
    if (round === 1) await runTwice(page)
    await page
      .getByRole("button", { name: /^Compare the run/ })
      .first()
      .click()
    const comparison = page.getByRole("region", { name: "Comparison of two runs" })
    await comparison.getByText(/ differ\./).waitFor()
    return [page, comparison]
  }
  async function runTwice(page: Page): Promise<void> {
    const run = async (environment: string, outcome: string): Promise<void> => {
      await chooseEnvironment(page, environment)
      await page.keyboard.press("Control+Enter")
      await page.getByText(`The run has ended: ${outcome}`).waitFor({ state: "attached" })
    }
    await run("local", "passed")
    round = 2
    await project.write(workflowFile, JSON.stringify(workflow("new")))
    await page.getByText("passed before your edits").first().waitFor({ state: "attached" })
    await run("other", "failed")
  }
  const option = (comparison: Locator, id: string): Locator =>
    comparison.getByRole("option").filter({ has: comparison.page().getByText(id, { exact: true }) })
  const show = async (comparison: Locator, id: string): Promise<void> => {
    await option(comparison, id).click()
    await comparison.getByRole("heading", { name: id, exact: true }).waitFor()
  }

  it("has two aligned columns with the headings of both runs, in windows of 1024 to 1920 pixels", async () => {
    const [page, comparison] = await compareRuns()
    const heads = comparison.getByRole("definition")
    await expect.poll(() => heads.nth(0).textContent()).toMatch(/passed.*\d ?m?s.*shop: local/)
    await expect.poll(() => heads.nth(1).textContent()).toMatch(/failed.*\d ?m?s.*shop: other/)
    await show(comparison, "item")
    const lefts = async (parts: Locator): Promise<readonly number[]> => {
      const boxes = await Promise.all((await parts.all()).map((part) => part.boundingBox()))
      return [...new Set(boxes.map((box) => Math.round(box?.x ?? 0)))]
    }
    for (const width of [1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => lefts(heads), { message: `${width}` }).toHaveLength(2)
      await expect.poll(() => lefts(comparison.getByRole("cell"))).toEqual(await lefts(heads))
      const sides = comparison.locator(".pair-line:first-child > .pair-side")
      const columns = await lefts(heads)
      const apart = async () =>
        (await lefts(sides)).map((left, index) => Math.abs(left - (columns[index] ?? 0)) <= 16)
      await expect.poll(apart, { message: `${width}` }).toEqual([true, true])
      const tooWide = () =>
        page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll(".comparison, .comparison *")]
            .filter((part) => !part.matches(".only-read, .only-read *, .report-row *"))
            .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
            .map((part) => part.className),
        )
      await expect.poll(tooWide, { message: `${width}` }).toEqual([])
    }
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("shows the part of long values that differs, and the whole on demand", async () => {
    const [, comparison] = await compareRuns()
    await show(comparison, "item")
    const values = comparison.getByRole("region", { name: "Response differences" })
    await values.getByRole("row", { name: "body price 12.5 14", exact: true }).waitFor()
    await values.getByRole("row", { name: 'header x-cache "MISS" "HIT"', exact: true }).waitFor()
    const text = values.getByRole("row", { name: /^body text/ })
    await expect.poll(() => text.locator("mark").allTextContents()).toEqual(["Ada", "Grace"])
    await expect.poll(async () => (await text.textContent())?.length).toBeLessThan(1000)
    await text
      .getByRole("button", { name: /^Show all [\d,]+ characters$/ })
      .first()
      .click()
    await expect.poll(async () => (await text.textContent())?.length).toBeGreaterThan(4 * words.length)
    await expect.poll(() => text.locator("mark").allTextContents()).toEqual(["Ada", "Grace"])
  })

  it("folds unchanged lines of bodies, and opens them on both sides", async () => {
    const [, comparison] = await compareRuns()
    await expect.poll(() => option(comparison, "items").textContent()).toContain("200 → 203, body")
    await show(comparison, "items")
    const body = comparison.getByRole("region", { name: "Response bodies" })
    await body.getByText('"price": 1000').waitFor()
    await body.getByText('"price": 2000').waitFor()
    await expect.poll(() => body.getByText('"number": 5,').count()).toBe(0)
    await body
      .getByRole("button", { name: /^Show \d+ unchanged lines$/ })
      .first()
      .click()
    await expect.poll(() => body.getByText('"number": 5,').count()).toBe(2)
  })

  it("shows what an assertion read in both runs, and blocks that only one run has", async () => {
    const [, comparison] = await compareRuns()
    await show(comparison, "cheap")
    const assertion = "Assertion item.response.body.price equals 12.5"
    await comparison.getByRole("row", { name: `${assertion} passed 12.5 failed 14`, exact: true }).waitFor()
    await show(comparison, "gone")
    await comparison.getByRole("row", { name: /^Result passed · 200 · .* not in this run$/ }).waitFor()
    await show(comparison, "new")
    await comparison.getByRole("row", { name: /^Result not in this run passed · 200/ }).waitFor()
    // Another base URL is another environment, not another request.
    await expect.poll(() => option(comparison, "same").count()).toBe(0)
    await comparison.getByRole("button", { name: "Show all" }).click()
    await show(comparison, "same")
    await comparison.getByRole("row", { name: /^Request GET/ }).waitFor()
  })

  it("returns the focus when it is closed", async () => {
    const [page, comparison] = await compareRuns()
    await comparison.getByRole("button", { name: "Close" }).press("Enter")
    await comparison.waitFor({ state: "detached" })
    await page
      .getByRole("button", { name: /^Compare the run/, includeHidden: true })
      .and(page.locator(":focus"))
      .waitFor()
  })
})

const workflowFile = "apis/workflow/prices.json"
const get = (id: string, operation: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation },
})

const workflow = (other: string) => ({
  version: 1,
  onFailure: "continue",
  blocks: [
    get("item", "item"),
    get("items", "items"),
    get("same", "same"),
    get(other, "same"),
    {
      id: "cheap",
      type: "assert",
      assertions: [{ source: "item.response.body.price", operator: "equals", value: 12.5 }],
    },
  ],
})

const answers = { "200": { description: "ok" }, "203": { description: "ok" } }

const files = (url: string) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: Object.fromEntries(
      ["item", "items", "same"].map((name) => [
        `/${name}`,
        { get: { operationId: name, responses: answers } },
      ]),
    ),
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { level: "local", baseUrl: url },
  "apis/shop/environments/other.json": { level: "local", baseUrl: url.replace("127.0.0.1", "localhost") },
  [workflowFile]: workflow("gone"),
})
