// Adds blocks into a condition, a loop or a group that is selected.

import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { axeFindingsInThemes } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { save, selectBlock, workflowPath, type FormProject } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does. */
const expected = /net::ERR_/

describe.runIf(hasBrowser)("a block that contains others", () => {
  let project: FormProject
  let page: Page
  useFormProject({ expected }, (opened) => ({ project, page } = opened))

  const tree = () => page.getByRole("tree", { name: "Blocks" })
  /** The row of a block's id, or of a branch. */
  const row = (name: string) =>
    tree()
      .getByRole("treeitem")
      .filter({ has: page.locator(".wf-id, .wf-branch").filter({ hasText: new RegExp(`^${name}$`) }) })
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const kind = (name: string) => page.getByRole("menuitem", { name: new RegExp(`^${name}`) })
  /** The types of a block's blocks in the file. */
  const typesIn = async (id: string, field: string): Promise<readonly string[]> => {
    await save(page)
    const { blocks } = JSON.parse(await project.read(workflowPath)) as {
      readonly blocks: readonly (Record<string, readonly { readonly type: string }[]> & { id: string })[]
    }
    return blocks.find((block) => block.id === id)?.[field]?.map(({ type }) => type) ?? []
  }

  it("offers the place in its row while it is empty, by mouse", async () => {
    await selectBlock(page, "forms", "rounds")
    await row("rounds").getByText("Add a block here").click()
    await page.getByRole("menu", { name: "Add a block inside it" }).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await kind("script").click()
    await row("rounds").getByText("Add a block here").waitFor({ state: "detached" })
    expect(await typesIn("rounds", "blocks")).toEqual(["script"])
    await row("else").getByText("Add a block here").click()
    await page.getByRole("menu", { name: "Add a block to else" }).waitFor()
    await kind("group").click()
    expect(await typesIn("if-new", "else")).toEqual(["group"])
  })

  it("is filled by Add a block while it is empty, and by Add inside later", async () => {
    await selectBlock(page, "forms", "if-new")
    await button("Add inside").waitFor({ state: "detached" })
    await button("Add a block").press("Enter")
    await page.getByRole("menu", { name: "Add a block to then" }).waitFor()
    await kind("script").press("Enter")
    await row("if-new").click()
    await button("Add inside").press("Enter")
    await page.getByRole("menu", { name: "Add a block to then" }).waitFor()
    await kind("group").press("Enter")
    expect(await typesIn("if-new", "then")).toEqual(["script", "group"])
    await row("if-new").click()
    await button("Add a block").press("Enter")
    await page.getByRole("menu", { name: "Add a block below it" }).waitFor()
    await page.keyboard.press("Escape")
    await row("book").click()
    await button("Add inside").waitFor({ state: "detached" })
  })
})
