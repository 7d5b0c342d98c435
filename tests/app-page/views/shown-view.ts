// One thing that the page can show: a view or an overlay, with the steps to show it.

import type { Page } from "playwright-core"
import type { ViewsProject } from "./views-project.ts"

export interface ShownView {
  readonly name: string
  readonly hash: string
  /** Steps before it is shown. */
  readonly act?: (page: Page, project: ViewsProject) => Promise<void>
  /** Reverts the changes of `act` that survive a reload. */
  readonly leave?: (page: Page, project: ViewsProject) => Promise<void>
}

/** Shows it in a page that is already open. */
export async function showView(page: Page, project: ViewsProject, { hash, act }: ShownView): Promise<void> {
  // Overlays and a search disappear with the page that they were opened on.
  await page.goto(`${new URL(page.url()).origin}/${hash}`)
  await page.reload()
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.getByRole("tree", { name: "Project" }).waitFor()
  await act?.(page, project)
}

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

export const main = (page: Page) => page.getByRole("main")

export async function pick(page: Page, item: string): Promise<void> {
  await page.getByRole("menuitem", { name: item }).click()
}

/** The tab of a workflow, or of a saved request. */
export async function toTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name, exact: true }).click()
  await page.getByRole("tabpanel", { name }).waitFor()
}

/** Discards unsaved changes of the visible file. */
export async function discard(page: Page): Promise<void> {
  await page.keyboard.press("Escape")
  await button(page, "Discard").click()
  await page.locator(".save-bar-state").getByText("Saved", { exact: true }).waitFor()
}

/** Closes an overlay or discards typed text. */
export const giveUp = (page: Page): Promise<void> => page.keyboard.press("Escape")
