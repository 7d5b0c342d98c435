// Editing a text from the page, with the real command and real files: drafts, undo, saving, conflicts, and the code editor itself.

import type { Page, Route } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import {
  editor,
  saveState,
  showPlace,
  shownText,
  startEditProject,
  typeAtEnd,
  type EditProject,
} from "./edit-project.ts"

const script = "apis/workflow/scripts/checkout/total.ts"
const start = `import type { AssertContext } from "@callsheet/sdk"

export function total(ctx: AssertContext) {
  ctx.assert(true, "fine")
}
`
const place = "#/workflows/checkout/scripts/total"
/** Messages that a browser prints itself for an error response or a missing one. */
const expected = /Failed to load resource|net::ERR_/

const files = {
  "apis/shop/openapi.json": { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} },
  "apis/workflow/checkout.json": {
    version: 1,
    blocks: [{ id: "check", type: "script", script: { name: "total", exportName: "total" } }],
  },
  [script]: start,
}

describe.runIf(hasBrowser)("editing a text", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())
  beforeEach(async () => void (await project.reset()))
  const openScript = async (): Promise<Page> => {
    const page = await open(await project.link(), { expected })
    await showPlace(page, place)
    await editor(page).waitFor()
    return page
  }
  const state = (page: Page, words: string) => saveState(page).getByText(words, { exact: true }).waitFor()

  it("saves exactly what was typed, once for a repeating key, and nothing if nothing was typed", async () => {
    await project.write(script, start.replaceAll("\n", "\r\n"))
    const page = await openScript()
    await state(page, "Saved")
    const saves: string[] = []
    page.on("request", (request) => {
      if (request.url().endsWith("/api/files.save")) saves.push(request.url())
    })
    await page.keyboard.press("Control+s")
    await typeAtEnd(page, "// the end\n")
    await state(page, "Unsaved changes")
    await expect.poll(() => page.title()).toContain("●")
    await page.getByRole("treeitem", { name: "checkout" }).getByText("unsaved").waitFor({ state: "attached" })
    await page.keyboard.down("Control")
    for (let press = 0; press < 5; press++) await page.keyboard.down("s")
    await page.keyboard.up("Control")
    await state(page, "Saved")
    await expect.poll(() => project.read(script)).toBe(`${start}// the end\n`.replaceAll("\n", "\r\n"))
    expect(saves).toHaveLength(1)
    await expect.poll(() => page.title()).not.toContain("●")
  })

  it("keeps a draft over a reload and a restart of the server, until it is discarded, which undo reverts", async () => {
    const first = await openScript()
    await typeAtEnd(first, "// not saved")
    await first.reload()
    await saveState(first)
      .getByText(/^Unsaved changes from \d\d:\d\d$/)
      .waitFor()
    await first.close()
    await project.restart()
    const page = await openScript()
    await saveState(page)
      .getByText(/^Unsaved changes from \d\d:\d\d$/)
      .waitFor()
    await expect.poll(() => shownText(page)).toContain("// not saved")
    await expect.poll(() => project.read(script)).toBe(start)
    await page.getByRole("button", { name: "Discard" }).click()
    await state(page, "Saved")
    await expect.poll(() => shownText(page)).not.toContain("// not saved")
    await page.getByRole("button", { name: "Undo" }).click()
    await state(page, "Unsaved changes")
    await expect.poll(() => shownText(page)).toContain("// not saved")
    await page.getByRole("button", { name: "Redo" }).click()
    await state(page, "Saved")
    await page.reload()
    await state(page, "Saved")
  })

  it("keeps what is typed while the server doesn't respond, warns before it is lost, and stores it as a draft afterward", async () => {
    const page = await openScript()
    await page.context().route("**/api/**", (route) => route.abort())
    await page.context().route("**/session/**", (route) => route.abort())
    await page.context().route("**/events", (route) => route.abort())
    const late: Route[] = []
    await page
      .context()
      .route("**/api/files.check", (route) => (late.length === 0 ? void late.push(route) : route.abort()))
    await typeAtEnd(page, "// lost?")
    await expect.poll(() => late.length).toBeGreaterThan(0)
    await page.keyboard.press("Control+s")
    await page.getByRole("alert").getByText("What you typed is kept here").waitFor()
    // The page must ignore the late response.
    for (const route of late) {
      const answered = page.waitForResponse((response) => response.request() === route.request())
      await route.continue()
      await answered
    }
    const asked = page.waitForEvent("dialog")
    await page.evaluate(() => {
      setTimeout(() => window.location.reload())
    })
    const dialog = await asked
    expect(dialog.type()).toBe("beforeunload")
    await dialog.dismiss()
    await expect.poll(() => shownText(page)).toContain("// lost?")
    await page.context().unroute("**/api/**")
    await page.context().unroute("**/session/**")
    await page.context().unroute("**/events")
    await page.context().unroute("**/api/files.check")
    await page.keyboard.press("Control+s")
    await state(page, "Saved")
    await expect.poll(() => project.read(script)).toBe(`${start}// lost?`)
  })

  it("undoes typing as one step with the keys, and redoes it, across a save", async () => {
    const page = await openScript()
    await typeAtEnd(page, "// one")
    await page.keyboard.press("Control+s")
    await state(page, "Saved")
    await page.keyboard.press("Control+z")
    await state(page, "Unsaved changes")
    await expect.poll(() => shownText(page)).not.toContain("// one")
    await page.keyboard.press("Control+Shift+z")
    await state(page, "Saved")
    await page.keyboard.press("Control+z")
    await page.keyboard.press("Control+y")
    await state(page, "Saved")
    await expect.poll(() => shownText(page)).toContain("// one")
    await expect.poll(() => project.read(script)).toContain("// one")
  })

  it("undoes form edits and typed text in one history", async () => {
    const page = await openScript()
    await showPlace(page, "#/workflows/checkout")
    await page.getByRole("treeitem", { name: /^script check/ }).click()
    const description = page.getByLabel("Description")
    await description.fill("Looks at the total.")
    await page.getByRole("tab", { name: "JSON" }).click()
    await page.locator(".cm-line").getByText('"description": "Looks at the total."').waitFor()
    await editor(page).click()
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("End")
    await page.keyboard.insertText(' "onFailure": "continue",')
    await page.keyboard.press("Control+z")
    await expect.poll(() => shownText(page)).not.toContain("onFailure")
    await expect.poll(() => shownText(page)).toContain("Looks at the total.")
    await page.keyboard.press("Control+z")
    await state(page, "Saved")
    await page.getByRole("tab", { name: "Editor" }).click()
    await expect.poll(() => description.inputValue()).toBe("")
    await description.focus()
    await page.keyboard.press("Control+Shift+z")
    await expect.poll(() => description.inputValue()).toBe("Looks at the total.")
    await page.keyboard.press("Control+y")
    await page.keyboard.press("Control+s")
    await state(page, "Saved")
    const saved = JSON.parse(await project.read("apis/workflow/checkout.json")) as { blocks: object[] }
    const [check] = files["apis/workflow/checkout.json"].blocks
    expect(saved).toEqual({
      version: 1,
      onFailure: "continue",
      blocks: [{ ...check, description: "Looks at the total." }],
    })
  })

  it("shows another program's change if nothing is unsaved, and can undo it", async () => {
    const page = await openScript()
    await project.write(script, `${start}// theirs\n`)
    await page.locator(".cm-line").getByText("// theirs").waitFor()
    await state(page, "Saved")
    await page.getByRole("button", { name: "Undo" }).click()
    await state(page, "Changed on disk since you started editing")
    // The page must ask before it overwrites anything.
    await page.keyboard.press("Control+s")
    await page.getByRole("dialog", { name: /^Conflict/ }).waitFor()
    await expect.poll(() => project.read(script)).toContain("// theirs")
    await page.getByRole("button", { name: "Decide later" }).click()
    await page.getByRole("button", { name: "Redo" }).click()
    await state(page, "Saved")
  })

  it("shows both versions if the file changed under unsaved edits, and can take theirs with mine one undo away", async () => {
    const page = await openScript()
    await typeAtEnd(page, "// mine")
    await project.write(script, start.replace("fine", "theirs"))
    await state(page, "Changed on disk since you started editing")
    await page.keyboard.press("Control+s")
    const dialog = page.getByRole("dialog", { name: /^Conflict/ })
    await dialog.locator("del").getByText("theirs").waitFor()
    await dialog.locator("ins").getByText("// mine").waitFor()
    await expect.poll(() => project.read(script)).toContain("theirs")
    await dialog.getByRole("button", { name: "Take theirs" }).click()
    await state(page, "Saved")
    await expect.poll(() => shownText(page)).toContain("theirs")
    await page.getByRole("button", { name: "Undo" }).click()
    await state(page, "Changed on disk since you started editing")
    await expect.poll(() => shownText(page)).toContain("// mine")
  })

  it("saves mine over theirs only on request, and both if they touch different lines", async () => {
    const page = await openScript()
    await typeAtEnd(page, "// mine")
    await project.write(script, start.replace("fine", "theirs"))
    await state(page, "Changed on disk since you started editing")
    await page.getByRole("button", { name: "Compare…" }).click()
    await page.getByRole("button", { name: "Merge both" }).click()
    await state(page, "Unsaved changes")
    await page.keyboard.press("Control+s")
    await state(page, "Saved")
    await expect.poll(() => project.read(script)).toBe(`${start.replace("fine", "theirs")}// mine`)
    await typeAtEnd(page, " again")
    await project.write(script, "// all else is gone\n")
    await state(page, "Changed on disk since you started editing")
    await page.keyboard.press("Control+s")
    // The page may have read the file before it was written whole.
    await page.getByRole("dialog").getByText("// all else is gone").first().waitFor()
    await page.getByRole("button", { name: "Overwrite with mine" }).click()
    await state(page, "Saved")
    await expect.poll(() => project.read(script)).toBe(`${start.replace("fine", "theirs")}// mine again`)
  })

  it("lets the user choose change by change if the same lines were changed", async () => {
    const page = await openScript()
    await editor(page).click()
    await page.keyboard.press("Control+Home")
    await page.keyboard.type("// mine at the top\n")
    await typeAtEnd(page, "// mine at the end\n")
    await project.write(script, `// theirs at the top\n${start}`)
    await state(page, "Changed on disk since you started editing")
    await page.getByRole("button", { name: "Compare…" }).click()
    await page.getByRole("button", { name: "Choose change by change…" }).click()
    await page
      .getByRole("group", { name: "Difference 1" })
      .getByRole("radio", { name: /^On disk/ })
      .check()
    await page.getByRole("button", { name: "Use this" }).click()
    await page.keyboard.press("Control+s")
    await state(page, "Saved")
    await expect.poll(() => project.read(script)).toBe(`// theirs at the top\n${start}// mine at the end\n`)
  })

  it("reports that the file was deleted, and writes it again on request", async () => {
    const page = await openScript()
    await typeAtEnd(page, "// mine")
    await project.remove(script)
    await state(page, "Deleted on disk since you started editing")
    await page.getByRole("button", { name: "Compare…" }).click()
    await page.getByRole("button", { name: "Save mine anyway" }).click()
    await state(page, "Saved")
    await expect.poll(() => project.read(script)).toBe(`${start}// mine`)
  })

  it("does not save invalid text, reports where it is, and jumps there", async () => {
    const page = await openScript()
    await typeAtEnd(page, "export const = 1")
    await page.locator(".cm-lint-marker-error").waitFor()
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("Control+s")
    await page.getByRole("alert").getByText("Not saved:").waitFor()
    await expect.poll(() => project.read(script)).toBe(start)
    await expect.poll(() => page.locator(".cm-activeLineGutter").first().textContent()).toBe("6")
  })

  it("causes no axe violation with search, problems and completion open", async () => {
    const page = await openScript()
    await typeAtEnd(page, "\nexport const = 1 // \u202eevil")
    await page.locator(".cm-lint-marker-error").waitFor()
    await page.keyboard.press("Control+f")
    await page.keyboard.type("assert")
    await page.locator(".cm-searchMatch").first().waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+Shift+M")
    await page.locator(".cm-panel-lint").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await editor(page).click()
    await page.keyboard.press("Control+End")
    await page.keyboard.type("\nfunc")
    await page.locator(".cm-tooltip-autocomplete").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await expect.poll(() => page.getByText("[U+202E]").count()).toBeGreaterThan(0)
    await page.getByRole("button", { name: "Discard" }).click()
    await state(page, "Saved")
  })

  it("marks a file with a draft before it is opened, and conflicts with another page that saved first", async () => {
    const first = await openScript()
    await typeAtEnd(first, "// first")
    await state(first, "Unsaved changes")
    // The reload closed the file.
    await showPlace(first, "#/")
    await first.reload()
    const row = first.getByRole("treeitem", { name: "checkout" })
    await row.getByText("unsaved").waitFor({ state: "attached" })
    await expect.poll(() => first.title()).toContain("●")
    const second = await openScript()
    await saveState(second)
      .getByText(/^Unsaved changes from/)
      .waitFor()
    await typeAtEnd(second, ", then second")
    await second.keyboard.press("Control+s")
    await state(second, "Saved")
    await row.getByText("unsaved").waitFor({ state: "detached" })
    await showPlace(first, place)
    await typeAtEnd(first, "// mine")
    await typeAtEnd(second, "// and more")
    await second.keyboard.press("Control+s")
    await state(first, "Changed on disk since you started editing")
    await expect.poll(() => project.read(script)).toBe(`${start}// first, then second// and more`)
  })

  it("says why a file cannot be read, and offers no editor over it", async () => {
    await project.write(script, new Uint8Array([0x2f, 0x2f, 0xff, 0xfe]))
    const page = await open(await project.link(), { expected })
    await showPlace(page, place)
    await page.locator(".file-editor").getByText("UTF-8").first().waitFor()
    await expect.poll(() => editor(page).count()).toBe(0)
    // Click before the file is written. After that, the page reads the file itself and the button disappears.
    const again = page.waitForRequest((request) => request.url().endsWith("/api/files.read"))
    await page.getByRole("button", { name: "Reload" }).click()
    await again
    await project.write(script, start)
    await editor(page).waitFor()
  })

  it("is left with Escape and Tab, while Tab by itself indents", async () => {
    const page = await openScript()
    await typeAtEnd(page, "x")
    await page.keyboard.press("Home")
    await page.keyboard.press("Tab")
    await expect.poll(() => shownText(page)).toContain("  x")
    const isInEditor = () => page.evaluate(() => document.activeElement?.closest(".code-editor") !== null)
    await expect.poll(isInEditor).toBe(true)
    await page.keyboard.press("Escape")
    await page.keyboard.press("Shift+Tab")
    await expect.poll(isInEditor).toBe(false)
  })
})
