// A workflow of 5,000 blocks is edited while its run of 100,000 iterations with a response of 50 MB is open, with the
// real command.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../../harness/api-server.ts"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import { saveState, showPlace, startEditProject, type EditProject } from "../edit-project.ts"
import { expectNoDelay } from "./input-delays.ts"

const many = 5000
const iterations = 100_000
const megabyte = 1024 * 1024

const things = Array.from({ length: 305_000 }, (_, index) => ({
  id: index,
  name: `The thing that has the number ${index}`,
  description: "It is one of very many things, and so it is like all of the others.",
  tags: ["thing", "many"],
}))

const status = (id: string) => ({ id, type: "transform", transforms: { status: "things.response.status" } })
const workflow = {
  version: 1,
  blocks: [
    { id: "things", type: "request", request: { api: "shop", operation: "listThings" } },
    { id: "rounds", type: "loop", mode: "times", count: iterations, blocks: [status("round")] },
    ...Array.from({ length: many / 10 }, (_, group) => ({
      id: `group-${group}`,
      type: "group",
      blocks: Array.from({ length: 9 }, (_, index) => status(`step-${group * 9 + index}`)),
    })),
  ],
}

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: { "/things": { get: { operationId: "listThings", responses: { "200": { description: "ok" } } } } },
}

describe.runIf(hasBrowser)("5,000 blocks, 100,000 iterations and 50 MB, open at once", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let project: EditProject
  beforeAll(async () => {
    const body = Buffer.from(JSON.stringify(things))
    expect(body.length / megabyte).toBeGreaterThan(47)
    api = await startApi({ "GET /things": { headers: { "content-type": "application/json" }, body } })
    project = await startEditProject({
      "apis/shop/openapi.json": document,
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/environments/local.json": { level: "local", baseUrl: api.url },
      "apis/workflow/large.json": workflow,
    })
  })
  afterAll(() => Promise.all([api.close(), project.close()]))

  it("responds to keys at once, in the editor and in the report", async () => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("treeitem", { name: "large", exact: true }).waitFor()
    await showPlace(page, "#/workflows/large")
    await page.getByRole("tree", { name: "Blocks" }).waitFor()
    await page.keyboard.press("Control+Enter")
    await page.getByRole("tab", { name: "Runs", exact: true }).click()
    await page.locator(".run-summary", { hasText: "105,002 passed" }).waitFor()
    await page.getByRole("group", { name: "response body", exact: true }).waitFor()
    await inReport(page)
    await page.getByRole("tab", { name: "Editor", exact: true }).click()
    await inEditor(page)
    await page.keyboard.press("Control+s")
    await expect.poll(() => saveState(page).textContent(), { timeout: 20_000 }).toBe("Saved")
    expect(await page.locator("*").count()).toBeLessThan(2000)
  }, 180_000)
})

async function inReport(page: Page): Promise<void> {
  const report = page.getByRole("tree", { name: "Report" })
  await report.focus()
  await expectNoDelay(page, "opening 100,000 iterations", async () => {
    for (const key of ["ArrowDown", "ArrowRight", "End", "Home"]) await page.keyboard.press(key)
  })
  await page.getByRole("textbox", { name: "Text of the response body" }).focus()
  await expectNoDelay(page, "going through 50 MB", async () => {
    for (const key of ["PageDown", "End", "Home"]) await page.keyboard.press(key)
  })
}

async function inEditor(page: Page): Promise<void> {
  const tree = page.getByRole("tree", { name: "Blocks" })
  await page.locator(".wf-row").nth(6).click()
  await page.getByRole("textbox", { name: "Id" }).waitFor()
  await tree.focus()
  await expectNoDelay(page, "walking, with a large run open", async () => {
    for (let steps = 0; steps < 15; steps++) await page.keyboard.press("ArrowDown")
  })
  await expectNoDelay(page, "typing an id, with a large run open", async () => {
    await page.getByRole("textbox", { name: "Id" }).click()
    await page.keyboard.type("-longer", { delay: 30 })
    await page.keyboard.press("Enter")
  })
  await expectNoDelay(page, "typing a description, with a large run open", async () => {
    await page.getByRole("textbox", { name: "Description" }).click()
    await page.keyboard.type("and more of it", { delay: 60 })
  })
  await tree.focus()
  await expectNoDelay(page, "moving and duplicating, with a large run open", async () => {
    for (const keys of ["Alt+ArrowDown", "Control+d", "Delete", "Control+z"]) await page.keyboard.press(keys)
  })
}
