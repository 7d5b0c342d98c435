// Views that only the pictures show: other tests check them with axe.

import type { Page } from "playwright-core"
import { button, main, toTab, type ShownView } from "../views/shown-view.ts"
import { chooseEnvironment } from "../edit-project.ts"

const checkout = "#/workflows/checkout"
const gift = "#/apis/shop/requests/orders/gift"
const order = `#/apis/shop/operations/POST/${encodeURIComponent("/orders")}`

async function toBlock(page: Page, id: string): Promise<void> {
  await toTab(page, "Editor")
  const rows = page.getByRole("tree", { name: "Blocks" }).getByRole("treeitem")
  await rows
    .filter({ has: page.locator(".wf-id").getByText(id, { exact: true }) })
    .first()
    .click()
}

const inEditor = (name: string, id: string, workflow = checkout): ShownView => ({
  name,
  hash: workflow,
  act: async (page) => {
    await toBlock(page, id)
    await page.getByRole("region", { name: "Result" }).locator(".result-head").waitFor()
  },
})

export const moreViews: readonly ShownView[] = [
  inEditor("editor-ran", "create"),
  inEditor("editor-ran-assert", "order-is-complete"),
  inEditor("editor-ran-loop", "add-teas"),
  inEditor("editor-ran-failed", "cheap", "#/workflows/kinds"),
  {
    name: "assertion-controls",
    hash: checkout,
    act: async (page) => {
      await toBlock(page, "order-is-complete")
      await page.getByRole("group", { name: "Assertion 2" }).hover()
    },
  },
  {
    name: "choice-open",
    hash: checkout,
    act: async (page) => {
      await toBlock(page, "order-is-complete")
      await page.getByLabel("Assertion 2: operator").click()
    },
  },
  {
    name: "map",
    hash: checkout,
    act: async (page) => {
      await toTab(page, "Map")
      await page.getByRole("tree", { name: "Map of the workflow" }).waitFor()
    },
  },
  {
    name: "report-timeline",
    hash: checkout,
    act: async (page) => {
      await toTab(page, "Runs")
      await button(page, "Timeline").click()
      await page.getByRole("listbox", { name: /^Requests over/ }).waitFor()
    },
  },
  { name: "suite", hash: "#/suites/nightly", act: (page) => button(page, "Run suite").waitFor() },
  {
    name: "suite-ran",
    hash: "#/suites/nightly",
    act: async (page) => {
      await chooseEnvironment(page, "local")
      await button(page, "Run suite").click()
      await page.getByText(/^The run has ended/).waitFor({ state: "attached" })
    },
  },
  { name: "settings", hash: "#/settings", act: (page) => page.locator(".cm-content").waitFor() },
  { name: "operation-docs", hash: order, act: (page) => toTab(page, "Docs") },
  { name: "operation-snippet", hash: order, act: (page) => toTab(page, "Use in a workflow") },
  { name: "operation-uses", hash: order, act: (page) => toTab(page, "Used by") },
  { name: "request-uses", hash: gift, act: (page) => toTab(page, "Used by") },
  {
    name: "overview-ran",
    hash: "#/",
    act: async (page) => {
      await page.getByLabel("Environment", { exact: true }).selectOption("local")
      for (const name of ["smoke", "kinds", "catalog"])
        await page.getByRole("checkbox", { name: `Select ${name}` }).check()
      await page.getByRole("button", { name: /^Run 3/ }).click()
      await page.getByText(/^Ran 3 of 3/).waitFor()
    },
  },
  {
    name: "environment-choice",
    hash: "#/",
    act: (page) => page.getByLabel("Environment", { exact: true }).click(),
  },
  {
    name: "import-document",
    hash: "#/",
    act: (page) => main(page).getByRole("button", { name: "Add an OpenAPI document" }).click(),
  },
  {
    name: "import-requests",
    hash: "#/",
    act: (page) => main(page).getByRole("button", { name: "Import requests" }).click(),
  },
  {
    name: "explorer-menu",
    hash: "#/",
    act: async (page) => {
      await page.keyboard.press("Control+k")
      await page.keyboard.type("smoke")
      await page.keyboard.press("Enter")
      await page.locator(".row[aria-selected=true]").click({ button: "right" })
      await page.getByRole("menu").waitFor()
    },
  },
]
