// Runs: their questions, reports and history, and single requests.

import type { Page } from "playwright-core"
import { button, discard, main, pick, toTab, type ShownView } from "./shown-view.ts"
import { chooseEnvironment } from "../edit-project.ts"

const report = (page: Page) => page.getByRole("tree", { name: "Report" })

async function toRuns(page: Page, environment: string): Promise<void> {
  await toTab(page, "Runs")
  await page.getByRole("form", { name: "Run" }).waitFor()
  await chooseEnvironment(page, environment)
}

const ended = (page: Page): Promise<void> =>
  page.getByText(/^The run has ended/).waitFor({ state: "attached" })

async function runToEnd(page: Page): Promise<void> {
  await toRuns(page, "local")
  await page.keyboard.press("Control+Enter")
  await ended(page)
}

/** The run of the previous view. */
async function showBlock(page: Page, id: string): Promise<void> {
  await toTab(page, "Runs")
  await report(page).getByRole("treeitem").filter({ hasText: id }).first().click()
  await page.locator("#run-report").evaluate((element) => element.scrollIntoView({ block: "start" }))
}

const responseTab = (tab: string): ShownView => ({
  name: `run-${tab.toLowerCase()}`,
  hash: "#/workflows/kinds",
  act: async (page) => {
    await showBlock(page, "old")
    await page.getByRole("region", { name: "Response" }).getByRole("tab", { name: tab }).click()
  },
})

const nightly = "#/suites/nightly"
const gift = "#/apis/shop/requests/orders/gift"

async function sendGift(page: Page): Promise<void> {
  await chooseEnvironment(page, "local")
  await button(page, "Send").click()
  await page.getByRole("region", { name: "Sent request" }).getByText("answered").waitFor()
}

async function toJson(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "JSON" }).first().click()
  await page.locator(".cm-content").waitFor()
}

