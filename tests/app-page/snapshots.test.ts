// After a run that compares responses with their snapshots, the page accepts what changed on purpose.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Page } from "playwright-core"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const send = (id: string, operation: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation },
})
const stored = {
  version: 1,
  status: 200,
  contentType: "application/json",
  body: { total: 10, state: "open", old: 1 },
}

describe.runIf(hasBrowser)("the page after a run that compares snapshots", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let project: EditProject
  let page: Page
  const snapshot = () =>
    JSON.parse(readFileSync(join(project.folder, "snapshots/orders/list.json"), "utf8")) as unknown
  beforeAll(async () => {
    api = await startApi({
      "GET /orders": { body: { total: 11, state: "paid", new: "s3cr3t-of-local" } },
      "GET /stock": { body: { left: 3 } },
    })
    project = await startEditProject({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: {
          "/orders": { get: { operationId: "listOrders", responses: {} } },
          "/stock": { get: { operationId: "getStock", responses: {} } },
        },
      },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true },
          key: { type: "string", required: false, secret: true },
        },
      },
      "apis/shop/environments/local.json": { baseUrl: api.url },
      "apis/shop/environments/local.secrets.env": "key=s3cr3t-of-local\n",
      "apis/workflow/orders.json": {
        version: 1,
        onFailure: "continue",
        blocks: [send("list", "listOrders"), send("stock", "getStock")],
      },
      "snapshots/orders/list.json": stored,
    })
  })
  afterAll(async () => {
    await project.close()
    await api.close()
  })
  beforeEach(async () => {
    await project.write("snapshots/orders/list.json", JSON.stringify(stored, undefined, 2))
    await project.remove("snapshots/orders/stock.json").catch(() => undefined)
    page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await showPlace(page, "#/workflows/orders")
    await chooseEnvironment(page, "local")
    const toggle = page.getByRole("button", { name: "Snapshots" })
    if ((await toggle.getAttribute("aria-pressed")) === "false") await toggle.click()
    await page.keyboard.press("Control+Enter")
  })

  const openDialog = async () => {
    await page.getByRole("button", { name: "Accept changes…" }).click()
    return page.getByRole("dialog", { name: "Accept changes" })
  }

  it("shows each difference beside the response, and accepts one of them", async () => {
    const result = page.getByRole("region", { name: "Result" })
    await result.getByText("snapshot-differs").waitFor()
    const dialog = await openDialog()
    await dialog.getByText("snapshots/orders/list.json").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    for (const path of ["response.body.state", "response.body.old", "response.body.new"])
      await dialog.getByLabel(path, { exact: true }).uncheck()
    await dialog.getByRole("button", { name: "Accept" }).click()
    await dialog.waitFor({ state: "detached" })
    await expect.poll(snapshot).toEqual({ ...stored, body: { ...stored.body, total: 11 } })
  })

  it("accepts all of a run, with the responses that have no snapshot yet, and shows no secret", async () => {
    await page.getByRole("region", { name: "Result" }).getByText("snapshot-differs").waitFor()
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByText("1 response differs from the snapshots, 1 response has no snapshot yet").waitFor()
    await page.getByRole("button", { name: "Review…" }).click()
    const dialog = page.getByRole("dialog", { name: "Accept changes" })
    await dialog.getByLabel("These values differ in every run").check()
    await dialog.getByRole("button", { name: "Accept" }).click()
    await dialog.getByRole("button", { name: "Accept in 2 files" }).click()
    await dialog.waitFor({ state: "detached" })
    await expect.poll(snapshot).toEqual({
      ...stored,
      body: { total: 11, state: "paid", new: "***" },
      noise: ["/body/state", "/body/total"],
    })
    await expect.poll(() => project.read("snapshots/orders/stock.json")).toContain('"left": 3')
  })

  it("says that the responses are gone after a restart", async () => {
    await page.getByRole("region", { name: "Result" }).getByText("snapshot-differs").waitFor()
    await page.close()
    await project.restart()
    page = await open(await project.link())
    await showPlace(page, "#/workflows/orders")
    await page.getByRole("tree", { name: "Blocks" }).getByText("list", { exact: true }).first().click()
    const dialog = await openDialog()
    await dialog.getByText("The app no longer has the responses of this run.").first().waitFor()
  })
})
