// The explorer and the tabs of open files: what a click, a key or a menu does, and what a reload keeps.

import { execFileSync } from "node:child_process"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, typeAtEnd, type EditProject } from "./edit-project.ts"

const workflow = {
  version: 1,
  blocks: [{ id: "list", type: "request", request: { api: "shop", operation: "GET /orders" } }],
}
const operation = { responses: { default: { description: "ok" } } }
const manyRequests = (api: string) =>
  Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `apis/${api}/requests/things/no-${index}.json`,
      { version: 1, operation: "GET /orders" },
    ]),
  )
const api = (paths: object) => ({ openapi: "3.1.0", info: { title: "API", version: "1" }, paths })
const files = (url: string) => ({
  "apis/shop/openapi.json": api({ "/orders": { get: operation } }),
  "apis/shop/environments/local.json": { level: "local", baseUrl: url },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/requests/orders/all.json": { version: 1, operation: "GET /orders" },
  "apis/tools/openapi.json": api({ "/orders": { get: operation } }),
  "apis/zoo/openapi.json": api({ "/orders": { get: operation } }),
  ...manyRequests("tools"),
  ...manyRequests("zoo"),
  "apis/workflow/cart-add.json": workflow,
  "apis/workflow/cart-empty.json": workflow,
  "apis/workflow/cart-pay.json": workflow,
  "apis/workflow/login.json": workflow,
  "apis/workflow/scripts/login/sign.ts": "export const sign = () => 1\n",
  "callsheet.json": { version: 1, suites: { nightly: { workflows: ["login"] } } },
})

