// The page shows what uncommitted changes of a document break, keeps up with the file, and repairs what it can.

import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Page } from "playwright-core"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const order = { type: "object", required: ["id"], properties: { id: { type: "string" } } }
const answers = (schema: object) => ({
  200: { description: "", content: { "application/json": { schema } } },
})

const before = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [{ name: "page", in: "query", schema: { type: "integer" } }],
        responses: answers(order),
      },
    },
    "/stock": { get: { operationId: "getStock", responses: answers(order) } },
  },
}

const after = {
  ...before,
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [{ name: "offset", in: "query", schema: { type: "integer" } }],
        responses: answers({ type: "object", properties: { number: { type: "string" } } }),
      },
    },
    "/stock": { get: { operationId: "getStock", responses: answers({ type: "object" }) } },
    "/new": { get: { operationId: "getNew", responses: {} } },
  },
}

const workflow = {
  version: 1,
  blocks: [
    {
      id: "list",
      type: "request",
      request: { api: "shop", operation: "listOrders", overrides: { params: { query: { page: "1" } } } },
    },
    {
      id: "has-id",
      type: "assert",
      assertions: [{ source: "list.response.body.id", operator: "exists" }],
    },
  ],
}

describe.runIf(hasBrowser)("the page after an uncommitted change of a document", () => {
  const { open } = useBrowser()
  let project: EditProject
  let page: Page
  const git = (...words: readonly string[]) => {
    const who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    execFileSync("git", [...who, ...words], { cwd: project.folder, stdio: "ignore" })
  }
  const write = (file: string, content: unknown) =>
    writeFileSync(join(project.folder, file), JSON.stringify(content, undefined, 2))
  const writeDocument = (content: unknown) => write("apis/shop/openapi.json", content)
  beforeAll(async () => {
    project = await startEditProject({
      "apis/shop/openapi.json": before,
      "apis/workflow/orders.json": workflow,
    })
    git("init")
    git("add", "--all")
    git("commit", "--message", "First")
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    git("checkout", "--", ".")
    page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
  })

  it("lists what breaks, what nothing here uses and what is compatible, with links to the places", async () => {
    await showPlace(page, "#/apis/shop/impact")
    await page.getByText("No changes", { exact: true }).waitFor()
    // The page keeps up with the file.
    writeDocument(after)
    const breaks = page.getByRole("region", { name: /^Changes that break workflows/ })
    await breaks.waitFor()
    const main = page.getByRole("main")
    await expect
      .poll(() => main.locator(".description").innerText())
      .toBe(
        "Compared with the last commit: 2 changes break something here, 1 could break others, 3 compatible",
      )
    await breaks.getByText("apis/workflow/orders.json:24:21").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await breaks.getByRole("link", { name: "orders › has-id" }).click()
    await page.waitForURL(/#\/workflows\/orders/)
  })

  it("says on the API's and the operation's page that the document changed", async () => {
    writeDocument(after)
    await showPlace(page, "#/apis/shop")
    const main = page.getByRole("main")
    await main.getByRole("link", { name: "6 changes since the last commit, 2 break a workflow" }).click()
    await page.waitForURL(/#\/apis\/shop\/impact$/)
    await showPlace(page, `#/apis/shop/operations/GET/${encodeURIComponent("/orders")}`)
    await main.getByRole("link", { name: "changed, breaks a workflow" }).waitFor()
    await showPlace(page, `#/apis/shop/operations/GET/${encodeURIComponent("/new")}`)
    await main.getByRole("link", { name: "changed", exact: true }).waitFor()
  })

  it("previews the repairs as a diff, and writes them after a click", async () => {
    writeDocument(after)
    await showPlace(page, "#/apis/shop/impact")
    await page.getByRole("button", { name: "Repair 1 place…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Review changes" }).click()
    await dialog.getByText('the query parameter "page" is now "offset"').waitFor()
    await expect.poll(() => dialog.locator("ins").innerText()).toContain('"offset": "1"')
    const file = join(project.folder, "apis/workflow/orders.json")
    expect(readFileSync(file, "utf8")).toContain('"page"')
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog.getByRole("button", { name: "Repair in 1 file" }).click()
    await dialog.waitFor({ state: "detached" })
    await expect.poll(() => readFileSync(file, "utf8")).toContain('"offset": "1"')
    await page.getByText("1 change breaks something here").waitFor()
  })

  it("says that a broken document can't be compared, and where it is broken", async () => {
    await showPlace(page, "#/apis/shop/impact")
    writeFileSync(join(project.folder, "apis/shop/openapi.json"), '{ "openapi": ')
    await page.getByText("The documents can't be compared until both can be read.").waitFor()
    await page.getByText(/the new document: /i).waitFor()
  })

  it("repairs misspelled names from the list of problems", async () => {
    write(
      "apis/workflow/orders.json",
      JSON.parse(JSON.stringify(workflow).replace("listOrders", "listOrder")),
    )
    await showPlace(page, "#/problems")
    await page.getByRole("button", { name: "Repair…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Review changes" }).click()
    await dialog.getByRole("button", { name: "Repair in 1 file" }).click()
    await page.getByText("No problems", { exact: true }).waitFor()
  })
})
