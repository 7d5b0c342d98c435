// Placeholders in fields: chips, cards, definitions, and marks of unknown names.

import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

const request = (id: string, query: Record<string, string>) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "listOrders", overrides: { params: { query } } },
})

const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/orders": {
        get: {
          operationId: "listOrders",
          parameters: [
            { name: "region", in: "query", schema: { type: "string" } },
            { name: "after", in: "query", schema: { type: "string" } },
          ],
          responses: { default: { description: "ok" } },
        },
      },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      region: { type: "string", required: true, description: "Where orders ship from" },
      apiKey: { type: "string", required: true, secret: true },
    },
  },
  "apis/shop/environments/local.json": { level: "local", baseUrl: "http://127.0.0.1:9", region: "north" },
  "apis/shop/environments/local.secrets.env": "apiKey=planted-secret-42\n",
  "apis/shop/environments/staging.json": { level: "staging", extends: "local", region: "south" },
  "apis/workflow/flow.json": {
    version: 1,
    inputs: { prefix: { type: "string", default: "A" } },
    blocks: [
      request("first", {
        region: "in {{region}} for {{apiKey}}",
        after: `${"many words ".repeat(12)}{{region}}\nand {{apiKey}}\nend`,
      }),
      { id: "values", type: "transform", transforms: { last: "first.response.body.0.id" } },
      request("second", { after: "{{prefix}}-{{values.last}}", region: "{{nowhere}}" }),
    ],
  },
}

