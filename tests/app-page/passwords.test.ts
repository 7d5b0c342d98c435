// A password that the document calls one: it becomes a secret, or the app asks before a file gets it.

import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { axeFindingsInThemes } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"
import { requestPath, save, type FormProject } from "./form-project.ts"
import { useFormProject } from "./use-form-project.ts"

/** The app stops before the browser does, and a missing file gets an error response. */
const expected = /net::ERR_|status of 404/
const planted = "planted-password-42"

const schema = {
  type: "object",
  required: ["password"],
  properties: { name: { type: "string" }, password: { type: "string", format: "password" } },
}
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/sessions": {
      post: {
        operationId: "login",
        tags: ["books"],
        parameters: [{ name: "X-Pin", in: "header", schema: { type: "string", format: "password" } }],
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { default: { description: "ok" } },
      },
    },
  },
}

describe.runIf(hasBrowser)("a password", () => {
  let project: FormProject
  let page: Page
  useFormProject(
    { expected },
    (opened) => ({ project, page } = opened),
    async ({ write }) => {
      await write("apis/shop/openapi.json", JSON.stringify(document))
      await write(requestPath, JSON.stringify({ version: 1, operation: "login", body: { name: "Ada" } }))
    },
  )

  const field = (name: string) => page.getByRole("main").getByLabel(name, { exact: true })
  const dialog = () => page.getByRole("dialog")
  const secrets = () => project.read("apis/shop/environments/local.secrets.env")
  const showMine = async (): Promise<void> => {
    await showPlace(page, "#/apis/shop/requests/books/mine")
    await page.getByRole("heading", { level: 1, name: "mine" }).waitFor()
  }

  it("becomes a secret by one dialog at its field", async () => {
    await showMine()
    await field("body password").fill(planted)
    await page.getByRole("button", { name: "Make it a secret…" }).click()
    await expect.poll(() => dialog().getByLabel("Variable").inputValue()).toBe("password")
    await expect.poll(() => dialog().getByLabel("Environment").inputValue()).toBe("local")
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog().getByRole("button", { name: "Store as a secret" }).click()
    await expect.poll(() => field("body password").inputValue()).toBe("{{password}}")
    await save(page)
    await expect
      .poll(async () => JSON.parse(await project.read(requestPath)) as unknown)
      .toMatchObject({ body: { password: "{{password}}" } })
    await expect.poll(() => secrets()).toContain(planted)
  })

  it("isn't saved in a file before the user agrees", async () => {
    await showMine()
    const before = await project.read(requestPath)
    await field("body password").fill(planted)
    await page.keyboard.press("Control+s")
    await dialog().getByText("body password").waitFor()
    await page.keyboard.press("Escape")
    await dialog().waitFor({ state: "detached" })
    await expect.poll(() => project.read(requestPath)).toBe(before)
    await page.keyboard.press("Control+s")
    await dialog().getByRole("button", { name: "Store as a secret" }).click()
    await page.locator(".save-bar-state").getByText("Saved", { exact: true }).waitFor()
    await expect
      .poll(async () => JSON.parse(await project.read(requestPath)) as unknown)
      .toMatchObject({ body: { password: "{{password}}" } })
    // What is in the file already, with the consent of the user, isn't asked again.
    await field("body password").fill("plain-text")
    await page.keyboard.press("Control+s")
    await dialog().getByRole("button", { name: "Save as plain text" }).click()
    await page.locator(".save-bar-state").getByText("Saved", { exact: true }).waitFor()
    await field("body name").fill("Grace")
    await save(page)
    await expect
      .poll(async () => JSON.parse(await project.read(requestPath)) as unknown)
      .toMatchObject({
        body: { name: "Grace", password: "plain-text" },
      })
  })

  it("of an operation's page isn't in the request that is created from it", async () => {
    await showPlace(page, "#/apis/shop/operations/POST/%2Fsessions")
    await field("body password").fill(planted)
    await page.getByRole("button", { name: "Save as request…" }).click()
    await dialog().getByLabel("Name").fill("sign-in")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "Make the password a secret?" }).waitFor()
    await page.getByRole("button", { name: "Store as a secret" }).click()
    await page.getByRole("heading", { level: 1, name: "sign-in" }).waitFor()
    expect(await project.read("apis/shop/requests/books/sign-in.json")).not.toContain(planted)
    await expect.poll(() => secrets()).toContain(planted)
  })
})
