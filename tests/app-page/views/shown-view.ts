// One thing that the page can show: a view, or what lies over one; and how to have it shown.

import type { Page } from "playwright-core"
import type { ViewsProject } from "./views-project.ts"

export interface ShownView {
  readonly name: string
  readonly hash: string
  /** What to do before it is shown. */
  readonly act?: (page: Page, project: ViewsProject) => Promise<void>
  /** Takes back what `act` has changed, where it goes on after a reload. */
  readonly leave?: (page: Page, project: ViewsProject) => Promise<void>
}

/** Shows it in a page that was opened before. */
export async function showView(page: Page, project: ViewsProject, { hash, act }: ShownView): Promise<void> {
  // What lies over a page, and a search, go with the page that they were called on.
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

/** Gives up what is not saved of the file that is shown. */
export async function discard(page: Page): Promise<void> {
  await page.keyboard.press("Escape")
  await button(page, "Discard").click()
  await page.locator(".save-bar-state").getByText("Saved", { exact: true }).waitFor()
}

/** Closes what lies over the page, or gives up what is typed. */
export const giveUp = (page: Page): Promise<void> => page.keyboard.press("Escape")