export const runningViews: readonly ShownView[] = [
  {
    name: "run-form",
    hash: "#/workflows/checkout",
    act: (page) => toRuns(page, "local"),
  },
  {
    name: "run-form-fault",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toRuns(page, "local")
      await page.getByLabel("quantity").fill("many")
      await page.keyboard.press("Control+Enter")
      await page.locator(".field-error:not(:empty)").first().waitFor()
    },
    leave: (page) => page.getByLabel("quantity").fill(""),
  },
  { name: "run-failed", hash: "#/workflows/kinds", act: runToEnd },
  { name: "run-contract", hash: "#/workflows/kinds", act: (page) => showBlock(page, "old") },
  responseTab("Raw"),
  responseTab("Headers"),
  { name: "run-green", hash: "#/workflows/checkout", act: runToEnd },
  {
    name: "run-exchange",
    hash: "#/workflows/checkout",
    act: (page) => showBlock(page, "create"),
  },
  { name: "run-loop", hash: "#/workflows/checkout", act: (page) => showBlock(page, "add-teas") },
  {
    name: "run-iterations",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await showBlock(page, "add-teas")
      await page.keyboard.press("ArrowRight")
      await report(page).getByRole("treeitem", { level: 2 }).first().waitFor()
    },
  },
  {
    name: "run-value-menu",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await showBlock(page, "create")
      const response = page.getByRole("region", { name: "Response" })
      await response.locator(".value-button").first().click()
      await page.getByRole("menu").waitFor()
    },
  },
  {
    name: "run-compared",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toRuns(page, "local")
      await page.getByLabel("quantity").fill("3")
      await page.keyboard.press("Control+Enter")
      await ended(page)
      await page.getByRole("button", { name: "Compare" }).first().click()
      const comparison = page.getByRole("region", { name: "Comparison of two runs" })
      await comparison.getByText(/ differ\./).waitFor()
    },
  },
  {
    name: "run-save-sent",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await showBlock(page, "create")
      await button(page, "Save as request…").click()
      await page.getByRole("dialog").waitFor()
    },
  },
  {
    name: "run-going",
    hash: "#/workflows/patient",
    act: async (page) => {
      await toRuns(page, "local")
      await page.keyboard.press("Control+Enter")
      await report(page).getByRole("treeitem", { name: "wait" }).waitFor()
    },
    leave: async (page) => {
      await button(page, "Stop").click()
      await ended(page)
    },
  },
  { name: "run-stopped", hash: "#/workflows/patient", act: (page) => toTab(page, "Runs") },
  {
    name: "run-script",
    hash: "#/workflows/returns",
    act: async (page) => {
      await toRuns(page, "local")
      await page.keyboard.press("Control+Enter")
      await trustIfAsked(page)
      await ended(page)
    },
  },
  {
    name: "run-unsaved",
    hash: "#/workflows/kinds",
    act: async (page) => {
      await toTab(page, "Editor")
      await page.getByRole("button", { name: /^Settings and inputs/ }).click()
      await main(page).getByLabel("When a block fails").selectOption("continue")
      await perform(page, "ask before a run saves")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("dialog", { name: "Save before the run?" }).waitFor()
    },
    leave: async (page) => {
      await page.keyboard.press("Escape")
      await perform(page, "without asking")
      await discard(page)
    },
  },
  {
    name: "run-trust",
    hash: "#/workflows/returns",
    act: async (page, { replace }) => {
      await toRuns(page, "local")
      replace("apis/workflow/scripts/returns/checks.ts", "export", "// seen\nexport")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("dialog").waitFor()
    },
    leave: async (_, { replace }) => {
      replace("apis/workflow/scripts/returns/checks.ts", "// seen\n", "")
    },
  },
  {
    name: "run-production",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toRuns(page, "production")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("dialog").waitFor()
    },
  },
  {
    name: "run-production-wrong",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toRuns(page, "production")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("dialog").getByRole("textbox").fill("staging")
      await page.keyboard.press("Enter")
      await page.getByText("That is not the environment's name.").waitFor()
    },
  },
  { name: "request", hash: gift, act: (page) => page.getByRole("form", { name: "Send" }).waitFor() },
  { name: "request-json", hash: gift, act: toJson },
  {
    name: "request-elsewhere",
    hash: gift,
    act: async (page) => {
      const url = page.getByRole("textbox", { name: "URL", exact: true })
      await url.fill("https://elsewhere.invalid/orders")
      await url.press("Enter")
      await page.locator(".url-notice").waitFor()
    },
  },
  { name: "request-in-workflow", hash: gift, act: (page) => toTab(page, "Use in a workflow") },
  { name: "request-sent", hash: gift, act: sendGift },
  ...(["Rename…", "Duplicate…", "Delete…"] as const).map((does) => ({
    name: `request-${does.slice(0, -1).toLowerCase()}`,
    hash: gift,
    act: async (page: Page) => {
      await page.getByRole("button", { name: /^More actions for/ }).click()
      await pick(page, does)
    },
  })),
  {
    name: "request-ticked",
    hash: gift,
    act: async (page) => {
      await sendGift(page)
      await page.getByRole("button", { name: /^status equals/ }).click()
    },
  },
  { name: "suite", hash: nightly, act: (page) => button(page, "Edit…").waitFor() },
  { name: "suite-edit", hash: nightly, act: (page) => button(page, "Edit…").click() },
  {
    name: "suite-new",
    hash: nightly,
    act: (page) => page.getByRole("treeitem", { name: "New suite…" }).click(),
  },
  {
    name: "request-add-to-a-workflow",
    hash: gift,
    act: (page) => button(page, "Add to a workflow…").click(),
  },
  {
    name: "request-parts",
    hash: "#/apis/payments/requests/evidence/delivery-note",
    act: (page) => page.getByRole("form", { name: "Send" }).waitFor(),
  },
]

async function trustIfAsked(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog")
  await dialog
    .or(page.getByText(/^The run has (started|ended)/))
    .first()
    .waitFor({ state: "attached" })
  if (await dialog.isVisible()) await dialog.getByRole("button", { name: /run$/ }).click()
}

/** Performs a command of the palette. */
async function perform(page: Page, command: string): Promise<void> {
  await page.keyboard.press("Control+k")
  await page.keyboard.insertText(command)
  await page
    .getByRole("option", { name: new RegExp(command, "i") })
    .first()
    .waitFor()
  await page.keyboard.press("Enter")
}
