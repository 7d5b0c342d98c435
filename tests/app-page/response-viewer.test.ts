// Checks that the page shows responses by their type, searches them, saves them and turns them into assertions, and
// never runs them.

import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import {
  chooseEnvironment,
  saveState,
  showPlace,
  startEditProject,
  type EditProject,
} from "./edit-project.ts"

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC"
const attack = `<script>document.title = "run"</script><img src="x" onerror="document.title = 'run'">`
const book = {
  id: 7,
  title: "Faust",
  tags: ["drama", "verse"],
  author: { name: "Goethe" },
  price: 12.5,
  old: null,
}
const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `row ${id}`, more: "x".repeat(60) }))
const bodies: Readonly<Record<string, readonly [type: string, body: unknown]>> = {
  book: ["application/json", book],
  rows: ["application/json", { rows }],
  feed: ["application/xml", "<feed><title>News</title><entry/></feed>"],
  page: ["text/html", `<html><body>${attack}</body></html>`],
  drawing: ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">${attack}</svg>`],
  lines: ["application/x-ndjson", '{"a":1}\n{"b":2}\n'],
  long: ["application/json", { words: "word ".repeat(200), end: true }],
  photo: ["image/png", Buffer.from(pixel, "base64")],
  archive: ["application/zip", "PK\u0003\u0004 files"],
}

