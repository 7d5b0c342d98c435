// Takes pictures of a workflow before, while and after it runs, for people to look at: `npm run screenshots`.

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, it } from "vitest"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import { startRunProject, type RunProject } from "../run-project.ts"

const folder =
  process.env["SCREENSHOTS"] ?? fileURLToPath(new URL("../../../coverage/screenshots", import.meta.url))

describe.runIf(hasBrowser)("screenshots of running", () => {
  const { open } = useBrowser()
  let project: RunProject
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    project = await startRunProject()
  })
  afterAll(() => project.close())

  for (const [colorScheme, width, height] of [
    ["light", 1280, 800],
    ["dark", 1920, 1080],
  ] as const) {
    it(`${colorScheme}, ${width} wide`, async () => {
      const page = await open(await project.link(), { colorScheme, viewport: { width, height } })
      const shot = (name: string): Promise<unknown> =>
        page.screenshot({ path: join(folder, `run-${name}-${colorScheme}-${width}.png`) })
      await show(page, "green")
      await page.getByLabel("shop environment").selectOption("local")
      await shot("form")
      await page.getByRole("button", { name: "Run", exact: true }).click()
      await shot("form-faults")
      await page.getByLabel("customer").fill("Ada")
      await page.keyboard.press("Control+Enter")
      await ended(page)
      await shot("green")
      await page.locator("#run-report").scrollIntoViewIfNeeded()
      await page.getByRole("treeitem", { name: "book" }).last().click()
      await shot("green-exchange")
      await show(page, "failing")
      await page.getByLabel("shop environment").selectOption("local")
      await page.keyboard.press("Control+Enter")
      await ended(page)
      await bottom(page)
      await shot("failing")
      await page.getByRole("treeitem", { name: "odd" }).click()
      await shot("failing-contract")
      await show(page, "many")
      await page.keyboard.press("Control+Enter")
      await ended(page)
      await page.getByRole("treeitem", { name: "rounds" }).dblclick()
      await bottom(page)
      await shot("many")
      await show(page, "slow")
      await page.getByLabel("shop environment").selectOption("local")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("treeitem", { name: "late" }).waitFor()
      await shot("slow")
      await page.getByRole("button", { name: "Stop" }).click()
      await ended(page)
      await page.getByLabel("shop environment").selectOption("live")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("dialog").waitFor()
      await shot("production")
    })
  }
})

const ended = (page: Page): Promise<void> =>
  page.getByText(/^The run has ended/).waitFor({ state: "attached" })

const bottom = (page: Page): Promise<void> =>
  page.locator("#run-report").evaluate((element) => element.scrollIntoView({ block: "start" }))

async function show(page: Page, workflow: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/workflows/${workflow}`)
  await page.getByRole("heading", { level: 1, name: workflow }).waitFor()
  await page.getByRole("form", { name: "Run" }).waitFor()
}
