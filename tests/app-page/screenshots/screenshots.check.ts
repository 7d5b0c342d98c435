// Takes a picture of every view, in light and in dark, at two widths, for people to look at: `npm run screenshots`.

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, it } from "vitest"
import { hasBrowser } from "../chromium.ts"
import { useBrowser } from "../browser.ts"
import { emptyContent, serveProject, smallProject, type TestProject } from "../test-project.ts"
import { showView, views } from "../views.ts"

const folder =
  process.env["SCREENSHOTS"] ?? fileURLToPath(new URL("../../../coverage/screenshots", import.meta.url))

describe.runIf(hasBrowser)("screenshots", () => {
  const { open } = useBrowser()
  let small: TestProject
  let empty: TestProject
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    small = await serveProject(smallProject)
    empty = await serveProject(emptyContent)
  })
  afterAll(() => Promise.all([small.app.close(), empty.app.close()]))

  for (const colorScheme of ["light", "dark"] as const) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 1920, height: 1080 },
    ]) {
      const file = (name: string): string => join(folder, `${name}-${colorScheme}-${viewport.width}.png`)

      it(`of every view, ${colorScheme}, ${viewport.width} wide`, async () => {
        const page = await open(small.app.makeLink("anyone"), { colorScheme, viewport })
        for (const view of views) {
          await showView(page, view)
          await page.screenshot({ path: file(view.name) })
        }
      })

      it(`of an empty project, and of the banner, ${colorScheme}, ${viewport.width} wide`, async () => {
        const options = { colorScheme, viewport, expected: /Failed to load resource/ }
        const page = await open(empty.app.makeLink("anyone"), options)
        await page.getByText("Begin with an API").waitFor()
        await page.screenshot({ path: file("empty") })
        const closed = await serveProject(smallProject)
        const other = await open(closed.app.makeLink("anyone"), options)
        await other.getByRole("tree").waitFor()
        await closed.app.close()
        await other.getByRole("alert").getByText("does not answer").waitFor()
        await other.screenshot({ path: file("banner") })
      })
    }
  }
})
