// Problems lead to their place, and addresses name blocks.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindings, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/orders": { get: { operationId: "listOrders", responses: { default: { description: "ok" } } } },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true }, region: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { level: "local", baseUrl: "http://127.0.0.1:9" },
  "apis/workflow/flow.json": {
    version: 1,
    blocks: [
      { id: "list", type: "request", request: { api: "shop", operation: "listOrders" } },
      {
        id: "group",
        type: "group",
        blocks: [{ id: "again", type: "request", request: { api: "shop", operation: "listOrder" } }],
      },
    ],
  },
  "callsheet.json": { version: 1, nonsense: true },
}

describe.runIf(hasBrowser)("a problem", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())
  const openAt = async (hash: string): Promise<Page> => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("treeitem", { name: /^flow/ }).waitFor()
    await showPlace(page, hash)
    return page
  }
  const active = (page: Page, property: "value" | "textContent" | "className"): Promise<unknown> =>
    page.evaluate((name) => (document.activeElement as unknown as Record<string, unknown>)[name], property)

  it("opens the block and the field, the cell, or the position in the text, on Enter", async () => {
    const page = await openAt("#/problems")
    await page.getByRole("link", { name: /listOrder(?!s)/ }).press("Enter")
    await expect.poll(() => active(page, "value")).toBe("listOrder")
    await expect
      .poll(() => page.getByRole("tree", { name: "Blocks" }).locator("[aria-selected=true]").innerText())
      .toContain("again")
    await showPlace(page, "#/problems")
    await page.getByRole("link", { name: /"region"/ }).press("Enter")
    await page.getByRole("grid").waitFor()
    await expect.poll(() => active(page, "textContent")).toContain("missing")
    await showPlace(page, "#/problems")
    await page.getByRole("link", { name: /nonsense/ }).press("Enter")
    await expect.poll(() => active(page, "className")).toContain("code-editor-host")
    await page.keyboard.type('"sense"')
    await expect.poll(() => page.locator(".cm-content").innerText()).toContain('"sense": true')
    await page.getByRole("button", { name: "Discard" }).click()
    expect(await axeFindings(page)).toEqual([])
  })

  it("isn't needed to link to a block: its address names it", async () => {
    const page = await openAt("#/workflows/flow/blocks/again")
    const selected = page.getByRole("tree", { name: "Blocks" }).locator("[aria-selected=true]")
    await selected.getByText("again", { exact: true }).waitFor()
    await page.getByRole("tree", { name: "Blocks" }).getByText("list", { exact: true }).click()
    await expect.poll(() => page.url()).toMatch(/#\/workflows\/flow\/blocks\/list$/)
    await page.reload()
    await selected.getByText("list", { exact: true }).waitFor()
  })
})
