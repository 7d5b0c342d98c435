// Every view and every dialog, in light and in dark, checked by axe.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { emptyContent, serveProject, type TestProject } from "./test-project.ts"
import { everyView } from "./views/every-view.ts"
import { projectViews } from "./views/project-views.ts"
import { leaveView, showView } from "./views/shown-view.ts"
import { startViewsProject, type ViewsProject } from "./views/views-project.ts"

describe.runIf(hasBrowser)("axe", () => {
  const { open } = useBrowser()
  let project: ViewsProject
  let empty: TestProject
  beforeAll(async () => {
    project = await startViewsProject()
    empty = await serveProject(emptyContent)
  })
  afterAll(() => Promise.all([project.close(), empty.app.close()]))

  it("finds no violation in any view or dialog, light and dark", async () => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    const found: string[] = []
    for (const view of everyView) {
      await showView(page, project, view)
      // The sidebar is the same in all other views, and checking it takes most of the time.
      const except = projectViews.includes(view) ? undefined : ".sidebar"
      for (const finding of await axeFindingsInThemes(page, except)) found.push(`${view.name}, ${finding}`)
      await leaveView(page, project, view)
    }
    expect(found).toEqual([])
  }, 400_000)

  it("finds no violation in an empty project, nor with a banner, light and dark", async () => {
    const page = await open(empty.app.makeLink("anyone"), { expected: /Failed to load resource/ })
    await page.getByText("Start with an API").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole("alert").getByText("can no longer connect").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
  })
})
