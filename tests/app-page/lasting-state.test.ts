// Checks that undo, Back, renames and changes on disk keep what the user selected, typed or ran.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { cellOf } from "./environments-project.ts"
import {
  chooseEnvironment,
  saveState,
  showPlace,
  startEditProject,
  type EditProject,
} from "./edit-project.ts"

const operation = (operationId: string) => ({ operationId, responses: { default: { description: "ok" } } })
const request = (id: string, name: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation: name },
})
const workflow = (...blocks: readonly unknown[]) => ({ version: 1, blocks })
const files = (url: string) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/orders": { get: operation("listOrders") }, "/private": { get: operation("getPrivate") } },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true }, greeting: { type: "string", required: false } },
  },
  "apis/shop/environments/local.json": { level: "local", baseUrl: url },
  "apis/shop/environments/empty.json": { level: "local" },
  "apis/workflow/flow.json": workflow(request("one", "listOrders"), request("two", "listOrders")),
  "apis/workflow/old-name.json": workflow(request("one", "listOrders")),
  "apis/workflow/unknown.json": workflow(request("one", "listNothing")),
  "apis/workflow/scripts/flow/uses.ts": `import { word } from "./word"\nexport const uses = () => word\n`,
  "apis/workflow/scripts/flow/word.ts": `export const word = "hello"\n`,
})

describe.runIf(hasBrowser)("on the page", () => {
  const { open } = useBrowser()
  let project: EditProject
  let api: ApiServer
  beforeAll(async () => {
    api = await startApi({ "GET /orders": { body: [] }, "GET /private": { status: 401, body: {} } })
    project = await startEditProject(files(api.url))
  })
  afterAll(async () => {
    await project.close()
    await api.close()
  })
  const openAt = async (hash: string): Promise<Page> => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("treeitem", { name: /^flow/ }).waitFor()
    await showPlace(page, hash)
    return page
  }
  const blocks = (page: Page) => page.getByRole("tree", { name: "Blocks" })

  it("undo of a move leaves the moved blocks selected", async () => {
    const page = await openAt("#/workflows/flow")
    const selected = () => blocks(page).locator("[aria-selected=true]").allTextContents()
    await blocks(page).getByText("two", { exact: true }).click()
    await page.keyboard.press("Alt+ArrowUp")
    await page.keyboard.press("Control+z")
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    await expect.poll(selected).toEqual([expect.stringContaining("two")])
  })

  it("Back closes a dialog of the page that it leaves", async () => {
    const page = await openAt("#/workflows/flow")
    await page.getByRole("button", { name: /^More actions/ }).click()
    await page.getByRole("menuitem", { name: "Rename…" }).click()
    await page.getByRole("dialog").waitFor()
    await page.goBack()
    await page.getByRole("heading", { level: 1, name: "flow" }).waitFor({ state: "detached" })
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
  })

  it("merging both versions keeps one of each key, and isn't offered if both set it differently", async () => {
    const page = await openAt("#/workflows/flow")
    const path = "apis/workflow/flow.json"
    const start = await project.read(path)
    await page.getByRole("button", { name: "Settings and inputs" }).click()
    await page.getByLabel("When a block fails").selectOption({ label: "continue, and report the failure" })
    await page.getByLabel(/check each response/).check()
    const theirs = start.replace(/\n\}\n?$/, ',\n  "onFailure": "halt"\n}\n')
    await project.write(path, theirs)
    await page.getByRole("button", { name: "Compare…" }).click()
    const dialog = page.getByRole("dialog", { name: /^Conflict/ })
    await dialog.waitFor()
    await expect.poll(() => dialog.getByRole("button", { name: "Merge both" }).count()).toBe(0)
    await dialog.getByRole("button", { name: "Decide later" }).click()
    await project.write(path, theirs.replace("halt", "continue").replace('"one"', '"first"'))
    await page.getByRole("button", { name: "Compare…" }).click()
    await dialog.getByRole("button", { name: "Merge both" }).click()
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent()).toBe("Saved")
    const merged = await project.read(path)
    expect(merged.match(/"onFailure": "continue"/g)).toHaveLength(1)
    expect(merged).toContain('"first"')
    await project.write(path, start)
  })

  it("undo restores a saved value of an environment, and redo sets it again", async () => {
    const page = await openAt("#/apis/shop/environments")
    const cell = await cellOf(page, "greeting", "empty")
    const value = async () => {
      const { greeting } = JSON.parse(await project.read("apis/shop/environments/empty.json")) as {
        greeting?: string
      }
      return greeting
    }
    for (const text of ["Hello", "Bye"]) {
      await cell.dblclick()
      await page.keyboard.press("Control+a")
      await page.keyboard.type(text)
      await page.keyboard.press("Enter")
      await cell.filter({ hasText: new RegExp(`^${text}$`) }).waitFor()
      await expect.poll(value).toBe(text)
    }
    await cell.filter({ hasText: /^Bye$/ }).click()
    await page.keyboard.press("Control+z")
    await cell.filter({ hasText: /^Hello$/ }).waitFor()
    await expect.poll(value).toBe("Hello")
    await page.getByRole("button", { name: "Undo" }).click()
    await expect.poll(value).toBeUndefined()
    await page.getByRole("button", { name: "Redo" }).click()
    await expect.poll(value).toBe("Hello")
    await page.getByRole("button", { name: "Undo", disabled: false }).waitFor()
    await page.keyboard.press("Control+z")
    await expect.poll(value).toBeUndefined()
  })

  it("a renamed workflow keeps its runs", async () => {
    const page = await openAt("#/workflows/old-name")
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.locator(".history-run").waitFor()
    await page.getByRole("button", { name: /^More actions/ }).click()
    await page.getByRole("menuitem", { name: "Rename…" }).click()
    await page.getByRole("dialog").getByRole("textbox").fill("new-name")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "new-name" }).waitFor()
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.locator(".history-run").waitFor()
  })

  it("a script that others import is not called unused", async () => {
    const page = await openAt("#/workflows/flow/scripts/word")
    await page.getByText("Imported by uses.ts").waitFor()
    await page.getByRole("link", { name: "uses.ts" }).click()
    await page.getByText("Nothing uses it.").waitFor()
  })

  it("a run that can't start says why once", async () => {
    const page = await openAt("#/workflows/flow")
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "empty")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    const reason = page.getByRole("main").getByText(/the required variable "baseUrl"/)
    await reason.first().waitFor()
    await expect.poll(() => reason.count()).toBe(1)
    await showPlace(page, "#/workflows/unknown")
    await page.getByRole("tab", { name: "Runs" }).click()
    const problem = page.getByRole("main").getByText(/has no operation "listNothing"/)
    await problem.waitFor()
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page
      .locator("#run-report")
      .getByText(/has no operation "listNothing"/)
      .waitFor()
    await expect.poll(() => problem.count()).toBe(1)
  })

  it("a response with an error status doesn't look like a success", async () => {
    const page = await openAt("#/apis/shop/operations/GET/%2Fprivate")
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const outcome = page.getByRole("region", { name: "Sent request" }).getByRole("status")
    await outcome.getByText("answered with 401").waitFor()
    await expect.poll(() => outcome.locator(".outcome-passed").count()).toBe(0)
  })
})