describe.runIf(hasBrowser)("a response", () => {
  const { open } = useBrowser()
  let project: EditProject
  let api: ApiServer
  let page: Page
  beforeAll(async () => {
    api = await startApi(
      Object.fromEntries(
        Object.entries(bodies).map(([name, [type, body]]) => [
          `GET /${name}`,
          { headers: { "content-type": type }, body },
        ]),
      ),
    )
    const names = Object.keys(bodies)
    const operation = (operationId: string) => ({
      get: { operationId, responses: { default: { description: "ok" } } },
    })
    project = await startEditProject({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: Object.fromEntries(names.map((name) => [`/${name}`, operation(name)])),
      },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/environments/local.json": { level: "local", baseUrl: api.url },
      "apis/workflow/all.json": {
        version: 1,
        blocks: names.map((id) => ({
          id,
          type: "request",
          request: {
            api: "shop",
            operation: id,
            ...(id === "archive" ? { overrides: { params: { header: { "x-note": "by " } } } } : {}),
          },
        })),
      },
    })
  })
  afterAll(async () => {
    await project.close()
    await api.close()
  })
  beforeEach(async () => {
    page = await open(await project.link(), { permissions: ["clipboard-read", "clipboard-write"] })
    await page.getByRole("treeitem", { name: /^all/ }).waitFor()
    await showPlace(page, "#/workflows/all")
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await report().getByRole("treeitem").filter({ hasText: "archive" }).getByText("passed").waitFor()
  })

  const report = () => page.getByRole("tree", { name: "Report" })
  const body = () => page.getByRole("group", { name: "response body" })
  const text = () => body().getByRole("textbox", { name: "Text of the response body" })
  const show = (name: string) =>
    report()
      .getByRole("treeitem", { name: `GET /${name} 200` })
      .click()
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

  it("is formatted by its type, and nothing in it runs", async () => {
    await show("feed")
    await expect
      .poll(() => text().innerText())
      .toMatch(/<feed>\n {2}<title>News<\/title>\n {2}<entry\/>\n<\/feed>/)
    await show("lines")
    await page.getByRole("region", { name: "Response" }).getByRole("tab", { name: "Body" }).click()
    await expect
      .poll(() => text().innerText())
      .toMatch(/\[\n {2}\{\n {4}"a": 1\n {2}\},\n {2}\{\n {4}"b": 2\n {2}\}\n\]/)
    await show("archive")
    await expect.poll(() => text().innerText()).toMatch(/^00000000 {2}50 4b 03 04 20 66 .* PK.. files$/)
    await show("photo")
    const image = body().getByRole("img", { name: "response body" })
    await expect.poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBe(10)
    for (const name of ["page", "drawing"]) {
      await show(name)
      await expect.poll(() => text().innerText()).toContain("<script>")
      await expect
        .poll(() => body().locator(".body-text").locator("script, img, svg, iframe").count())
        .toBe(0)
    }
    await expect.poll(() => page.title()).not.toContain("run")
  })

  it("can be searched with a count, folded, copied by value and path, and saved", async () => {
    await show("book")
    await text().getByText('"Goethe"').click()
    await body()
      .getByText("book.response.body.author.name")
      .or(body().getByText(/^author\.name$/))
      .waitFor()
    await body().getByRole("button", { name: "Copy value" }).click()
    await expect.poll(clipboard).toBe("Goethe")
    await body().getByRole("button", { name: "Copy path" }).click()
    await expect.poll(clipboard).toBe("book.response.body.author.name")
    await body().getByRole("button", { name: "Find" }).click()
    await page.locator(".cm-panel input").first().click()
    await page.keyboard.type("dra")
    await body().getByText("1 found").waitFor()
    await page.keyboard.press("Enter")
    await body().getByText("1 of 1").waitFor()
    await page.keyboard.press("Escape")
    await text().getByText('"tags"').click()
    await page.keyboard.press("Control+Shift+[")
    await text().getByText('"verse"').waitFor({ state: "detached" })
    const download = page.waitForEvent("download")
    await body().getByRole("button", { name: "Save…" }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe("response-body.json")
    expect(JSON.parse(await readFile(await saved.path(), "utf8"))).toEqual(book)
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("gives the field that had the focus last a placeholder for a value, if its block runs later", async () => {
    await page.getByRole("tab", { name: "Editor" }).click()
    await page.getByRole("tree", { name: "Blocks" }).getByText("archive", { exact: true }).click()
    const note = page.getByRole("combobox", { name: "header x-note" })
    await note.focus()
    await note.press("End")
    await page.getByRole("tab", { name: "Runs" }).click()
    await show("book")
    await text().getByText('"Goethe"').click()
    await body().getByText("author.name", { exact: true }).waitFor()
    await body().getByRole("button", { name: "Use the value…" }).click()
    await page.getByRole("menuitem", { name: "Insert into header x-note" }).click()
    await expect.poll(() => note.inputValue()).toBe("by {{book.response.body.author.name}}")
    await expect.poll(() => note.evaluate((one) => one.matches(":focus"))).toBe(true)
    await page.keyboard.press("Control+z")
    await expect.poll(() => note.inputValue()).toBe("by ")
  })

  // `test:large` measures how fast.
  it("of 3 MB is shown to its last line", async () => {
    expect(JSON.stringify({ rows }).length).toBeGreaterThan(2_900_000)
    await show("rows")
    await text().getByText('"row 1"').waitFor()
    await text().focus()
    await page.keyboard.press("Control+End")
    await text().getByText('"row 29999"').waitFor()
  })

  it("wraps its long lines, until the user switches it off for all bodies, but not those of a long text", async () => {
    const isWrapped = () =>
      body()
        .locator(".cm-scroller")
        .evaluate((scroller) => scroller.scrollWidth <= scroller.clientWidth)
    await show("long")
    await text().getByText('"words"').waitFor()
    await expect.poll(isWrapped).toBe(true)
    const indent = () =>
      text()
        .locator(".cm-line", { hasText: '"words"' })
        .evaluate((line) => parseFloat(getComputedStyle(line).textIndent))
    // The parts that follow are further right than the start of the line.
    await expect.poll(indent).toBeLessThan(-10)
    const wrap = body().getByRole("button", { name: "Wrap lines", pressed: true })
    await wrap.focus()
    await page.keyboard.press("Enter")
    await expect.poll(isWrapped).toBe(false)
    await show("rows")
    await text().getByText('"row 1"').waitFor()
    await expect.poll(() => body().getByRole("button", { name: "Wrap lines" }).count()).toBe(0)
    await page.reload()
    await show("long")
    await text().getByText('"words"').waitFor()
    await expect.poll(isWrapped).toBe(false)
    await body().getByRole("button", { name: "Wrap lines", pressed: false }).click()
    await expect.poll(isWrapped).toBe(true)
  })

  it("has its tools in one line, and those without room in a menu", async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole("tab", { name: "Editor" }).click()
    await page.getByRole("tree", { name: "Blocks" }).getByText("book", { exact: true }).click()
    await text().getByText('"Goethe"').click()
    const tools = body().locator(".body-tools")
    await tools.getByText("book.response.body.author.name").or(tools.getByText("author.name")).waitFor()
    const more = tools.getByRole("button", { name: "More tools for response body" })
    await expect.poll(() => more.count()).toBe(0)
    const height = async () => (await tools.boundingBox())?.height
    const before = await height()
    const bar = page.locator(".split-bar[title^='Resize the form and the result']")
    await bar.focus()
    await page.keyboard.press("End")
    await more.focus()
    expect(await height()).toBe(before)
    await page.keyboard.press("Enter")
    await page.getByRole("menuitemcheckbox", { name: "Wrap lines", checked: true }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.keyboard.press("Escape")
    await expect.poll(() => more.evaluate((one) => one.matches(":focus"))).toBe(true)
    await bar.dblclick({ position: { x: 0, y: 200 } })
  })

  it("becomes five assertions in one step, each evaluated before it is added", async () => {
    await show("book")
    await text().getByText('"id"').click()
    for (const key of ["Space", "ArrowDown", "Space", "ArrowDown", "Space"]) await page.keyboard.press(key)
    for (const name of ["name", "price"]) {
      await text().getByText(`"${name}"`).click()
      await body()
        .getByText(new RegExp(`^(?:author\\.)?${name}$`))
        .waitFor()
      await body().getByRole("button", { name: "Tick" }).click()
    }
    const tray = page.getByRole("region", { name: "New assertions" })
    // The status is ticked from the start.
    await tray.getByRole("button", { name: /^status equals 200, body\.id equals 7/ }).click()
    await expect.poll(() => tray.getByRole("listitem").count()).toBe(6)
    await page.getByRole("checkbox", { name: "Assert the status" }).uncheck()
    await expect.poll(() => tray.getByRole("listitem").count()).toBe(5)
    const price = tray.getByRole("listitem").filter({ hasText: "body.price" })
    await price.getByText("passed").waitFor({ state: "attached" })
    await price.getByLabel(/^Operator/).selectOption("lessThan")
    await price.getByText("failed").waitFor({ state: "attached" })
    await price.getByLabel(/^Expected/).fill("20")
    await price.getByText("passed").waitFor({ state: "attached" })
    expect(await axeFindingsInThemes(page)).toEqual([])
    await tray.getByRole("button", { name: "Add 5 assertions" }).click()
    await page.getByLabel("Assertion 5: source").waitFor()
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    const source = (path: string) => `book.response.body.${path}`
    const saved = JSON.parse(await project.read("apis/workflow/all.json")) as {
      blocks: { assertions: unknown }[]
    }
    expect(saved.blocks[1]?.assertions).toEqual([
      { source: source("id"), operator: "equals", value: 7 },
      { source: source("title"), operator: "equals", value: "Faust" },
      { source: source("tags"), operator: "equals", value: ["drama", "verse"] },
      { source: source("author.name"), operator: "equals", value: "Goethe" },
      { source: source("price"), operator: "lessThan", value: 20 },
    ])
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await page.getByLabel("Assertion 5: source").waitFor({ state: "detached" })
    // Otherwise, the next page would ask about the unsaved change before its run.
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
  })

  it("becomes a loop over a list", async () => {
    await show("book")
    await text().getByText('"tags"').click({ button: "right" })
    await page.getByRole("menuitem", { name: "Loop over it (forEach)" }).click()
    await expect
      .poll(() => page.getByLabel("Source", { exact: true }).inputValue())
      .toBe("book.response.body.tags")
    await page.getByRole("button", { name: "Undo", exact: true }).click()
  })
})
