// Every view and every dialog of a project with hostile texts: none of them runs, no policy is violated, the layout
// stays, and axe finds no violation. The theme alternates from view to view. `FULL_SIZE` checks each view in both.

import type { Page } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import { hasBrowser } from "./chromium.ts"
import { sized } from "../harness/full-size.ts"
import { axeFindingsInThemes, useBrowser, type Theme } from "./browser.ts"
import { emptyContent, serveProject } from "./test-project.ts"
import { everyView } from "./views/every-view.ts"
import { withText } from "./views/hostile-files.ts"
import { projectViews } from "./views/project-views.ts"
import { leaveView, showView } from "./views/shown-view.ts"
import { startViewsProject } from "./views/views-project.ts"

const markup = [
  "<script>top.owned=1</script>",
  '<img src=x onerror="top.owned=1">',
  "'\"><svg onload=top.owned=1>",
  '<iframe srcdoc="<script>top.owned=1</script>"></iframe>',
  '<a href="javascript:top.owned=1">javascript:top.owned=1</a>',
  "<style>*{display:none}</style>",
  "${top.owned=1}",
  "__proto__ ]]> --> \u202eevil\u202c \u001b[31m \u0000",
].join(" ")

/** Wider than any part of the page. `hostile-text.test.ts` has longer ones. */
const long = `${"a".repeat(1000)} ${"\u05d0\u05d1 \u0627\u0644 ".repeat(20)} ${"👩‍👩‍👧‍👦".repeat(20)} ${"Z\u0351\u036b".repeat(20)}`

/** Returns forbidden contents of the page, its main buttons, and the number of pixels by which it is too wide, including overlays. */
const stateOf = (page: Page) =>
  page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document]
    for (const element of document.querySelectorAll("*"))
      if (element.shadowRoot !== null) roots.push(element.shadowRoot)
    const found = roots.flatMap((root) => [
      ...root.querySelectorAll(
        "body script, img[src], iframe, a[href^='javascript'], body style, [onload], [onerror]",
      ),
    ])
    const { scrollWidth, clientWidth } = document.documentElement
    const parts = document.querySelectorAll(
      ".main, .wf-part-scrolls, .wf-panel, .report-detail, .tab-panel, dialog",
    )
    const wide = [...parts].filter((part) => part.scrollWidth > part.clientWidth)
    const filled = [
      ...(document.querySelector("dialog[open]") ?? document).querySelectorAll(".button"),
    ].filter((button) => {
      const { backgroundColor, borderTopColor } = getComputedStyle(button)
      const isFilled = backgroundColor === borderTopColor && backgroundColor !== "rgba(0, 0, 0, 0)"
      return isFilled && button.checkVisibility()
    })
    return {
      elements: found.map(({ outerHTML }) => outerHTML.slice(0, 100)),
      wide: wide.map(({ className, scrollWidth }) => `${className} is ${scrollWidth} wide`),
      isOwned: "owned" in window,
      tooWide: scrollWidth - clientWidth,
      mainButtons: filled.map(({ textContent }) => textContent),
    }
  })

const themesOf = (view: number): readonly Theme[] => {
  const themes = view % 2 === 0 ? (["dark", "light"] as const) : (["light", "dark"] as const)
  return themes.slice(0, sized(1, 2))
}

describe.runIf(hasBrowser)("every view and dialog", () => {
  const { open } = useBrowser()

  it("shows hostile text as text, keeps its layout, and has no axe violation", async () => {
    const text = `${markup} ${long}`
    const project = await startViewsProject((path, content) => withText(path, content, text))
    onTestFinished(project.close)
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    const wrong: string[] = []
    for (const [at, view] of everyView.entries()) {
      await showView(page, project, view).catch((error: unknown) => {
        throw new Error(`the view ${view.name} is not visible`, { cause: error })
      })
      const { elements, isOwned, tooWide, wide, mainButtons } = await stateOf(page)
      if (elements.length > 0 || wide.length > 0 || isOwned || tooWide > 0)
        wrong.push(
          `${view.name}: ${elements.join(" ")} ${isOwned ? "owned" : ""} ${tooWide} ${wide.join(", ")}`,
        )
      if (mainButtons.length > 1)
        wrong.push(`${view.name} has several main buttons: ${mainButtons.join(", ")}`)
      const selection = { withSidebar: projectViews.includes(view) }
      const findings = await axeFindingsInThemes(page, selection, themesOf(at))
      for (const finding of findings) wrong.push(`${view.name}, ${finding}`)
      await leaveView(page, project, view)
    }
    expect(wrong).toEqual([])
  }, 400_000)

  it("has no axe violation in an empty project, nor with a banner, light and dark", async () => {
    const { app } = await serveProject(emptyContent)
    onTestFinished(app.close)
    const page = await open(app.makeLink("anyone"), { expected: /Failed to load resource/ })
    await page.getByText("Start with an API").waitFor()
    expect(await axeFindingsInThemes(page, { withSidebar: true })).toEqual([])
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole("alert").getByText("can no longer connect").waitFor()
    expect(await axeFindingsInThemes(page, { withSidebar: true })).toEqual([])
  })
})