describe.runIf(hasBrowser)("a placeholder", () => {
  const { open } = useBrowser()
  let project: EditProject
  beforeAll(async () => {
    project = await startEditProject(files)
  })
  afterAll(() => project.close())
  const openBlock = async (id: string): Promise<Page> => {
    const page = await open(await project.link(), { expected: /Failed to load resource/ })
    await page.getByRole("treeitem", { name: /^flow/ }).waitFor()
    await showPlace(page, `#/workflows/flow/blocks/${id}`)
    // The code editor begins at the selected block, and marks only the lines in view.
    await selected(page).getByText(id).waitFor()
    return page
  }
  const field = (page: Page, name: string): Locator => page.getByRole("combobox", { name, exact: true })
  const chips = (of: Locator): Locator =>
    of.page().locator(".token-field").filter({ has: of }).locator("mark")
  const selected = (page: Page): Locator =>
    page.getByRole("tree", { name: "Blocks" }).locator("[aria-selected=true]")

  it("is a chip whose card shows its values but no secret, and that leads to its definition", async () => {
    const page = await openBlock("first")
    const region = field(page, "query region")
    await expect.poll(() => chips(region).allTextContents()).toEqual(["{{region}}", "{{apiKey}}"])
    await page.locator(".target-line").getByText("GET", { exact: true }).waitFor()
    // The input above the chips receives the events.
    await chips(region).first().hover({ force: true })
    const card = page.getByRole("group", { name: "region", exact: true })
    await card.getByText("north").waitFor()
    await expect
      .poll(() => card.innerText())
      .toMatch(/Where orders ship from[^]*local[^]*north[^]*staging[^]*south/)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.mouse.move(5, 5)
    await card.waitFor({ state: "detached" })
    await region.focus()
    await page.keyboard.press("End")
    await page.keyboard.press("Control+i")
    const secret = page.getByRole("group", { name: "apiKey", exact: true })
    await secret.getByText("hidden secret").first().waitFor()
    expect(await page.content()).not.toContain("planted-secret-42")
    await expect.poll(() => secret.getByRole("button").evaluate((one) => one.matches(":focus"))).toBe(true)
    await page.keyboard.press("Escape")
    await expect.poll(() => region.evaluate((one) => one.matches(":focus"))).toBe(true)
    await chips(region)
      .first()
      .click({ force: true, modifiers: ["Control"] })
    await page.getByRole("grid").waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? "")).toContain("north")
  })

  it("leads to a block's output or to an input by the keyboard", async () => {
    const page = await openBlock("second")
    const after = field(page, "query after")
    await after.focus()
    await page.keyboard.press("End")
    await page.keyboard.press("Control+b")
    await expect.poll(() => selected(page).innerText()).toContain("values")
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Name of output last")
    await page.getByRole("tree", { name: "Blocks" }).getByText("second", { exact: true }).click()
    await after.focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("Control+b")
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-input")))
      .toBe("prefix")
  })

  it("stays behind its text while the field scrolls, on one line and on several", async () => {
    const page = await openBlock("first")
    const region = field(page, "query region")
    const layer = page.locator(".token-field").filter({ has: region }).locator(".token-layer")
    const scrolled = (of: Locator) => of.evaluate((one) => [one.scrollLeft, one.scrollTop])
    await region.fill(`${"a long text ".repeat(10)}{{region}} {{apiKey}}`)
    await region.press("End")
    await expect.poll(async () => (await scrolled(region))[0]).toBeGreaterThan(100)
    await expect.poll(() => scrolled(layer)).toEqual(await scrolled(region))
    const lines = page.getByRole("textbox", { name: "query after" })
    await lines.press("Control+End")
    await expect.poll(() => chips(lines).allTextContents()).toEqual(["{{region}}", "{{apiKey}}"])
    const behind = page.locator(".token-field").filter({ has: lines }).locator(".token-layer")
    await lines.evaluate((one) => (one.style.height = "40px"))
    await lines.evaluate((one) => (one.scrollTop = 1000))
    await expect.poll(async () => (await scrolled(behind))[1]).toBeGreaterThan(10)
    expect(await scrolled(behind)).toEqual(await scrolled(lines))
  })

  it("is a chip in the code editor too, with the card and the way to its definition", async () => {
    const page = await openBlock("second")
    await page.getByRole("tab", { name: "JSON" }).click()
    const chip = page.locator(".cm-chip").getByText("{{values.last}}")
    await chip.hover()
    const card = page.getByRole("group", { name: "values.last", exact: true })
    await card.getByText("output of the block values").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.mouse.move(5, 5)
    await card.waitFor({ state: "detached" })
    await expect.poll(() => page.locator(".cm-lintRange-error").allTextContents()).toContain("{{nowhere}}")
    await page.locator(".cm-chip").getByText("{{nowhere}}").click()
    await page.keyboard.press("Control+i")
    await page
      .getByRole("group", { name: "nowhere" })
      .getByText(/nothing is named "nowhere" here/)
      .waitFor()
    await page.keyboard.press("Escape")
    await chip.click({ modifiers: ["Control"] })
    await expect.poll(() => selected(page).innerText()).toContain("values")
  })

  it("is listed with the other uses of a variable, an operation and a script, as a link to its field", async () => {
    const page = await openBlock("values")
    await showPlace(page, "#/apis/shop/environments")
    await page.getByRole("rowheader", { name: /^region/ }).click()
    await page.keyboard.press("Shift+F10")
    await page.getByRole("menuitem", { name: "Used by…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("link").first().waitFor()
    await expect
      .poll(() => dialog.getByRole("link").allTextContents())
      .toEqual(["flow · first", "flow · first"])
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog.getByRole("link").first().click()
    await expect.poll(() => selected(page).innerText()).toContain("first")
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("query region")
    await showPlace(page, "#/apis/shop/operations/GET/%2Forders")
    await page.getByRole("tab", { name: "Used by" }).click()
    await page.getByRole("link", { name: "flow · second" }).click()
    await expect.poll(() => selected(page).innerText()).toContain("second")
  })

  it("is found by the name of a value at any depth, and goes on with the members of a result", async () => {
    const page = await openBlock("second")
    const region = field(page, "query region")
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
    const type = async (text: string, first: string): Promise<void> => {
      await page.keyboard.type(text)
      await options.first().getByText(first, { exact: true }).waitFor()
    }
    await region.fill("")
    await type("{{duration", "first.response.durationMs")
    await page.keyboard.press("Enter")
    await expect.poll(() => region.inputValue()).toBe("{{first.response.durationMs}}")
    await region.fill("")
    await type("{{fir", "first")
    await page.keyboard.press("Enter")
    await expect.poll(() => region.inputValue()).toBe("{{first.}}")
    await type(".re", "first.response")
    await expect.poll(() => region.inputValue()).toBe("{{first.re}}")
    await page.keyboard.press("Enter")
    await expect.poll(() => region.inputValue()).toBe("{{first.response.}}")
    await options.first().waitFor()
    await page.keyboard.press("Escape")
    await expect.poll(() => region.inputValue()).toBe("{{first.response}}")
    await page.keyboard.press("Control+z")
  })

  it("is marked if nothing defines its name, but not while it is typed", async () => {
    const page = await openBlock("second")
    const region = field(page, "query region")
    await expect.poll(() => chips(region).first().getAttribute("class")).toBe("token token-error")
    const after = field(page, "query after")
    await expect.poll(() => chips(after).first().getAttribute("class")).toBe("token")
    await after.fill("")
    const isChecked = page.waitForResponse(
      (response) =>
        response.url().endsWith("/files.check") && response.request().postData()?.includes("{{gone") === true,
    )
    await after.pressSequentially("x {{gone")
    await isChecked
    const row = page.locator(".param-row").filter({ has: after })
    await expect.poll(() => row.locator(".form-problems").count()).toBe(0)
    await page.keyboard.type("}}")
    await expect.poll(() => chips(after).first().getAttribute("class")).toBe("token token-error")
    await row.getByText(/nothing is named "gone" here/).waitFor()
  })
})
