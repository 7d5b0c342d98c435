// Views of the whole project, its APIs, their operations, the search, and the overlays of every page.

import type { Page } from "playwright-core"
import { button, pick, type ShownView } from "./shown-view.ts"
import { chooseEnvironment } from "../edit-project.ts"
import type { ViewsProject } from "./views-project.ts"

const operation = (method: string, path: string): string =>
  `#/apis/shop/operations/${method}/${encodeURIComponent(path)}`

const checked = (page: Page): Promise<void> => page.getByRole("link", { name: /^Problems.*error/ }).waitFor()

const startField = (page: Page) => page.getByLabel("URL, curl command, or address of an OpenAPI document")

async function sendCurl(page: Page, { shopUrl }: ViewsProject): Promise<void> {
  await startField(page).fill(`curl --digest ${shopUrl}/products/MUG-01`)
  await button(page, "Send").click()
  await button(page, "Save request…").waitFor()
}

export const projectViews: readonly ShownView[] = [
  { name: "overview", hash: "#/", act: checked },
  { name: "problems", hash: "#/problems", act: checked },
  { name: "api", hash: "#/apis/shop" },
  {
    name: "api-update",
    hash: "#/apis/legacy",
    act: (page) => button(page, "Update from source…").click(),
  },
  {
    name: "add-document",
    hash: "#/",
    act: (page) => page.getByRole("main").getByRole("button", { name: "Add an OpenAPI document…" }).click(),
  },
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
  {
    name: "login",
    hash: "#/apis/legacy/operations/GET/%2Faccount",
    act: async (page) => {
      await chooseEnvironment(page, "local")
      await button(page, "Log in: login").click()
      await page.getByRole("dialog", { name: "Log in to login" }).waitFor()
    },
  },
  { name: "send", hash: "#/send", act: (page) => startField(page).waitFor() },
  { name: "send-response", hash: "#/send", act: sendCurl },
  {
    name: "send-save",
    hash: "#/send",
    act: async (page, project) => {
      await sendCurl(page, project)
      await button(page, "Save request…").click()
      await page.getByText("will be written").waitFor()
    },
  },
  {
    name: "send-refused",
    hash: "#/send",
    act: async (page) => {
      await startField(page).fill("no request")
      await button(page, "Send").click()
      await page.getByText("expected one URL").waitFor()
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
