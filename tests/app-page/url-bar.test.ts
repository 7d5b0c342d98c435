// The bar of a saved request: a typed URL, another server, and a pasted curl command.

import type { Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { axeFindingsInThemes } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace } from "./edit-project.ts"
import { requestPath, save, type FormProject } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does, and an unknown operation gets an error response. */
const expected = /net::ERR_|status of 40[04]/

describe.runIf(hasBrowser)("the bar of a saved request", () => {
  let project: FormProject
  let page: Page
  useFormProject(
    { expected },
    (opened) => ({ project, page } = opened),
    async ({ write }) => {
      const staging = { level: "staging", baseUrl: "http://staging.invalid/v1" }
      await write("apis/shop/environments/staging.json", JSON.stringify(staging))
      await write(requestPath, JSON.stringify({ version: 1, method: "GET", path: "/health" }))
    },
  )
  beforeEach(async () => {
    await showPlace(page, "#/apis/shop/requests/books/mine")
    await chooseEnvironment(page, "local")
  })

  const url = () => page.getByRole("textbox", { name: "URL", exact: true })
  const method = () => page.getByLabel("Method", { exact: true })
  const note = () => page.locator(".url-notice")
  const saved = async () => JSON.parse(await project.read(requestPath)) as Record<string, unknown>
  const sent = () => project.api.requests.map((one) => [one.method, one.path, String(one.query)])
  /** As the clipboard would: the browser of the tests may not read it. */
  const paste = async (text: string): Promise<void> => {
    await url().focus()
    await page.keyboard.press("ControlOrMeta+a")
    await url().evaluate((input, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData("text", pasted)
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  }

  it("binds a typed URL to its operation, and sends it on Enter", async () => {
    await expect.poll(() => url().inputValue()).toBe("/health")
    await url().fill(`${project.api.url}/books/7?lang=de`)
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Sent request" }).getByText("answered").waitFor()
    expect(sent()).toEqual([["GET", "/books/7", "lang=de"]])
    await expect.poll(() => url().inputValue()).toBe("/books/7?lang=de")
    await save(page)
    await expect
      .poll(() => saved())
      .toEqual({
        version: 1,
        operation: "getBook",
        params: { query: { lang: "de" }, path: { bookId: "7" } },
      })
    // Another method has no operation at this path.
    await method().selectOption("PATCH")
    await url().fill("/books/{bookId}?lang={{env.shop.apiKey}}")
    await page.keyboard.press("Tab")
    await save(page)
    await expect
      .poll(() => saved())
      .toEqual({
        version: 1,
        method: "PATCH",
        path: "/books/{bookId}",
        params: { query: { lang: "{{env.shop.apiKey}}" } },
      })
    await method().selectOption("POST")
    await url().fill("/orders")
    await page.keyboard.press("Escape")
    await expect.poll(() => url().inputValue()).toContain("/books/{bookId}")
    expect(await axeFindingsInThemes(page)).toEqual([])
  })

  it("never sends to another server than that of the environment", async () => {
    await paste("http://staging.invalid/v1/books/7")
    await note().getByText("is not the server of local").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.keyboard.press("Control+Enter")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await note().getByText("is not the server of local").waitFor()
    expect(project.api.requests).toEqual([])
    await note().getByRole("button", { name: "Switch to staging" }).click()
    await page.getByRole("button", { name: "Environment of shop: staging" }).waitFor()
    await expect.poll(() => url().inputValue()).toBe("/books/7")
    await paste("https://unknown.invalid/orders?a=1&a=2")
    await note().getByText("https://unknown.invalid").waitFor()
    await note().getByRole("button", { name: "Keep only the path" }).click()
    await note().getByText("it kept the last one").waitFor()
    await save(page)
    await expect
      .poll(() => saved())
      .toEqual({
        version: 1,
        method: "GET",
        path: "/orders",
        params: { query: { a: "2" } },
      })
  })

  it("fills in a pasted curl command, and keeps its secrets out of the file", async () => {
    await paste(
      `curl '${project.api.url}/orders' -H 'Authorization: Bearer planted-token-42' -H 'X-Trace: on' --json '{"book": 7}'`,
    )
    await note().getByText("Filled in from the curl command.").waitFor()
    await expect.poll(() => method().inputValue()).toBe("POST")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await save(page)
    await expect
      .poll(() => saved())
      .toEqual({
        version: 1,
        operation: "createOrder",
        params: {
          header: {
            Authorization: "Bearer {{bearerCredential}}",
            "X-Trace": "on",
            Accept: "application/json",
          },
        },
        body: { book: 7 },
      })
    await note().getByRole("button", { name: "Store the secret in local" }).click()
    await note().getByText("It is stored in local.").waitFor()
    await expect
      .poll(() => project.read("apis/shop/environments/local.secrets.env"))
      .toContain("planted-token-42")
    expect(await project.read("apis/shop/environments/schema.json")).not.toContain("planted-token-42")
    await note().getByRole("button", { name: "Close" }).click()
    await page.keyboard.press("Control+Enter")
    await page.getByRole("region", { name: "Sent request" }).getByText("answered").waitFor()
    expect(project.api.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer planted-token-42",
    ])
    expect(await page.content()).not.toContain("planted-token-42")
    // One step of the history.
    await url().focus()
    await page.keyboard.press("Control+z")
    await expect.poll(() => url().inputValue()).toBe("/health")
  })
})
