// Checks that the page works, or explains its limits, in a browser that stores nothing.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { useBrowser } from "./browser.ts"
import { serveProject, smallProject, type TestProject } from "./test-project.ts"

describe.runIf(hasBrowser)("a browser", () => {
  const { open } = useBrowser()
  let served: TestProject
  beforeAll(async () => {
    served = await serveProject(smallProject)
  })
  afterAll(() => served.app.close())

  it("without storage shows the page and its parts", async () => {
    const page = await open("about:blank", { expected: /Failed to load resource/ })
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("denied", "SecurityError")
          },
        })
    })
    await page.goto(served.app.makeLink("anyone"))
    await page.getByRole("treeitem", { name: "checkout" }).click()
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByRole("tabpanel", { name: "Runs" }).waitFor()
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.getByRole("tabpanel", { name: "JSON" }).waitFor()
  })

  it("without cookies shows that, and not that the link was used", async () => {
    const page = await open("about:blank", { expected: /Failed to load resource/ })
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "cookieEnabled", { get: () => false })
    })
    await page.goto(served.app.makeLink("anyone"))
    await page.getByRole("treeitem", { name: "checkout" }).waitFor()
    await page.context().clearCookies()
    await page.reload()
    const banner = page.getByRole("alert")
    await banner.getByText("This browser blocks cookies for this page").waitFor()
    await expect.poll(() => banner.textContent()).not.toContain("already used")
  })
})
