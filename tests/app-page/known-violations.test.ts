// After a run, the page tells the violations that the baseline lists from those that fail a block.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import {
  chooseEnvironment,
  editor,
  showPlace,
  shownText,
  startEditProject,
  type EditProject,
} from "./edit-project.ts"

const response = (schema: object) => ({
  200: { description: "", content: { "application/json": { schema } } },
})
const order = { type: "object", properties: { total: { type: "integer" }, note: { type: "string" } } }
const send = (id: string, operation: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation },
})
const entry = {
  api: "shop",
  operation: "GET /known",
  status: 200,
  path: "/body/total",
  schema:
    "openapi.json#/paths/~1known/get/responses/200/content/application~1json/schema/properties/total/type",
  reason: "old",
}

describe.runIf(hasBrowser)("the page after a run with a baseline", () => {
  const { open } = useBrowser()
  let api: ApiServer
  let project: EditProject
  beforeAll(async () => {
    api = await startApi({
      "GET /known": { body: { total: "3" } },
      "GET /mixed": { body: { total: "3", note: 5 } },
    })
    project = await startEditProject({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        paths: {
          "/known": { get: { operationId: "getKnown", responses: response(order) } },
          "/mixed": { get: { operationId: "getMixed", responses: response(order) } },
        },
      },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/environments/local.json": { baseUrl: api.url },
      "apis/workflow/orders.json": {
        version: 1,
        validateContracts: true,
        blocks: [send("known", "getKnown"), send("mixed", "getMixed")],
      },
      "callsheet.baseline.json": {
        version: 1,
        violations: [
          entry,
          { ...entry, operation: "GET /mixed", schema: entry.schema.replace("known", "mixed") },
        ],
      },
    })
  })
  afterAll(async () => {
    await project.close()
    await api.close()
  })

  it("shows them in the badge, in a list of their own and in the summary", async () => {
    const page = await open(await project.link())
    await page.getByRole("navigation", { name: "Project" }).waitFor()
    await showPlace(page, "#/workflows/orders")
    await chooseEnvironment(page, "local")
    await page.keyboard.press("Control+Enter")
    const result = page.getByRole("region", { name: "Result" })
    await result.getByRole("button", { name: "violates" }).waitFor()
    const list = (name: string) => result.getByRole("list", { name })
    await expect.poll(() => list("Contract violations").textContent()).toContain("/body/note")
    await expect.poll(() => list("Contract violations").textContent()).not.toContain("/body/total")
    await expect.poll(() => list("Known violations").textContent()).toContain("/body/total")
    await page.getByRole("tree", { name: "Blocks" }).getByText("known", { exact: true }).click()
    await result.getByRole("button", { name: "known violations" }).waitFor()
    await expect.poll(() => list("Contract violations").count()).toBe(0)
    await result.locator(".cm-lintRange-warning", { hasText: "3" }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("shows the file in an editor with its problems, and saves it", async () => {
    const page = await open(await project.link())
    const row = page.getByRole("treeitem", { name: "callsheet.baseline.json" })
    await row.click()
    await page.getByText("Known violations", { exact: true }).waitFor()
    await editor(page).focus()
    await page.keyboard.press("Control+f")
    await page.keyboard.press("Escape")
    await expect.poll(() => shownText(page)).toContain('"reason": "old"')
    await project.write(
      "callsheet.baseline.json",
      JSON.stringify({ version: 1, violations: [{ ...entry, reason: "" }] }, undefined, 2),
    )
    await page.locator(".cm-lintRange-warning").waitFor()
    await editor(page).focus()
    await page.keyboard.press("Control+End")
    await page.keyboard.type("\n")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await expect.poll(() => project.read("callsheet.baseline.json")).toMatch(/\}\n\n?$/)
  })
})
