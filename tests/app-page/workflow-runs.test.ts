// The editor of a workflow next to its runs: missing values of a run, and outcomes in the outline.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace } from "./edit-project.ts"
import { startRunProject, type RunProject } from "./run-project.ts"

describe.runIf(hasBrowser)("the outline next to a run", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    project = await startRunProject()
  })
  afterAll(() => project.close())

  it("asks for missing values, and then marks each block with its outcome, and a loop with its iterations", async () => {
    const page = await open(await project.link())
    await page.getByRole("treeitem", { name: /^green/ }).waitFor()
    await showPlace(page, "#/workflows/green")
    const row = (id: string) =>
      page
        .getByRole("tree", { name: "Blocks" })
        .getByRole("treeitem")
        .filter({ has: page.getByText(id, { exact: true }) })
    await row("place").waitFor()
    await expect.poll(() => page.locator(".wf-outcome").count()).toBe(0)
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("Choose an environment.").waitFor()
    await chooseEnvironment(page, "local")
    await page.getByRole("form", { name: "Run" }).getByLabel("customer").fill("Ada")
    await page.getByRole("tab", { name: "Editor" }).click()
    await page.getByRole("button", { name: "Run", exact: true }).click()
    for (const id of ["book", "checks", "price", "order", "place"])
      await row(id).getByText("passed").waitFor()
    await row("each-tag").getByText("× 2 iterations").waitFor()
    await row("tag-{{$index}}").getByText("× 2 iterations").waitFor()
    await expect
      .poll(() => page.getByRole("tab", { name: "Editor" }).getAttribute("aria-selected"))
      .toBe("true")
    await row("price").click()
    await page.getByRole("tree", { name: "Blocks" }).focus()
    await page.keyboard.press("Alt+ArrowLeft")
    await row("price").getByText("passed").waitFor()
  })

  it("starts a workflow with the block of an operation", async () => {
    const page = await open(await project.link())
    await page.getByRole("treeitem", { name: /^green/ }).waitFor()
    await showPlace(page, "#/apis/shop/operations/POST/%2Forders")
    await page.getByRole("tab", { name: "Use in a workflow" }).click()
    await page.getByRole("button", { name: "New workflow with it…" }).click()
    await page.getByRole("textbox", { name: "Name" }).fill("from-operation")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "from-operation" }).waitFor()
    await page.getByRole("tree", { name: "Blocks" }).getByText("shop · createOrder").waitFor()
  })
})
