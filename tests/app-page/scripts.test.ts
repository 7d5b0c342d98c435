// Scripts of a workflow, edited on the page: created from a template, completed from the documents, renamed and
// deleted, and read-only if other machines can reach the server.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindings, axeFindingsInThemes, useBrowser } from "./browser.ts"
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
import { serveProject, smallProject } from "./test-project.ts"

const order = {
  type: "object",
  required: ["id", "state"],
  properties: {
    id: { type: "string" },
    state: { enum: ["open", "paid"], description: "How far it has come." },
    total: { type: "object", properties: { amount: { type: "number" } } },
  },
}
const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/orders": {
        post: {
          operationId: "createOrder",
          responses: { "201": { description: "made", content: { "application/json": { schema: order } } } },
        },
      },
    },
  },
  "apis/workflow/checkout.json": {
    version: 1,
    blocks: [
      { id: "create", type: "request", request: { api: "shop", operation: "createOrder" } },
      { id: "check", type: "assert", script: { name: "checks", exportName: "isRight" } },
      { id: "later", type: "transform", transforms: { id: "create.response.body.id" } },
    ],
  },
  "apis/workflow/scripts/checkout/checks.ts": `import type { AssertContext } from "@callsheet/sdk"

export function isRight(ctx: AssertContext) {
  const body = ctx.get("create.response.body")
}
`,
}
const folder = "apis/workflow/scripts/checkout"

/** Discards a text whose draft the server has. The next test would open the draft of a page that is closed before. */
async function discard(page: Page): Promise<void> {
  const dropped = page.waitForResponse((response) => response.url().endsWith("/api/drafts.drop"))
  await page.getByRole("button", { name: "Discard" }).click()
  await dropped
}

