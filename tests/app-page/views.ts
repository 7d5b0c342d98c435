// Every view of the page for the small project, by name and by the address that shows it.

import type { Page } from "playwright-core"

export interface ShownView {
  readonly name: string
  readonly hash: string
  /** What to do before it is shown. */
  readonly act?: (page: Page) => Promise<void>
}

const orders = encodeURIComponent("/orders/{orderId}")

export const views: readonly ShownView[] = [
  { name: "overview", hash: "#/" },
  { name: "problems", hash: "#/problems" },
  { name: "api", hash: "#/apis/shop" },
  { name: "api-without-document", hash: "#/apis/mail" },
  { name: "operation", hash: `#/apis/shop/operations/DELETE/${orders}` },
  { name: "environment", hash: "#/apis/shop/environments/production" },
  { name: "environments", hash: "#/apis/shop/environments" },
  { name: "environments-none", hash: "#/apis/mail/environments" },
  {
    name: "environments-menu",
    hash: "#/apis/shop/environments/staging",
    act: async (page) => {
      await page.getByRole("rowheader", { name: "timeout" }).click()
      await page.keyboard.press("Space")
    },
  },
  {
    name: "environments-fault",
    hash: "#/apis/shop/environments",
    act: async (page) => {
      await page.getByRole("gridcell", { name: "10000" }).click()
      await page.keyboard.type("soon")
      await page.keyboard.press("Enter")
    },
  },
  {
    name: "environments-settings",
    hash: "#/apis/shop/environments",
    act: async (page) => {
      await page.getByRole("columnheader", { name: /^local/ }).click({ button: "right" })
      await page.getByRole("menuitem", { name: "Settings" }).click()
      await page.getByLabel("TLS certificates").selectOption("false")
    },
  },
  {
    name: "environments-variable",
    hash: "#/apis/shop/environments",
    act: async (page) => {
      await page.getByRole("button", { name: "New variable" }).click()
      await page.getByLabel("Name").fill("level")
    },
  },
  {
    name: "environments-secret",
    hash: "#/apis/shop/environments",
    act: async (page) => {
      await page.getByRole("gridcell", { name: "hidden secret" }).first().dblclick()
    },
  },
  { name: "request", hash: "#/apis/shop/requests/orders/gift" },
  { name: "workflow", hash: "#/workflows/checkout" },
  { name: "workflow-broken", hash: "#/workflows/broken" },
  { name: "missing", hash: "#/workflows/nothing" },
  { name: "search", hash: "#/", act: (page) => page.getByRole("combobox", { name: "Search" }).fill("order") },
  {
    name: "search-nothing",
    hash: "#/",
    act: (page) => page.getByRole("combobox", { name: "Search" }).fill("no such thing"),
  },
  {
    name: "palette",
    hash: "#/",
    act: async (page) => {
      await page.keyboard.press("Control+k")
      await page.keyboard.type("s")
    },
  },
  { name: "shortcuts", hash: "#/", act: (page) => page.keyboard.press("?") },
]

/** Shows it in a page that was opened before. */
export async function showView(page: Page, { hash, act }: ShownView): Promise<void> {
  // A view over the page, and a search, go with the page that they were called on.
  await page.goto(`${new URL(page.url()).origin}/${hash}`)
  await page.reload()
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.getByRole("tree", { name: "Project" }).waitFor()
  await act?.(page)
}
