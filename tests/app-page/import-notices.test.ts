// What the preview of an import says about sources without requests.

import { describe, expect, it } from "vitest"
import { useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { startInEmptyFolder } from "./empty-folder.ts"

const collection = {
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [],
}

describe.runIf(hasBrowser)("the preview of an import", () => {
  const { open } = useBrowser()

  const preview = async (text: string) => {
    const { command } = await startInEmptyFolder()
    const page = await open(command.link, { expected: /api\// })
    await page.getByRole("main").getByRole("button", { name: "Import requests" }).click()
    await page.getByLabel("Or paste text").fill(text)
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Preview", exact: true }).click()
    return { dialog }
  }

  it("says that a source has no requests", async () => {
    const { dialog } = await preview(JSON.stringify(collection))
    await expect.poll(() => dialog.textContent()).toContain("The source (postman) has no requests.")
    await expect.poll(() => dialog.textContent()).not.toContain("Everything is carried over")
  })
})