describe.runIf(hasBrowser)("scripts on the page", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())

  const openAt = async (hash: string): Promise<Page> => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await showPlace(page, hash)
    return page
  }
  const openScripts = async (): Promise<Page> => {
    const page = await openAt("#/workflows/checkout")
    await page.getByRole("tab", { name: "Scripts" }).click()
    await page.getByRole("button", { name: "New script…" }).waitFor()
    return page
  }
  /** The completion candidates, once the list is open. */
  const offered = async (page: Page): Promise<readonly string[]> => {
    await page.locator(".cm-tooltip-autocomplete li").first().waitFor()
    return page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allTextContents()
  }

  it("are listed with their exports and the blocks that call them", async () => {
    const page = await openScripts()
    const row = page.getByRole("listitem").filter({ hasText: "checks.ts" })
    await row.getByText("Called by check (isRight)").waitFor()
    await row.getByRole("link", { name: "checks.ts" }).click()
    await editor(page).waitFor()
    await expect.poll(() => shownText(page)).toContain("isRight")
  })

  it("complete the context's members, documented fields of earlier blocks, and the members of an alias", async () => {
    const page = await openAt("#/workflows/checkout/scripts/checks")
    const kept = page.waitForResponse((response) => response.url().endsWith("/api/drafts.keep"))
    await editor(page).click()
    await page.keyboard.press("Control+End")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("End")
    await page.keyboard.type("\nctx.")
    await expect.poll(() => offered(page)).toEqual(expect.arrayContaining(["assert", "get", "inputs"]))
    await page.keyboard.type('get("')
    await expect.poll(() => offered(page)).toEqual(["create", "env"])
    await page.keyboard.type("create.response.body.")
    await expect.poll(() => offered(page)).toEqual(["id", "state", "total"])
    await page.keyboard.press("ArrowDown")
    await page.locator(".cm-completionInfo").getByText("How far it has come.").waitFor()
    await page.keyboard.press("Enter")
    await page.keyboard.press("End")
    await page.keyboard.type("\nbody.total.")
    await expect.poll(() => offered(page)).toEqual(["amount"])
    await expect.poll(() => shownText(page)).toContain('ctx.get("create.response.body.state")')
    await page.keyboard.press("Escape")
    await kept
    await discard(page)
  })

  it("have their types checked, completed, explained and followed by the project's TypeScript", async () => {
    const page = await openAt("#/workflows/checkout/scripts/checks")
    await page.getByText("npm install --save-dev typescript").waitFor()
    await project.install("typescript")
    await project.write(
      `${folder}/lib.ts`,
      "/** Twice. */\nexport const twice = (n: number): number => 2 * n\n",
    )
    await page.reload()
    await page.getByRole("button", { name: "Check types" }).click()
    await page.getByRole("status").getByText("Types checked by TypeScript 7").waitFor()
    const word = (text: string) => page.locator(".cm-line span").getByText(text, { exact: true }).last()
    await editor(page).click()
    await page.keyboard.press("Control+Home")
    // Typed key by key on a busy machine, the editor's closing bracket is not always typed over.
    await page.keyboard.insertText('import { twice } from "./lib.ts"\nexport const four: string = twice(2)\n')
    const mark = page.locator(".cm-lintRange-error")
    await expect.poll(() => mark.allTextContents()).toEqual(["four"])
    await mark.hover()
    await page.getByText("TS2322: Type 'number' is not assignable to type 'string'.").first().waitFor()
    await word("twice").hover()
    await page.locator(".cm-meaning").getByText("twice: (n: number) => number").waitFor()
    await page.locator(".cm-meaning").getByText("Twice.").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.keyboard.type("\nfour.toUp")
    await expect.poll(() => offered(page)).toEqual(expect.arrayContaining(["toUpperCase"]))
    await page.locator(".cm-completionInfo").getByText("Converts all the alphabetic characters").waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.type("()\n")
    // A jump keeps the unsaved text.
    await word("twice").click({ modifiers: ["Control"] })
    await page.getByRole("heading", { level: 1, name: "lib.ts", exact: true }).waitFor()
    await page.goBack()
    await word("twice").click()
    await page.keyboard.press("F12")
    await page.getByRole("heading", { level: 1, name: "lib.ts", exact: true }).waitFor()
    await page.goBack()
    await word('"create.response.body"').click({ modifiers: ["Control"] })
    await page.getByRole("treeitem", { selected: true }).getByText("create", { exact: true }).waitFor()
    await page.goBack()
    await discard(page)
    await page.getByRole("button", { name: "Stop checking" }).click()
    await page.getByRole("button", { name: "Check types" }).waitFor()
    await project.remove(`${folder}/lib.ts`)
  })

  it("are created from a template for the right context, renamed and deleted", async () => {
    const page = await openScripts()
    await page.getByRole("button", { name: "New script…" }).click()
    const dialog = page.getByRole("dialog", { name: "New script" })
    await dialog.getByLabel("Name").fill("checks")
    await page.keyboard.press("Enter")
    await dialog.getByRole("alert").getByText("A script with this name already exists.").waitFor()
    await dialog.getByLabel("Name").fill("plans/make-plan")
    await expect.poll(() => dialog.getByLabel("Function").inputValue()).toBe("makePlan")
    await dialog.getByRole("radio", { name: /^Transform/ }).check()
    await page.keyboard.press("Enter")
    await editor(page).waitFor()
    const text = await project.read(`${folder}/plans/make-plan.ts`)
    expect(text).toContain("export function makePlan(ctx: TransformContext): Record<string, unknown> {")
    expect((await project.callsheet(["validate"])).exitCode).toBe(0)
    await page.getByRole("button", { name: "Rename…" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("plan")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "plan.ts", exact: true }).waitFor()
    await expect.poll(() => project.read(`${folder}/plan.ts`)).toBe(text)
    await typeAtEnd(page, "// not saved")
    await saveState(page).getByText("Unsaved changes").waitFor()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("tab", { name: "Scripts" }).waitFor()
    await expect(project.read(`${folder}/plan.ts`)).rejects.toThrow("ENOENT")
    await expect.poll(() => page.title()).not.toContain("●")
  })

  it("are renamed with the blocks that call them and the scripts that import them, after a preview", async () => {
    const workflow = "apis/workflow/checkout.json"
    await project.write(`${folder}/other.ts`, "export * from './checks' // as it is\r\n")
    const [blocks, text] = [await project.read(workflow), await project.read(`${folder}/checks.ts`)]
    const page = await openAt("#/workflows/checkout/scripts/checks")
    await page.getByRole("button", { name: "Rename…" }).click()
    const dialog = page.getByRole("dialog", { name: "Rename the script" })
    await page.keyboard.press("Enter")
    await dialog.getByText("That is already its name.").waitFor()
    await dialog.getByLabel("Name").fill("lib/order-checks")
    await page.keyboard.press("Enter")
    await dialog.getByText("3 files will change:").waitFor()
    await dialog.getByText("becomes").waitFor()
    await dialog.getByText('"name": "lib/order-checks"').waitFor()
    await dialog.getByText("from './lib/order-checks'").waitFor()
    expect(await axeFindings(page)).toEqual([])
    await expect.poll(() => project.read(workflow)).toBe(blocks)
    await dialog.getByRole("button", { name: "Rename in 3 files" }).click()
    await page.getByRole("heading", { level: 1, name: "lib/order-checks.ts", exact: true }).waitFor()
    await expect.poll(() => project.read(workflow)).toBe(blocks.replace('"checks"', '"lib/order-checks"'))
    await expect.poll(() => project.read(`${folder}/lib/order-checks.ts`)).toBe(text)
    await expect
      .poll(() => project.read(`${folder}/other.ts`))
      .toBe("export * from './lib/order-checks' // as it is\r\n")
    await expect(project.read(`${folder}/checks.ts`)).rejects.toThrow("ENOENT")
    expect((await project.callsheet(["validate"])).exitCode).toBe(0)
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByText("1 block uses it and can't run without it:").waitFor()
    await page.getByRole("dialog").getByText("checkout: check").waitFor()
    await page.keyboard.press("Escape")
  })

  it("are read-only if other machines can reach the server, and say so before anybody types", async () => {
    const text = "export const a = 1\n"
    const served = await serveProject({
      ...smallProject,
      calls: {
        "files.list": async () => ({
          scripts: [{ script: "a", exports: ["a"], importedBy: [] }],
          isReadOnly: true,
        }),
        "files.read": async () => ({ path: `${folder}/a.ts`, text, etag: "e" }),
        "files.check": async () => ({ problems: [] }),
        "scripts.types": async () => ({ names: [], inputs: [], environments: [], calls: [] }),
      },
    })
    try {
      const page = await open(served.app.makeLink("anyone"), { expected: /Failed to load resource/ })
      await showPlace(page, "#/workflows/checkout/scripts/a")
      await page.getByRole("note").getByText("Scripts are read-only here").waitFor()
      await editor(page).click()
      await page.keyboard.type("typed")
      await expect.poll(() => shownText(page)).toBe(text)
      await expect.poll(() => page.getByRole("button", { name: "Save" }).count()).toBe(0)
    } finally {
      await served.app.close()
    }
  })
})
