// The table of environments, with its dialogs and panels.

import type { Locator, Page } from "playwright-core"
import { cellOf } from "../environments-project.ts"
import { button, giveUp, pick, type ShownView } from "./shown-view.ts"

const table = "#/apis/shop/environments"
const grid = (page: Page): Promise<void> => page.getByRole("grid").waitFor()
const row = (page: Page, variable: string): Locator =>
  page.getByRole("rowheader", { name: new RegExp(`^${variable}\\b`) })
const column = (page: Page, environment: string): Locator =>
  page.getByRole("columnheader", { name: new RegExp(`^${environment}\\b`) })

async function fromMenu(page: Page, of: Locator, item: string): Promise<void> {
  await of.click({ button: "right" })
  await pick(page, item)
  await page.getByRole("dialog").waitFor()
}

/** Goes from the form to its preview. */
async function toPlan(page: Page): Promise<void> {
  await page.keyboard.press("Enter")
  await page.locator(".plan").waitFor()
}

export const environmentViews: readonly ShownView[] = [
  { name: "environments", hash: table, act: grid },
  { name: "environments-one", hash: `${table}/staging`, act: grid },
  { name: "environments-few", hash: "#/apis/legacy/environments", act: grid },
  { name: "environments-none", hash: "#/apis/mail/environments" },
  {
    name: "environments-by-api",
    hash: "#/",
    act: async (page) => {
      await page.getByLabel("Environment", { exact: true }).selectOption({ label: "Choose per API…" })
      await page.getByRole("dialog", { name: "Environments by API" }).waitFor()
    },
  },
  {
    name: "environment-of-workflow",
    hash: "#/workflows/checkout",
    act: async (page) => {
      await button(page, "Environment of this workflow").click()
      await page.getByRole("menu").waitFor()
    },
  },
  {
    name: "environments-filter",
    hash: table,
    act: async (page) => {
      await grid(page)
      await page.locator(".env-filter").fill("no such variable")
    },
  },
  {
    name: "environments-menu",
    hash: `${table}/staging`,
    act: async (page) => {
      await row(page, "timeout").click()
      await page.keyboard.press("Space")
      await page.getByRole("menu").waitFor()
    },
  },
  {
    name: "environments-cell",
    hash: table,
    act: async (page) => (await cellOf(page, "email", "staging")).dblclick(),
    leave: giveUp,
  },
  {
    name: "environments-boolean",
    hash: "#/apis/legacy/environments",
    act: async (page) => {
      await (await cellOf(page, "verbose", "local")).dblclick()
      await page.getByRole("menu").waitFor()
    },
  },
  {
    name: "environments-fault",
    hash: table,
    act: async (page) => {
      await (await cellOf(page, "timeout", "staging")).click()
      await page.keyboard.type("soon")
      await page.keyboard.press("Enter")
      await page.getByText("That is not a number.").first().waitFor()
    },
    leave: giveUp,
  },
  {
    name: "environments-conflict",
    hash: table,
    act: async (page, { replace }) => {
      await (await cellOf(page, "timeout", "staging")).click()
      await page.keyboard.type("1")
      replace("apis/shop/environments/staging.json", '"timeout": 10000', '"timeout": 20000')
      await page.getByText("changed in another window").waitFor()
      await page.keyboard.press("Enter")
      await button(page, "Save mine").waitFor()
    },
    leave: async (page, { replace }) => {
      await button(page, "Take theirs").click()
      replace("apis/shop/environments/staging.json", '"timeout": 20000', '"timeout": 10000')
    },
  },
  {
    name: "environments-revealed",
    hash: table,
    act: async (page) => {
      await (await cellOf(page, "password", "staging")).click({ button: "right" })
      await pick(page, "Reveal")
      await button(page, "Hide").waitFor()
    },
  },
  {
    name: "environments-secret",
    hash: table,
    act: async (page) => (await cellOf(page, "password", "staging")).dblclick(),
  },
  {
    name: "environments-settings",
    hash: table,
    act: async (page) => {
      await fromMenu(page, column(page, "local"), "Settings")
      await page.getByLabel("TLS certificates").selectOption("false")
    },
  },
  { name: "environment-new", hash: table, act: (page) => button(page, "New environment").click() },
  {
    name: "environment-rename",
    hash: table,
    act: (page) => fromMenu(page, column(page, "local"), "Rename…"),
  },
  {
    name: "environment-delete",
    hash: table,
    act: (page) => fromMenu(page, column(page, "staging"), "Delete…"),
  },
  {
    name: "environment-delete-not",
    hash: table,
    act: (page) => fromMenu(page, column(page, "base"), "Delete…"),
  },
  {
    name: "variable-new",
    hash: table,
    act: async (page) => {
      await button(page, "New variable").click()
      await page.getByRole("textbox", { name: "Name" }).fill("level")
    },
  },
  { name: "variable-edit", hash: table, act: (page) => fromMenu(page, row(page, "timeout"), "Edit…") },
  { name: "variable-rename", hash: table, act: (page) => fromMenu(page, row(page, "email"), "Rename…") },
  {
    name: "variable-rename-plan",
    hash: table,
    act: async (page) => {
      await fromMenu(page, row(page, "email"), "Rename…")
      await page.getByRole("textbox", { name: "New name" }).fill("customerEmail")
      await toPlan(page)
    },
  },
  {
    name: "variable-secret-plan",
    hash: table,
    act: async (page) => {
      await fromMenu(page, row(page, "email"), "Edit…")
      await page.getByRole("checkbox", { name: /secret/i }).check()
      await button(page, "Review changes").click()
      await page.locator(".plan").waitFor()
    },
  },
  { name: "variable-delete", hash: table, act: (page) => fromMenu(page, row(page, "currency"), "Delete…") },
  {
    name: "environments-text",
    hash: "#/apis/shop/environment-text/staging",
    act: async (page) => page.locator(".cm-content").waitFor(),
  },
  {
    name: "environments-broken",
    hash: table,
    act: async (page, { replace }) => {
      await grid(page)
      replace("apis/shop/environments/staging.json", '"extends": "base",', '"extends": "base"')
      await page.getByRole("link", { name: "Open as text" }).first().waitFor()
    },
    leave: async (_, { replace }) => {
      replace("apis/shop/environments/staging.json", '"extends": "base"', '"extends": "base",')
    },
  },
]