describe.runIf(hasBrowser)("the explorer", () => {
  const { open } = useBrowser()
  let project: EditProject
  let server: ApiServer
  let page: Page
  beforeAll(async () => {
    server = await startApi({ "GET /orders": { body: [] } })
    project = await startEditProject(files(server.url))
  })
  afterAll(async () => {
    await project.close()
    await server.close()
  })

  const opened = async (hash = "#/"): Promise<void> => {
    page = await open(await project.link(), { expected: /Failed to load resource/ })
    await row("login").waitFor()
    await showPlace(page, hash)
  }
  const tree = (): Locator => page.getByRole("tree", { name: "Project" })
  const row = (name: string): Locator => tree().getByRole("treeitem", { name })
  const tabList = (): Locator => page.getByRole("tablist", { name: "Open files" })
  const tab = (name: string): Locator => tabList().getByRole("tab", { name })
  const tabs = (): Promise<readonly string[]> => tabList().getByRole("tab").allTextContents()
  const selected = (): Promise<string | null> => tabList().getByRole("tab", { selected: true }).textContent()
  const styleOf = (name: string): Promise<string> =>
    tab(name)
      .locator(".file-tab-name")
      .evaluate((element) => getComputedStyle(element).fontStyle)
  const rows = (): Promise<readonly string[]> => tree().getByRole("treeitem").allTextContents()
  const menu = (): Locator => page.getByRole("menu")

  it("shows files in one preview tab, and keeps the tabs that the user opens", async () => {
    await opened()
    await row("cart-add").click()
    await row("cart-pay").click()
    await expect.poll(tabs).toEqual(["Overview", "cart-pay"])
    await expect.poll(() => styleOf("cart-pay")).toBe("italic")
    await row("login").click({ modifiers: ["Control"] })
    await row("cart-add").dblclick()
    await row("callsheet.json").click()
    await expect.poll(tabs).toEqual(["Overview", "cart-add", "callsheet.json", "login"])
    expect([await styleOf("cart-add"), await styleOf("callsheet.json")]).toEqual(["normal", "italic"])
    await typeAtEnd(page, " ")
    await tab("callsheet.json").getByText("unsaved").waitFor({ state: "attached" })
    await expect.poll(() => styleOf("callsheet.json")).toBe("normal")
    await page.getByRole("button", { name: "Discard", exact: true }).click()
    await showPlace(page, "#/apis/shop/environments")
    await page.getByRole("grid").waitFor()
    await showPlace(page, "#/apis/shop/environments/local")
    await page.getByRole("heading", { level: 1, name: "local" }).waitFor()
    await page.reload()
    await row("login").waitFor()
    await expect.poll(tabs).toEqual(["Overview", "cart-add", "callsheet.json", "shop environments", "login"])
    await expect.poll(selected).toBe("shop environments")
    await expect.poll(() => styleOf("shop environments")).toBe("italic")
    await page.getByRole("heading", { level: 1 }).waitFor()
    expect(await axeFindingsInThemes(page, { withSidebar: true })).toEqual([])
  })

  it("moves, reorders and closes tabs by keyboard and mouse", async () => {
    await opened()
    for (const name of ["cart-add", "cart-empty", "login"]) await row(name).click({ modifiers: ["Control"] })
    await tab("login").focus()
    await page.keyboard.press("ArrowLeft")
    await expect.poll(selected).toBe("cart-empty")
    await expect
      .poll(() => tab("cart-empty").evaluate((element) => element === document.activeElement))
      .toBe(true)
    await page.keyboard.press("Home")
    await expect.poll(selected).toBe("Overview")
    await page.keyboard.press("Alt+PageUp")
    await expect.poll(selected).toBe("login")
    await page.keyboard.press("Control+Tab")
    await expect.poll(selected).toBe("Overview")
    await page.keyboard.press("Control+Shift+Tab")
    await expect.poll(selected).toBe("login")
    await page.keyboard.press("Control+Shift+PageUp")
    await expect.poll(tabs).toEqual(["Overview", "cart-add", "login", "cart-empty"])
    await tab("cart-empty").dragTo(tab("cart-add"))
    await expect.poll(tabs).toEqual(["Overview", "cart-empty", "cart-add", "login"])
    await tab("cart-add").click({ button: "middle" })
    await expect.poll(tabs).toEqual(["Overview", "cart-empty", "login"])
    await tab("login").focus()
    await page.keyboard.press("Delete")
    await expect.poll(selected).toBe("cart-empty")
    await expect
      .poll(() => tab("cart-empty").evaluate((element) => element === document.activeElement))
      .toBe(true)
    await tab("cart-empty").getByTitle("Close (middle click)").click()
    await expect.poll(selected).toBe("Overview")
    await expect.poll(tabs).toEqual(["Overview"])
  })

  it("has menus with the actions of a file, and F2 renames it", async () => {
    await opened()
    const items = (): Promise<readonly string[]> =>
      menu().getByRole("menuitem").locator("span").allTextContents()
    await row("login").click({ button: "right" })
    await expect
      .poll(items)
      .toEqual(["Open in new tab", "Run", "New workflow…", "Rename…", "Duplicate…", "Copy path", "Delete…"])
    expect(await axeFindingsInThemes(page, { withSidebar: true })).toEqual([])
    await page.getByRole("menuitem", { name: "Open in new tab" }).click()
    await expect.poll(tabs).toEqual(["Overview", "login"])
    await row("GET all").click()
    await tree().focus()
    await page.keyboard.press("Shift+F10")
    await page.getByRole("menuitem", { name: "Duplicate…" }).click()
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("copy")
    await page.keyboard.press("Enter")
    await row("GET copy").waitFor()
    await expect.poll(selected).toBe("copy")
    await tree().focus()
    await page.keyboard.press("F2")
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("second")
    await page.keyboard.press("Enter")
    await row("GET second").waitFor()
    await expect.poll(selected).toBe("second")
    await tree().focus()
    await page.keyboard.press("Delete")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await row("GET second").waitFor({ state: "detached" })
    await expect.poll(tabs).toEqual(["Overview", "login"])
    await row("local").click({ button: "right" })
    await page.getByRole("menuitem", { name: "Rename…" }).click()
    await page.getByRole("dialog", { name: "Rename local" }).waitFor()
    await page.keyboard.press("Escape")
  })

  it("runs a workflow and a suite from their rows", async () => {
    await opened()
    await row("login").hover()
    await row("login").getByTitle("Run").click()
    await expect.poll(selected).toBe("login")
    await row("login").getByText("passed").waitFor({ state: "attached" })
    await row("nightly").click({ button: "right" })
    await page.getByRole("menuitem", { name: "Run" }).click()
    await row("nightly").getByText("passed").waitFor({ state: "attached" })
  })

  it("groups workflows by prefix, and remembers closed groups", async () => {
    await opened()
    await expect
      .poll(async () => (await rows()).slice(1, 5))
      .toEqual(["cart-…3", "cart-add", "cart-empty", "cart-pay"])
    await row("cart-…").click()
    await row("cart-add").waitFor({ state: "detached" })
    await page.reload()
    await row("login").waitFor()
    await expect.poll(() => row("cart-add").count()).toBe(0)
    await showPlace(page, "#/workflows/cart-pay")
    await row("cart-pay").waitFor()
  })

  it("marks files that differ from the last commit", async () => {
    const git = (...words: readonly string[]) => {
      const who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
      execFileSync("git", [...who, ...words], { cwd: project.folder, stdio: "ignore" })
    }
    git("init")
    git("add", "--all")
    git("commit", "--message", "First")
    await opened()
    await project.write("apis/workflow/added.json", JSON.stringify(workflow))
    await row("added").getByTitle("New since the last commit").waitFor()
    await expect.poll(() => row("login").getByTitle("Changed since the last commit").count()).toBe(0)
    await project.write("apis/workflow/login.json", JSON.stringify(workflow))
    await row("login").getByTitle("Changed since the last commit").waitFor()
    expect(await axeFindingsInThemes(page, { withSidebar: true })).toEqual([])
    git("add", "--all")
    git("commit", "--message", "Second")
    await page.evaluate(() => window.dispatchEvent(new Event("focus")))
    await row("login").getByTitle("Changed since the last commit").waitFor({ state: "detached" })
  })

  it("opens a page at its top, and a tab where the user left it", async () => {
    await opened("#/apis/tools")
    const top = (): Promise<number> => page.getByRole("main").evaluate((element) => element.scrollTop)
    await page.getByRole("heading", { level: 1, name: "tools" }).waitFor()
    await page.getByRole("main").getByText("no-59").scrollIntoViewIfNeeded()
    const left = await top()
    expect(left).toBeGreaterThan(300)
    await tab("tools").dblclick()
    await row("zoo").click()
    await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor()
    await expect.poll(() => top()).toBe(0)
    await tab("tools").click()
    await page.getByRole("heading", { level: 1, name: "tools" }).waitFor()
    await expect.poll(top).toBe(left)
  })

  it("runs a selection of workflows and suites, or all workflows, with the results on the overview", async () => {
    await opened("#/workflows/login")
    await row("cart-pay").click({ modifiers: ["Control"] })
    await row("nightly").click({ modifiers: ["Control"] })
    await row("nightly").click({ button: "right" })
    await page.getByRole("menuitem", { name: "Run 3 selected" }).click()
    const results = page.getByRole("region", { name: "Results" })
    await results.getByText("Ran 3 of 3: 3 passed, 0 failed").waitFor()
    await results.getByText("3 passed", { exact: true }).nth(1).waitFor()
    await row("cart-add").click()
    await row("cart-pay").click({ modifiers: ["Shift"] })
    await expect
      .poll(() => tree().locator("[aria-selected=true] .row-label").allTextContents())
      .toEqual(["cart-add", "cart-empty", "cart-pay"])
    await expect.poll(selected).toBe("cart-add")
    await tree().focus()
    await page.keyboard.press("Shift+ArrowUp")
    await page.keyboard.press("Shift+F10")
    await page.getByRole("menuitem", { name: "Run 2 selected" }).click()
    await results.getByText("Ran 2 of 2: 2 passed, 0 failed").waitFor()
    await row("cart-…").click({ button: "right" })
    await page.getByRole("menuitem", { name: "Run all" }).click()
    await results.getByText("Ran 3 of 3: 3 passed, 0 failed").waitFor()
    await page.getByRole("checkbox", { name: "Select nightly" }).check()
    await page.getByRole("button", { name: "Run 1 selected" }).click()
    await results.getByText("Ran 1 of 1: 1 passed, 0 failed").waitFor()
    expect(await axeFindingsInThemes(page, { withSidebar: true })).toEqual([])
  })
})
