// The operation of a request block is selected from 1,200.

import { describe, it } from "vitest"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import { openTarget, selectBlock, startFormProject } from "../form-project.ts"
import { expectNoDelay } from "./input-delays.ts"

describe.runIf(hasBrowser)("a document of 1,200 operations", () => {
  const { open } = useBrowser()

  it("is searched without delay", async () => {
    const project = await startFormProject()
    try {
      const page = await open(await project.link(), { expected: /net::ERR_|status of 400/ })
      const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
      await selectBlock(page, "forms", "book")
      await openTarget(page)
      await field("API").selectOption("large")
      await field("Operation").click()
      const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
      await options.first().waitFor()
      await expectNoDelay(page, "choosing among 1,200 operations", async () => {
        await page.keyboard.type("get thing 119")
        await options.filter({ hasText: "/things1199/" }).waitFor()
      })
    } finally {
      await project.close()
    }
  })
})
