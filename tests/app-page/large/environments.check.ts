// Checks that a table of 500 variables and 200 environments responds to every key at once, and keeps the DOM
// small.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { EnvironmentView, VariableView } from "@callsheet/server/calls"
import { useBrowser } from "../browser.ts"
import { hasBrowser } from "../chromium.ts"
import { environmentsView } from "../environments-view.ts"
import { expectNoDelay } from "./input-delays.ts"
import { serveProject, smallProject, type TestProject } from "../test-project.ts"

const environments = Array.from({ length: 200 }, (_, index): EnvironmentView => ({
  name: `environment-${index}`,
  level: "local",
  ...(index === 0 ? {} : { extends: `environment-${index - 1}` }),
}))
const variables = Array.from({ length: 500 }, (_, index): VariableView => ({
  name: `variable${index}`,
  type: "string",
  required: index % 7 === 0,
  secret: index % 11 === 0,
  description: `The ${index}th of many.`,
}))
const view = environmentsView("shop", environments, {
  variables,
  own: (environment, { name }) => `https://${environment}.example/${name}`,
})

describe.runIf(hasBrowser)("a table of 200 environments and 500 variables", () => {
  const { open } = useBrowser()
  let served: TestProject
  beforeAll(async () => {
    served = await serveProject({
      ...smallProject,
      calls: {
        "environments.read": async () => view,
        "environments.write": async () => ({ etag: "2".repeat(64) }),
      },
    })
  })
  afterAll(() => served.app.close())

  it("responds to keys without delay, and keeps the DOM small", async () => {
    const page = await open(served.app.makeLink("anyone"))
    await page.goto(`${new URL(page.url()).origin}/#/apis/shop/environments`)
    await page.getByRole("gridcell").first().click()
    const filter = page.getByRole("searchbox", { name: "Filter" })
    await expectNoDelay(page, "walking and filtering 100,000 cells", async () => {
      for (const [key, times] of [
        ["ArrowDown", 30],
        ["ArrowRight", 30],
        ["PageDown", 10],
        ["Control+End", 1],
        ["ArrowUp", 10],
        ["Control+Home", 1],
      ] as const)
        for (let time = 0; time < times; time++) await page.keyboard.press(key)
      for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key)
      await page.keyboard.type("https://typed.example/")
      expect(await page.getByRole("gridcell").locator("textarea").inputValue()).toBe("https://typed.example/")
      await page.keyboard.press("Enter")
      await filter.pressSequentially("variable49", { delay: 20 })
      await expect.poll(() => page.getByRole("grid").getAttribute("aria-rowcount")).toBe("12")
    })
    await filter.fill("")
    expect(await page.locator("*").count()).toBeLessThan(2500)
  })
})
