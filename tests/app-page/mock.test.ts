// The page starts the mock of an API, shows its requests while they arrive, and stops it.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Page } from "playwright-core"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
        responses: {
          200: {
            description: "",
            content: { "application/json": { schema: { type: "array", items: { type: "string" } } } },
          },
        },
      },
    },
  },
}

describe.runIf(hasBrowser)("the mock on the page of an API", () => {
  const { open } = useBrowser()
  let project: EditProject
  let page: Page
  beforeAll(async () => {
    project = await startEditProject({
      "apis/shop/openapi.json": document,
      "apis/broken/openapi.json": '{ "openapi": ',
    })
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("navigation", { name: "Project" }).waitFor()
  })

  it("starts, lists each request with its verdict, and stops", async () => {
    await showPlace(page, "#/apis/shop")
    const mock = page.getByRole("region", { name: "Mock" })
    await mock.getByRole("button", { name: "Start mock" }).click()
    await mock.getByText("No requests yet.").waitFor()
    const url = await mock.getByRole("status").locator("code").innerText()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await mock.getByRole("button", { name: "Copy the URL" }).waitFor()
    await fetch(`${url}/orders`)
    await fetch(`${url}/orders?limit=500`)
    const refused = mock.getByRole("row").nth(1)
    await refused.getByText("/orders?limit=500").waitFor()
    await expect
      .poll(() => refused.innerText())
      .toMatch(/400[^]*refused[^]*\/query\/limit: [^]*apis\/shop\/openapi\.json:\d+/)
    await expect.poll(() => mock.getByRole("row").nth(2).innerText()).toMatch(/\/orders[^]*200[^]*no problem/)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await mock.getByRole("button", { name: "Stop" }).click()
    await mock.getByRole("button", { name: "Start mock" }).waitFor()
    await expect(fetch(url)).rejects.toThrow()
  })

  it("says where a broken document is broken", async () => {
    await showPlace(page, "#/apis/broken")
    const mock = page.getByRole("region", { name: "Mock" })
    await mock.getByRole("button", { name: "Start mock" }).click()
    await mock.getByText("the API has no readable OpenAPI document").waitFor()
    await mock.getByText(/apis\/broken\/openapi\.json/).waitFor()
  })
})
