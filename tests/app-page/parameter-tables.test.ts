// The parts of a request as tabs, with its parameters in tables: ticked, added, moved, and used by the keyboard.

import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { axeFindingsInThemes } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"
import { addParam, requestPath, save, showPart, type FormProject } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does, and a missing file gets an error response. */
const expected = /net::ERR_|status of 404/

describe.runIf(hasBrowser)("the parameters of a request", () => {
  let project: FormProject
  let page: Page
  useFormProject({ expected }, (opened) => ({ project, page } = opened))

  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
  const tick = (name: string) => page.getByRole("checkbox", { name: `Send ${name}`, exact: true })
  const tab = (name: RegExp) =>
    page.getByRole("tablist", { name: "Parts of the request" }).getByRole("tab", { name })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))
  const saved = async () => JSON.parse(await project.read(requestPath)) as Record<string, unknown>
  const showMine = async (content: unknown): Promise<void> => {
    await project.write(requestPath, JSON.stringify(content))
    await showPlace(page, "#/apis/shop/requests/books/mine")
    await page.getByRole("heading", { level: 1, name: "mine" }).waitFor()
  }

  it("are listed without a tick if they are optional, and a tick sends them", async () => {
    await showMine({ version: 1, operation: "getBook" })
    // A required value is missing, so its tab is first.
    await field("path bookId").fill("7")
    await tab(/^Path 1$/).waitFor()
    await showPart(page, "Query")
    await expect.poll(() => tick("query lang").isChecked()).toBe(false)
    await tick("query lang").check()
    await expect.poll(focused).toBe("query lang")
    await save(page)
    await expect.poll(() => saved()).toMatchObject({ params: { query: { lang: "" }, path: { bookId: "7" } } })
    await page.keyboard.insertText("de")
    await tab(/^Query 1$/).waitFor()
    await tick("query lang").uncheck()
    await tab(/^Query$/).waitFor()
    await save(page)
    await expect.poll(() => saved()).toMatchObject({ params: { path: { bookId: "7" } } })
    await page.keyboard.press("Control+z")
    await expect.poll(() => field("query lang").inputValue()).toBe("de")
    await expect.poll(() => tick("query lang").isChecked()).toBe(true)
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("are added under the tab that is shown, and `Authorization` moves to the headers", async () => {
    await showMine({ version: 1, operation: "getBook", params: { path: { bookId: "7" } } })
    await addParam(page, "Cookies", "sid")
    await page.keyboard.insertText("1")
    await addParam(page, "Query", "Authorization")
    await page.keyboard.insertText("Bearer {{apiKey}}")
    await page.getByRole("button", { name: "Move to Headers" }).click()
    await expect.poll(focused).toBe("header Authorization")
    await expect.poll(() => field("header Authorization").inputValue()).toBe("Bearer {{apiKey}}")
    // Enter adds what is typed, and not a longer name that is suggested.
    await showPart(page, "Headers")
    await field("Add header").fill("Accept")
    await page.getByRole("option", { name: "Accept-Language" }).waitFor()
    await page.keyboard.press("Enter")
    await expect.poll(focused).toBe("header Accept")
    // A name that has a row is shown, whatever its case.
    await addParam(page, "Headers", "AUTHORIZATION")
    await expect.poll(focused).toBe("header Authorization")
    await save(page)
    await expect
      .poll(() => saved())
      .toMatchObject({
        params: {
          path: { bookId: "7" },
          header: { Authorization: "Bearer {{apiKey}}" },
          cookie: { sid: "1" },
        },
      })
    await expect.poll(() => project.read(requestPath)).not.toContain("query")
    await page.getByRole("button", { name: "Remove header Authorization" }).click()
    await field("header Authorization").waitFor({ state: "detached" })
  })

  it("have one tab stop per row, and arrows between the rest", async () => {
    await showMine({
      version: 1,
      operation: "getBook",
      params: { path: { bookId: "7" }, query: { own: "1" } },
    })
    await showPart(page, "Query")
    await field("query lang").focus()
    await page.keyboard.press("ArrowLeft")
    await expect.poll(focused).toBe("Send query lang")
    await page.keyboard.press("ArrowDown")
    await expect.poll(focused).toBe("Send query own")
    await page.keyboard.press("ArrowRight")
    await expect.poll(focused).toBe("query own")
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowRight")
    await expect.poll(focused).toBe("Remove query own")
    await field("query lang").focus()
    await page.keyboard.press("Tab")
    await expect.poll(focused).toBe("query own")
    await page.keyboard.press("Tab")
    await expect.poll(focused).toBe("Add query parameter")
    // Tab adds what was typed, and goes on in its value.
    await page.keyboard.insertText("more")
    await page.keyboard.press("Tab")
    await expect.poll(focused).toBe("query more")
  })

  it("with a problem mark their tab, which opens at the link of the problem", async () => {
    const blocks = [
      { id: "send", type: "request", request: { api: "shop", resource: "books", instance: "mine" } },
    ]
    await project.write("apis/workflow/run.json", JSON.stringify({ version: 1, blocks }))
    await showMine({
      version: 1,
      operation: "createOrder",
      params: { query: { lang: "{{nobody.knows}}" } },
      body: { book: 1 },
    })
    await tab(/^Query 1.*(?:error|warning)/).waitFor()
    await expect.poll(() => tab(/^Body/).getAttribute("aria-selected")).toBe("true")
    await showPlace(page, "#/problems")
    await page
      .getByRole("main")
      .getByRole("link", { name: /nobody/ })
      .first()
      .click()
    await expect.poll(focused).toBe("query lang")
  })

  it("of a long list are shown in part until the user asks for all", async () => {
    const parameters = Array.from({ length: 300 }, (_, at) => ({
      name: `option${at}`,
      in: "query",
      schema: { type: "string" },
      description: `Option **${at}**\nof \`many\`, see [docs](https://a.test).\n\nThe rest.`,
    }))
    const get = { operationId: "many", parameters, responses: { default: { description: "ok" } } }
    await project.write(
      "apis/large/openapi.json",
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Large", version: "1" },
        paths: { "/many": { get } },
      }),
    )
    await showPlace(page, "#/apis/large/operations/GET/%2Fmany")
    await field("query option59").waitFor()
    await expect.poll(() => field("query option60").count()).toBe(0)
    await page.getByRole("button", { name: "Show 240 more" }).click()
    await field("query option299").fill("x")
    // The first paragraph as CommonMark, then all of it.
    const about = page.getByRole("button", {
      name: "Description of query option299: string · Option 299 of many, see [docs](https://a.test).",
    })
    await about.locator("strong", { hasText: "299" }).waitFor()
    await about.locator("code", { hasText: "many" }).waitFor()
    await expect.poll(() => about.innerText()).toBe("string · Option 299 of many, see docs.")
    await about.click()
    await page.locator(".rich-text", { hasText: "The rest." }).getByRole("link", { name: "docs" }).waitFor()
  })
})
