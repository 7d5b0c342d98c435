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

/** Shows the view in a page that is open at the previous view. */
export async function showView(page: Page, project: ViewsProject, { hash, act }: ShownView): Promise<void> {
  await goTo(page, hash)
  await main(page).getByText(nowhere).waitFor({ state: "detached" })
  await ready(page)
  await act?.(page, project)
}

/** Reverts the view's changes. Reloads the page only after `leave`, because a reload takes the most time. */
export async function leaveView(page: Page, project: ViewsProject, { leave }: ShownView): Promise<void> {
  await leave?.(page, project)
  await page.keyboard.press("Escape")
  const overlay = page.locator("dialog[open], [role=menu], [role=listbox]")
  for (let presses = 1; presses < 5 && (await overlay.count()) > 0; presses++)
    await page.keyboard.press("Escape")
  await page.getByRole("combobox", { name: "Search" }).fill("")
  await goTo(page, `#/apis/${nowhere}`)
  await main(page).getByText(nowhere).waitFor()
  if (leave === undefined) return
  await page.reload()
  await ready(page)
}

/** An API that doesn't exist: its page takes the place of the previous view, which loses its state. */
const nowhere = "between-two-views"

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((next) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    window.location.assign(next)
  }, hash)

async function ready(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.getByRole("tree", { name: "Project" }).waitFor()
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
