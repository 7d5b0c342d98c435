// Views of the whole project, its APIs, their operations, the search, and the overlays of every page.

import type { Page } from "playwright-core"
import { button, pick, type ShownView } from "./shown-view.ts"
import { chooseEnvironment } from "../edit-project.ts"

const operation = (method: string, path: string): string =>
  `#/apis/shop/operations/${method}/${encodeURIComponent(path)}`

const checked = (page: Page): Promise<void> => page.getByRole("link", { name: /^Problems.*error/ }).waitFor()

export const projectViews: readonly ShownView[] = [
  { name: "overview", hash: "#/", act: checked },
  { name: "problems", hash: "#/problems", act: checked },
  { name: "api", hash: "#/apis/shop" },
  { name: "api-without-document", hash: "#/apis/mail" },
  {
    name: "operation",
    hash: operation("POST", "/orders"),
    act: async (page) => page.getByRole("form", { name: "Send" }).waitFor(),
  },
  {
    name: "operation-sent",
    hash: operation("GET", "/products/{sku}"),
    act: async (page) => {
      await chooseEnvironment(page, "local")
      await page.getByRole("combobox", { name: "sku" }).fill("MUG-01")
      await button(page, "Send").click()
      const sent = page.getByRole("region", { name: "Sent request" })
      await sent.getByText("answered").waitFor()
    },
  },
  {
    name: "authentication-by-hand",
    hash: "#/apis/mail/requests/letters/hello",
    act: async (page) => {
      await button(page, "API key…").click()
      await page.getByRole("dialog", { name: "API key" }).waitFor()
    },
  },
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
  { name: "new-workflow", hash: "#/", act: (page) => button(page, "New workflow…").click() },
  ...(["Rename…", "Duplicate…", "Delete…"] as const).map((does) => ({
    name: `${does.slice(0, -1).toLowerCase()}-workflow`,
    hash: "#/workflows/checkout",
    act: async (page: Page) => {
      await page.getByRole("button", { name: /^More actions for/ }).click()
      await pick(page, does)
    },
  })),
]
