// The editor of workflows: forms for every kind of block, menus, suggestions, settings, the text, and scripts.

import type { Page } from "playwright-core"
import { editor } from "../edit-project.ts"
import { openTarget } from "../form-project.ts"
import { button, discard, main, toTab, type ShownView } from "./shown-view.ts"

/** Selects a block in the visible workflow's editor. */
async function select(page: Page, id: string): Promise<void> {
  await toTab(page, "Editor")
  const rows = page.getByRole("tree", { name: "Blocks" }).getByRole("treeitem")
  await rows
    .filter({ has: page.locator(".wf-id").getByText(id, { exact: true }) })
    .first()
    .click()
  await page.getByLabel("Id", { exact: true }).waitFor()
}

const block = (name: string, workflow: string, id: string): ShownView => ({
  name: `block-${name}`,
  hash: `#/workflows/${workflow}`,
  act: (page) => select(page, id),
})

const script = "#/workflows/returns/scripts/checks"

async function openScript(page: Page): Promise<void> {
  await page.locator(".cm-content").waitFor()
}

export const workflowViews: readonly ShownView[] = [
  block("request", "checkout", "create"),
  block("request-operation", "checkout", "product"),
  block("assert", "checkout", "order-is-complete"),
  block("transform", "checkout", "session"),
  block("condition", "kinds", "if-found"),
  block("loop-each", "checkout", "add-teas"),
  block("loop-until", "checkout", "await-shipment"),
  block("group", "kinds", "together"),
  block("script", "returns", "unpack"),
  {
    name: "workflow-settings",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toTab(page, "Editor")
      await page.getByRole("button", { name: /^Settings and inputs/ }).click()
    },
  },
  { name: "workflow-empty", hash: "#/workflows/empty", act: (page) => toTab(page, "Editor") },
  {
    name: "workflow-menu",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toTab(page, "Editor")
      await page.getByRole("tree", { name: "Blocks" }).getByRole("treeitem").nth(3).click({ button: "right" })
      await page.getByRole("menu").waitFor()
    },
  },
  {
    name: "workflow-add",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toTab(page, "Editor")
      await button(page, "Add a block").click()
      await page.getByRole("menu").waitFor()
    },
  },
  {
    name: "operation-picker",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await select(page, "product")
      await openTarget(page)
      await main(page).getByRole("combobox", { name: "Operation" }).fill("order")
      await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
    },
  },
  {
    name: "completion",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await select(page, "create")
      const field = main(page).getByLabel("body lines.0.sku", { exact: true })
      await field.press("Control+a")
      await page.keyboard.type("{{product.response.body.")
      await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
    },
    leave: discard,
  },
  {
    name: "block-problem",
    hash: "#/workflows/kinds",
    act: async (page) => {
      await select(page, "name")
      const source = main(page).locator(".output-row").getByRole("combobox").last()
      await source.fill("nothing.response.body")
      await main(page).locator(".form-problems, .form-fault").first().waitFor()
    },
    leave: discard,
  },
  {
    name: "workflow-json",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toTab(page, "JSON")
      await page.locator(".cm-content").waitFor()
    },
  },
  {
    name: "workflow-json-problem",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await toTab(page, "JSON")
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type("x")
      await page.locator(".cm-lintRange-error").first().waitFor()
    },
    leave: discard,
  },
  { name: "workflow-broken", hash: "#/workflows/broken" },
  { name: "scripts", hash: "#/workflows/returns", act: (page) => toTab(page, "Scripts") },
  { name: "scripts-none", hash: "#/workflows/empty", act: (page) => toTab(page, "Scripts") },
  {
    name: "script-new",
    hash: "#/workflows/returns",
    act: async (page) => {
      await toTab(page, "Scripts")
      await button(page, "New script…").click()
    },
  },
  { name: "script", hash: script, act: openScript },
  {
    name: "script-completion",
    hash: script,
    act: async (page) => {
      await openScript(page)
      await editor(page).click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type("\nexport const is = (ctx: ConditionContext) => ctx.")
      await page.locator(".cm-tooltip-autocomplete li").first().waitFor()
    },
    leave: discard,
  },
  ...(["Rename…", "Delete…"] as const).map((does) => ({
    name: `script-${does.slice(0, -1).toLowerCase()}`,
    hash: script,
    act: (page: Page) => button(page, does).click(),
  })),
  {
    name: "conflict",
    hash: "#/workflows/checkout",
    act: async (page, { replace }) => {
      await select(page, "prepare")
      await main(page).getByLabel("Description", { exact: true }).fill("Sign in, and look at the price.")
      replace("apis/workflow/checkout.json", '"default": 2', '"default": 5')
      await page.getByText("Changed on disk since you started editing").first().waitFor()
      await page.keyboard.press("Control+s")
      await page.getByRole("dialog", { name: /^Conflict/ }).waitFor()
    },
    leave: takeTheirs('"default": 5', '"default": 2'),
  },
  {
    name: "conflict-places",
    hash: "#/workflows/checkout",
    act: async (page, { replace }) => {
      await select(page, "prepare")
      await main(page).getByLabel("Description", { exact: true }).fill("Mine.")
      const path = "apis/workflow/checkout.json"
      replace(path, "Sign in and see what the product costs.", "Theirs.")
      replace(path, '"default": 2', '"default": 5')
      await button(page, "Compare…").click()
      await button(page, "Choose change by change…").click()
      await page.getByRole("group", { name: "Differences" }).waitFor()
    },
    leave: async (page, project) => {
      await button(page, "Back").click()
      await takeTheirs('"default": 5', '"default": 2')(page, project)
      project.replace("apis/workflow/checkout.json", "Theirs.", "Sign in and see what the product costs.")
    },
  },
]

function takeTheirs(from: string, to: string): NonNullable<ShownView["leave"]> {
  return async (page, { replace }) => {
    await button(page, "Take theirs").click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    replace("apis/workflow/checkout.json", from, to)
  }
}
