// Every view in light and in dark, as axe sees it.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { axeFindings, useBrowser } from "./browser.ts"
import { emptyContent, serveProject, smallProject, type TestProject } from "./test-project.ts"
import { showView, views } from "./views.ts"

describe.runIf(hasBrowser)("axe", () => {
  const { open } = useBrowser()
  let small: TestProject
  let empty: TestProject
  beforeAll(async () => {
    small = await serveProject(smallProject)
    empty = await serveProject(emptyContent)
  })
  afterAll(() => Promise.all([small.app.close(), empty.app.close()]))

  for (const { colorScheme, rules } of [
    { colorScheme: "light", rules: undefined },
    // The other rules see no difference, and take their time.
    { colorScheme: "dark", rules: ["color-contrast"] },
  ] as const) {
    const findings = (page: Page): Promise<readonly string[]> => axeFindings(page, rules && [...rules])

    it(`finds nothing wrong in any view, ${colorScheme}`, async () => {
      const page = await open(small.app.makeLink("anyone"), { colorScheme })
      for (const view of views) {
        await showView(page, view)
        expect(await findings(page), view.name).toEqual([])
      }
    }, 120_000)

    it(`finds nothing wrong in an empty project, nor with a banner, ${colorScheme}`, async () => {
      const page = await open(empty.app.makeLink("anyone"), {
        colorScheme,
        expected: /Failed to load resource/,
      })
      await page.getByText("Begin with an API").waitFor()
      expect(await findings(page)).toEqual([])
      await page.context().clearCookies()
      await page.reload()
      await page.getByRole("alert").getByText("no longer let in").waitFor()
      expect(await findings(page)).toEqual([])
    })
  }
})
