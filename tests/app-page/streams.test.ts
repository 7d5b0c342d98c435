// The items of a stream: while it goes on, when it has ended, and in a run that is opened later.

import type { ServerResponse } from "node:http"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const item = {
  type: "object",
  properties: { data: { type: "object", properties: { id: { type: "integer" } } } },
}
const stream = (operationId: string) => ({
  get: {
    operationId,
    responses: { 200: { description: "", content: { "text/event-stream": { itemSchema: item } } } },
  },
})
const event = (id: unknown, name = "created") =>
  `event: ${name}\nid: n${String(id)}\ndata: ${JSON.stringify({ id })}\n\n`

describe.runIf(hasBrowser)("a stream", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let project: EditProject
  let server: ServerResponse | undefined
  beforeAll(async () => {
    api = await startApi({
      "GET /orders": (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.write([0, 1, 2].map((id) => event(id)).join(""))
        server = response
        return undefined
      },
      "GET /many": {
        headers: { "content-type": "text/event-stream" },
        body: Array.from({ length: 1200 }, (_, id) => event(id)).join(""),
      },
    })
    project = await startEditProject({
      "callsheet.json": { version: 1, streams: { idleMs: 60_000 } },
      "apis/shop/openapi.json": {
        openapi: "3.2.0",
        info: { title: "Shop", version: "1" },
        paths: { "/orders": stream("watchOrders"), "/many": stream("watchMany") },
      },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/environments/local.json": { level: "local", baseUrl: api.url },
      "apis/workflow/watch.json": {
        version: 1,
        validateContracts: true,
        blocks: [{ id: "watch", type: "request", request: { api: "shop", operation: "watchOrders" } }],
      },
    })
  })
  afterAll(async () => {
    await project.close()
    await api.close()
  })

  const response = (page: Page) => page.getByRole("region", { name: "Response" })
  const items = (page: Page) => response(page).getByRole("listbox", { name: "Items" })
  const option = (page: Page, text: string): Locator =>
    items(page).getByRole("option").filter({ hasText: text })
  const finish = (): void => {
    server?.end(event("no number", "odd") + event(4))
  }
  const openPage = async (): Promise<Page> => {
    const page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    return page
  }

  it("shows its items while it goes on, and keeps the selected one when it has ended", async () => {
    const page = await openPage()
    await showPlace(page, "#/workflows/watch")
    await page.getByRole("tab", { name: "Runs" }).click()
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await response(page).getByText("3 items so far").waitFor()
    await option(page, "n1").click()
    const shown = response(page).getByRole("group", { name: "item" })
    await shown.getByText('"n1"').waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    server?.write(event(3))
    await response(page).getByText("4 items so far").waitFor()
    finish()
    await response(page).getByText("6 items, ended by the server").waitFor()
    await shown.getByText('"n1"').waitFor()
    await expect.poll(() => items(page).getByRole("option").count()).toBe(6)
    await expect
      .poll(() => option(page, "odd").textContent())
      .toBe('4odd nno number {"id":"no number"}violates')
    await expect.poll(() => option(page, "n1").getAttribute("aria-selected")).toBe("true")
  })

  it("of an earlier run is shown with the item that violates the contract", async () => {
    const page = await openPage()
    await showPlace(page, "#/workflows/watch")
    await page.getByRole("tab", { name: "Runs" }).click()
    await response(page).getByText("6 items, ended by the server").waitFor()
    await expect.poll(() => option(page, "odd").getAttribute("aria-selected")).toBe("true")
    const shown = response(page).getByRole("group", { name: "item" })
    await shown.locator(".cm-lintRange-error", { hasText: '"no number"' }).waitFor()
    await response(page).getByText("/body/4/data/id").waitFor()
    await items(page).focus()
    await page.keyboard.press("ArrowDown")
    await shown.getByText('"n4"').waitFor()
    await shown.getByRole("button", { name: "Find" }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await response(page).getByRole("tab", { name: "Body" }).click()
    await response(page).getByRole("textbox", { name: "Text of the response body" }).waitFor()
  })

  it("is shown live after Send, too", async () => {
    const page = await openPage()
    await showPlace(page, "#/apis/shop/operations/GET/%2Forders")
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await response(page).getByText("3 items so far").waitFor()
    finish()
    await response(page).getByText("5 items, ended by the server").waitFor()
  })

  it("of thousands of items has a short list, and says which setting ended it", async () => {
    const page = await openPage()
    await showPlace(page, "#/apis/shop/operations/GET/%2Fmany")
    await chooseEnvironment(page, "local")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await response(page).getByText("1,000 items, ended at the maximum (streams.maxItems)").waitFor()
    await expect.poll(() => items(page).getByRole("option").count()).toBeLessThan(60)
  })
})
