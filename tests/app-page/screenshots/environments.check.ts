// Takes pictures of the table of environments with real files, for people to look at: `npm run screenshots`.

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, it } from "vitest"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import {
  cellOf,
  showTable,
  startEnvironmentsProject,
  typeInto,
  valueFiles,
  type EnvironmentsProject,
} from "../environments-project.ts"

const folder =
  process.env["SCREENSHOTS"] ?? fileURLToPath(new URL("../../../coverage/screenshots", import.meta.url))

describe.runIf(hasBrowser)("screenshots of environments", () => {
  const { open } = useBrowser()
  let project: EnvironmentsProject
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    project = await startEnvironmentsProject()
  })
  afterAll(() => project.close())

  for (const [colorScheme, width, height] of [
    ["light", 1280, 800],
    ["dark", 1920, 1080],
  ] as const) {
    it(`${colorScheme}, ${width} wide`, async () => {
      const page = await open(await project.link(), {
        colorScheme,
        viewport: { width, height },
        expected: /Failed to load resource/,
      })
      const shot = (name: string): Promise<unknown> =>
        page.screenshot({ path: join(folder, `environments-${name}-${colorScheme}-${width}.png`) })
      await page.getByRole("tree").waitFor()
      await showTable(page, "staging")
      await shot("table")
      const secret = await cellOf(page, "apiKey", "staging")
      await secret.click({ button: "right" })
      await shot("menu")
      await page.getByRole("menuitem", { name: "Reveal" }).click()
      await page.getByRole("button", { name: "Hide" }).waitFor()
      await shot("revealed")
      await page.keyboard.press("Escape")
      await typeInto(page, await cellOf(page, "timeout", "local"), "soon")
      await page.getByText("That is not a number.").first().waitFor()
      await shot("fault")
      await page.keyboard.press("Escape")
      const cell = await cellOf(page, "baseUrl", "staging")
      await cell.click()
      await page.keyboard.type("https://mine.example")
      const theirs = '"level": "staging",\r\n  "baseUrl": "https://theirs.example",'
      project.write("staging.json", valueFiles["staging.json"].replace('"level": "staging",', theirs))
      await page.getByText("has changed meanwhile").waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Save mine" }).waitFor()
      await shot("conflict")
      await page.getByRole("button", { name: "Take theirs" }).click()
      project.write("staging.json", valueFiles["staging.json"])
      await page.getByRole("rowheader", { name: /^greeting/ }).click({ button: "right" })
      await page.getByRole("menuitem", { name: "Rename…" }).click()
      await page.getByRole("textbox", { name: "New name" }).fill("salutation")
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: /^Rename in/ }).waitFor()
      await shot("plan")
      await page.keyboard.press("Escape")
      project.write("schema.json", valueFiles["schema.json"].replace('"version": 1,', '"version": 1'))
      await page.getByRole("link", { name: "Open as text" }).waitFor()
      await shot("broken")
      await page.getByRole("link", { name: "Open as text" }).click()
      await page.locator(".cm-content").waitFor()
      await shot("text")
      project.write("schema.json", valueFiles["schema.json"])
    })
  }
})
