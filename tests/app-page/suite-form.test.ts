// Creates a suite from selected workflows and edits it in its form, which keeps what it doesn't show.

import { afterEach, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const document = { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} }
const workflow = { version: 1, blocks: [] }
const files = {
  "apis/shop/openapi.json": document,
  "apis/shop/environments/local.json": { level: "local" },
  "apis/workflow/login.json": workflow,
  "apis/workflow/order.json": workflow,
  "apis/workflow/pay.json": workflow,
}

describe.runIf(hasBrowser)("the form of a suite", () => {
  const { open } = useBrowser()
  const started: EditProject[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((project) => project.close()))
  })
  const begin = async (more: Readonly<Record<string, unknown>> = {}) => {
    const project = await startEditProject({ ...files, ...more })
    started.push(project)
    const page = await open(await project.link(), { expected: /net::ERR_/ })
    const dialog = page.getByRole("dialog")
    const suites = async (): Promise<unknown> =>
      (JSON.parse(await project.read("callsheet.json")) as { suites: unknown }).suites
    return {
      project,
      page,
      dialog,
      suites,
      press: (name: string) => dialog.getByRole("button", { name }).click(),
    }
  }

  it("creates callsheet.json with the selected workflows, in order and with an environment", async () => {
    const { project, page, dialog, suites, press } = await begin()
    await page.getByRole("main").getByRole("checkbox", { name: /order/ }).check()
    await page.getByRole("main").getByRole("checkbox", { name: /pay/ }).check()
    await page.getByRole("button", { name: "Save as suite…" }).click()
    await press("Create")
    await dialog.getByText("Enter a name.").waitFor()
    await dialog.getByLabel("Name").fill("checkout")
    await dialog.getByLabel("Add to before").selectOption("login")
    await press("Move down order in workflows")
    await dialog.getByLabel("Environment of shop").selectOption("local")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await press("Create")
    await page.getByRole("heading", { level: 1, name: "checkout" }).waitFor()
    await expect
      .poll(() => suites())
      .toEqual({
        checkout: { before: ["login"], workflows: ["pay", "order"], env: { shop: "local" } },
      })
    expect((await project.callsheet(["validate"])).exitCode).toBe(0)
  })

  it("is opened from the sidebar, and needs a workflow", async () => {
    const { page, dialog, suites, press } = await begin()
    await page.getByRole("treeitem", { name: "New suite…" }).click()
    await dialog.getByLabel("Name").fill("smoke")
    await press("Create")
    await dialog.getByText("Add at least one workflow.").waitFor()
    await dialog.getByLabel("Add to workflows").selectOption("login")
    await press("Create")
    await page.getByRole("heading", { level: 1, name: "smoke" }).waitFor()
    await expect.poll(() => suites()).toEqual({ smoke: { workflows: ["login"] } })
  })

  it("edits a suite, and keeps the fields of entries that it doesn't show", async () => {
    const text = `{ "version": 1,
  "suites": {
    "all":   { "workflows": [ {"workflow": "pay",  "retries": 2}, "order" ], "finally": ["login"] },
    "other": { "workflows": [ "*" ] }
  }
}
`
    const { project, page, dialog, suites, press } = await begin({ "callsheet.json": {} })
    await project.write("callsheet.json", text)
    await showPlace(page, "#/suites/all")
    await page.getByRole("button", { name: "Edit…" }).click()
    await dialog.getByText("with retries").waitFor()
    await press("Move down pay in workflows")
    await press("Remove login in finally")
    await dialog.getByLabel("Description").fill("All of it.")
    await press("Save")
    await dialog.waitFor({ state: "detached" })
    await expect
      .poll(() => suites())
      .toEqual({
        all: { description: "All of it.", workflows: ["order", { workflow: "pay", retries: 2 }] },
        other: { workflows: ["*"] },
      })
    await expect
      .poll(() => project.read("callsheet.json"))
      .toContain('    "other": { "workflows": [ "*" ] }\n')
    await page.getByRole("button", { name: "Edit…" }).click()
    await press("callsheet.json")
    await page.getByRole("heading", { level: 1, name: "callsheet.json" }).waitFor()
  })
})
