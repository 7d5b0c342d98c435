// Takes a picture of every view and dialog, in light and in dark, at three widths, for people to look at: `npm run
// screenshots`.

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, it } from "vitest"
import { hasBrowser } from "../chromium.ts"
import { useBrowser } from "../browser.ts"
import { emptyContent, serveProject, smallProject, type TestProject } from "../test-project.ts"
import { everyView } from "../views/every-view.ts"
import { leaveView, showView } from "../views/shown-view.ts"
import { startViewsProject, type ViewsProject } from "../views/views-project.ts"
import { moreViews } from "./more-views.ts"

const folder =
  process.env["SCREENSHOTS"] ?? fileURLToPath(new URL("../../../coverage/screenshots", import.meta.url))
const only = process.env["VIEWS"]?.split(",")

describe.runIf(hasBrowser)("screenshots", () => {
  const { open } = useBrowser()
  let project: ViewsProject
  let empty: TestProject
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    project = await startViewsProject()
    empty = await serveProject(emptyContent)
  })
  afterAll(() => Promise.all([project.close(), empty.app.close()]))

  for (const viewport of [
    { width: 1024, height: 768 },
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
  ]) {
    const file = (name: string, theme: string): string =>
      join(folder, `${name}-${theme}-${viewport.width}.png`)

    it(`of every view, ${viewport.width} wide`, async () => {
      const page = await open(await project.link(), { viewport, expected: /Failed to load resource/ })
      const failed: string[] = []
      for (const view of [...everyView, ...moreViews]) {
        if (only !== undefined && !only.includes(view.name)) continue
        try {
          await showView(page, project, view)
        } catch (error) {
          failed.push(`${view.name}: ${String(error).slice(0, 300)}`)
        }
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme })
          await page.screenshot({ path: file(view.name, colorScheme) })
        }
        await leaveView(page, project, view).catch((error: unknown) =>
          failed.push(`leave ${view.name}: ${String(error).slice(0, 300)}`),
        )
      }
      if (failed.length > 0) throw new Error(failed.join("\n"))
    })

    for (const colorScheme of ["light", "dark"] as const)
      it(`of an empty project, and of the banner, ${colorScheme}, ${viewport.width} wide`, async () => {
        const options = { colorScheme, viewport, expected: /Failed to load resource/ }
        const page = await open(empty.app.makeLink("anyone"), options)
        await page.getByText("Start with an API").waitFor()
        await page.screenshot({ path: file("empty", colorScheme) })
        const closed = await serveProject(smallProject)
        const other = await open(closed.app.makeLink("anyone"), options)
        await other.getByRole("tree").waitFor()
        await closed.app.close()
        await other.getByRole("alert").getByText("is not responding").waitFor()
        await other.screenshot({ path: file("banner", colorScheme) })
      })
  }
})
