// Takes the pictures of docs/guide/app.md and app-editing.md, with the sample project and its server: `npm run
// screenshots`.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startSampleApi, type SampleApi } from "../../../examples/shop/server/start-sample-api.ts"
import { startCommand, type RunningCommand } from "../../app-server/start-command.ts"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import { chooseEnvironment, showPlace } from "../edit-project.ts"
import { smallPng } from "./small-png.ts"

const sample = fileURLToPath(new URL("../../../examples/shop", import.meta.url))
const pictures = fileURLToPath(new URL("../../../docs/guide/tour", import.meta.url))

// The sample's servers, if their ports are free.
const shopUrl = "http://127.0.0.1:4010"
const paymentsUrl = "http://127.0.0.1:4011"

describe.runIf(hasBrowser)("the tour", () => {
  const { open } = useBrowser()
  const home = mkdtempSync(join(tmpdir(), "callsheet-tour-"))
  const folder = join(home, "shop")
  let api: SampleApi
  let command: RunningCommand
  let page: Page
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    cpSync(sample, folder, { recursive: true })
    api = await startSampleApi()
    replace("apis/shop/environments/base.json", shopUrl, api.shopUrl)
    replace("apis/payments/environments/base.json", paymentsUrl, api.paymentsUrl)
    command = await startCommand({ cwd: folder, env: { HOME: home, XDG_STATE_HOME: join(home, "state") } })
  })
  afterAll(async () => {
    await command.end("SIGINT")
    await api.close()
    rmSync(home, { recursive: true, force: true })
  })

  const button = (name: string): Locator => page.getByRole("button", { name, exact: true })
  const tab = (name: string): Locator => page.getByRole("tab", { name, exact: true })
  const reportRow = (id: string): Locator =>
    page.getByRole("tree", { name: "Report" }).getByRole("treeitem").filter({ hasText: id }).first()

  const take = async (name: string, colorScheme: "light" | "dark" = "light"): Promise<void> => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await page.evaluate(settleTexts, [
      [api.shopUrl, shopUrl],
      [api.paymentsUrl, paymentsUrl],
    ] as const)
    const png = await page.screenshot({ animations: "disabled", caret: "initial" })
    writeFileSync(join(pictures, `${name}.png`), smallPng(png))
    await page.emulateMedia({ colorScheme: "light" })
  }
  const replace = (path: string, from: string, to: string): (() => void) => {
    const file = join(folder, path)
    const before = readFileSync(file, "utf8")
    if (!before.includes(from)) throw new Error(`${path} does not contain ${from}`)
    writeFileSync(file, before.replace(from, to))
    return () => writeFileSync(file, before)
  }
  const select = async (workflow: string, id: string): Promise<void> => {
    await showPlace(page, `#/workflows/${workflow}`)
    await page.getByRole("heading", { level: 1, name: workflow }).waitFor()
    await tab("Editor").click()
    const rows = page.getByRole("main").getByRole("treeitem")
    await rows
      .filter({ has: page.getByText(id, { exact: true }) })
      .first()
      .click()
    await page.getByLabel("Id", { exact: true }).waitFor()
  }
  const run = async (workflow: string, outcome: "passed" | "failed", quantity?: string): Promise<void> => {
    await showPlace(page, `#/workflows/${workflow}`)
    await page.getByRole("heading", { level: 1, name: workflow }).waitFor()
    await tab("Runs").click()
    await chooseEnvironment(page, "local")
    if (quantity !== undefined) await page.getByLabel("quantity").fill(quantity)
    await page.keyboard.press("Control+Enter")
    await page.getByText(new RegExp(`^The run has ended: ${outcome}`)).waitFor({ state: "attached" })
  }
  const toReport = (): Promise<void> =>
    page.locator("#run-report").evaluate((element) => element.scrollIntoView({ block: "center" }))

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    "01-overview": async () => {
      await run("checkout", "passed", "2")
      await run("refund", "passed")
      await showPlace(page, "#/")
      await page.getByRole("heading", { level: 1, name: "shop" }).waitFor()
      await take("01-overview")
    },
    "02-environments": async () => {
      await showPlace(page, "#/apis/shop/environments/staging")
      await page.getByRole("columnheader", { name: /^staging/ }).waitFor()
      await take("02-environments")
    },
    "03-rename": async () => {
      await page.getByRole("rowheader", { name: /^email/ }).click({ button: "right" })
      await page.getByRole("menuitem", { name: "Rename…" }).click()
      await page.getByRole("textbox", { name: "New name" }).fill("customerEmail")
      await page.keyboard.press("Enter")
      await page.locator(".diff-row").first().waitFor()
      await take("03-rename")
      await page.keyboard.press("Escape")
      await page.keyboard.press("Escape")
    },
    "04-editor": async () => {
      await select("checkout", "create")
      await take("04-editor")
    },
    "05-completion": async () => {
      await select("checkout", "create")
      const field = page.getByRole("main").getByLabel("body lines.0.sku", { exact: true })
      await field.evaluate((element) => element.scrollIntoView({ block: "center" }))
      await field.press("Control+a")
      await page.keyboard.type("{{product.response.body.")
      await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
      await take("05-completion")
      await page.keyboard.press("Escape")
      await discard()
    },
    "06-problem": async () => {
      const takeBack = replace("apis/workflow/refund.json", '"createPayment"', '"createPaymnt"')
      await select("refund", "payment")
      await page.getByRole("main").getByText("createPaymnt").first().waitFor()
      await page.getByRole("main").getByRole("button", { name: "Show in JSON" }).click()
      await page.locator(".cm-lintRange-error").first().hover()
      await page.locator(".cm-tooltip-lint").waitFor()
      await take("06-problem")
      takeBack()
    },
    "07-script": async () => {
      await showPlace(page, "#/workflows/returns")
      await tab("Scripts").click()
      await page.getByRole("main").getByText("checks").first().click()
      const code = page.locator(".code-editor").getByRole("textbox", { name: /^Text of/ })
      await code.click()
      await page.keyboard.press("Control+End")
      await page.keyboard.type(
        '\nexport const isPaid = (ctx: ConditionContext) => ctx.get("payment.response.body.',
      )
      await page.locator(".cm-tooltip-autocomplete li").first().waitFor()
      await take("07-script", "dark")
      await page.keyboard.press("Escape")
      await discard()
    },
    "08-failed": async () => {
      const takeBack = replace("apis/workflow/checkout.json", '"value": "authorized"', '"value": "captured"')
      await run("checkout", "failed", "2")
      takeBack()
      await toReport()
      await take("08-failed")
    },
    "09-exchange": async () => {
      await reportRow("create").click()
      await take("09-exchange")
    },
    "10-request": async () => {
      await showPlace(page, "#/apis/shop/requests/sessions/customer")
      await page.getByRole("form", { name: "Send" }).waitFor()
      await chooseEnvironment(page, "local")
      await button("Send").click()
      const sent = page.getByRole("region", { name: "Sent request" })
      await sent.getByText("answered").waitFor()
      await sent.evaluate((element) => element.scrollIntoView({ block: "end" }))
      await take("10-request")
    },
    "11-compare": async () => {
      await run("checkout", "passed", "3")
      await page.getByRole("button", { name: "Compare" }).first().click()
      const comparison = page.getByRole("region", { name: "Comparison of two runs" })
      await comparison.getByText(/ differ\./).waitFor()
      await comparison.getByRole("option", { name: "reserved" }).click()
      await comparison.evaluate((element) => element.scrollIntoView({ block: "start" }))
      await take("11-compare", "dark")
    },
    "12-conflict": async () => {
      await select("checkout", "prepare")
      await page
        .getByRole("main")
        .getByLabel("Description", { exact: true })
        .fill("Sign in, and look at the price.")
      const takeBack = replace("apis/workflow/checkout.json", '"default": 2', '"default": 5')
      await page.getByText("Changed on disk since you started editing").first().waitFor()
      await page.keyboard.press("Control+s")
      await page.getByRole("dialog", { name: /^Conflict/ }).waitFor()
      await take("12-conflict")
      takeBack()
    },
  }

  async function discard(): Promise<void> {
    await button("Discard").click()
    const sure = page.getByRole("dialog").getByRole("button", { name: /^Discard/ })
    await sure.click({ timeout: 1_000 }).catch(() => undefined)
  }

  it("is photographed in order", async () => {
    page = await open(command.link, { expected: /Failed to load resource/ })
    await page.getByRole("tree", { name: "Project" }).waitFor()
    for (const step of Object.values(steps)) await step()
  })
})

/** Runs in the page. A run's time and ports don't help the reader, and would change every picture. */
function settleTexts(urls: readonly (readonly [url: string, settled: string])[]): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent ?? ""
    const settled = urls.reduce(
      (before, [url, to]) => before.replaceAll(url, to),
      text
        .replaceAll(/\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d/g, "2 Jan 2026, 09:30:00")
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2026-01-02T09:30:00.000Z"),
    )
    if (settled !== text) node.textContent = settled
  }
}
