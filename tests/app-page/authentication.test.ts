// Authentication of requests: what an operation requires, whether it is set, and the one step that sets it.

import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { oauthProject, startProvider } from "../auth/oauth-project.ts"
import { createFolder, writeFiles } from "../harness/callsheet.ts"
import { startAuthenticationProject, typed, type AuthenticationProject } from "./authentication-project.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { chooseEnvironment, showPlace } from "./edit-project.ts"
import { addParam, showPart } from "./form-project.ts"

/** The app stops before the browser does, and a request without a document has no operation to read. */
const expected = /net::ERR_|status of 40[04]/

const part = (page: Page) => page.getByRole("region", { name: "Authentication" })
const row = (page: Page, name: string) => part(page).locator(".auth-row", { hasText: name })
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).click()
const response = (page: Page) => page.getByRole("region", { name: "Response", exact: true })
const dialog = (page: Page) => page.getByRole("dialog")

describe.runIf(hasBrowser)("the authentication of a request", () => {
  const { open } = useBrowser()
  let project: AuthenticationProject
  let page: Page
  beforeEach(async () => {
    project = await startAuthenticationProject()
    page = await open(await project.link(), { expected })
  })
  afterEach(() => project.close())

  const shopFile = (name: string) => project.read(`apis/shop/environments/${name}`)

  it("is set in one step from the response that refuses it", async () => {
    await showPlace(page, "#/apis/shop/operations/GET/%2Forders")
    await chooseEnvironment(page, "local")
    await row(page, "Bearer token").getByText("missing in local").waitFor()
    await send(page)
    await page.getByText("This operation needs bearer authentication.").waitFor()
    await page.getByRole("tab", { name: "Docs" }).click()
    await page.getByRole("button", { name: "Set it" }).click()
    await dialog(page).getByLabel("Token").and(page.locator(":focus")).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.keyboard.press("Enter")
    await dialog(page).getByText("Type or paste the value first.").waitFor()
    await dialog(page).getByLabel("Token").fill(typed.token)
    await page.keyboard.press("Enter")
    await dialog(page).waitFor({ state: "detached" })
    await row(page, "Bearer token").getByText("set in local").waitFor()
    await send(page)
    await response(page).getByText("200").waitFor()
    await expect
      .poll(async () => JSON.parse(await shopFile("schema.json")) as unknown)
      .toMatchObject({
        variables: { session: { type: "string", required: false, secret: true } },
      })
    await expect.poll(() => shopFile("local.secrets.env")).toContain(typed.token)
    expect(await axeFindingsInThemes(page)).toEqual([])
    await chooseEnvironment(page, "staging")
    await row(page, "Bearer token").getByText("inherited from local").waitFor()
    expect(await keptByPage(page)).not.toContain(typed.token)
  })

  it("shows alternatives and combinations, and which of them is used", async () => {
    await showPlace(page, "#/apis/shop/operations/GET/%2Fitems")
    await chooseEnvironment(page, "local")
    await expect
      .poll(() => part(page).locator(".auth-name").allInnerTexts())
      .toEqual([
        "API key\nshopKey\nheader X-Shop-Key",
        "or\nBasic\nstaff\nheader Authorization",
        "and\nAPI key\ntenant\nquery tenant",
      ])
    await row(page, "staff").getByRole("button", { name: "Set Basic staff" }).click()
    await dialog(page).getByLabel("User").fill("a:b")
    await dialog(page).getByLabel("Password").fill(typed.password)
    await dialog(page).getByRole("button", { name: "Save" }).click()
    await dialog(page).getByText("A user's name can't contain a colon.").waitFor()
    await dialog(page).getByLabel("User").fill("ada")
    await dialog(page).getByLabel("staging").check()
    await dialog(page).getByRole("button", { name: "Save" }).click()
    await row(page, "staff").getByText("set in local").waitFor()
    for (const name of ["local", "staging"])
      await expect.poll(() => shopFile(`${name}.secrets.env`)).toContain(`staff=ada:${typed.password}`)
    await row(page, "staff")
      .getByRole("button", { name: "Set Basic staff" })
      .and(page.locator(":focus"))
      .waitFor()
    await row(page, "shopKey").getByRole("button").click()
    await dialog(page).getByLabel("Variable").fill("ownKey")
    await dialog(page).getByText("Only this request uses it.").waitFor()
    await dialog(page).getByLabel("Key").fill(typed.key)
    await page.keyboard.press("Enter")
    // A variable with another name is used by a parameter of this request.
    await row(page, "shopKey").getByText("set in this request by {{ownKey}}").waitFor()
    await showPart(page, "Headers")
    await expect
      .poll(() => page.getByLabel("header X-Shop-Key", { exact: true }).inputValue())
      .toBe("{{ownKey}}")
    await row(page, "staff").locator("xpath=self::*[contains(@class,'auth-unused')]").waitFor()
    await send(page)
    await response(page).getByText("200").waitFor()
  })

  it("is not required by some operations", async () => {
    await showPlace(page, "#/apis/shop/operations/GET/%2Fhealth")
    await part(page).getByText("This operation requires no authentication.").waitFor()
    await part(page).getByRole("button").waitFor({ state: "detached" })
  })

  it("is chosen by hand without a document, and is undone with the form", async () => {
    await showPlace(page, "#/apis/plain/requests/things/one")
    await send(page)
    await page.getByText("The server asks for authentication.").waitFor()
    await part(page).getByRole("button", { name: "Bearer token…" }).click()
    await dialog(page).getByLabel("Token").fill(typed.token)
    await page.keyboard.press("Enter")
    await row(page, "Bearer").getByText("set in this request by {{token}}").waitFor()
    await send(page)
    await response(page).getByText("200").waitFor()
    await page.keyboard.press("Control+z")
    await part(page).getByText("None.").waitFor()
    // The secret stays, so another request can use it.
    await part(page).getByRole("button", { name: "API key…" }).click()
    await dialog(page).getByLabel("Sent in").selectOption("query")
    await dialog(page).getByLabel("Name").fill("key")
    await dialog(page).getByLabel("Secret").selectOption("token")
    await dialog(page).getByRole("button", { name: "Save" }).click()
    await expect.poll(() => page.getByLabel("query key", { exact: true }).inputValue()).toBe("{{token}}")
    await row(page, "Secret").getByRole("button", { name: "Remove" }).click()
    await part(page).getByText("None.").waitFor()
    expect(await keptByPage(page)).not.toContain(typed.token)
  })

  it("of a block says whether the block, its saved request or the environment sets it", async () => {
    await project.write(
      "apis/shop/requests/orders/mine.json",
      JSON.stringify({
        version: 1,
        operation: "listOrders",
        params: { header: { authorization: "Bearer mine" } },
      }),
    )
    await showPlace(page, "#/workflows/look/blocks/mine")
    await chooseEnvironment(page, "local")
    await row(page, "Bearer token").getByText("set in the saved request").waitFor()
    await addParam(page, "Headers", "Authorization")
    await page.getByLabel("header authorization", { exact: true }).fill("Bearer other")
    await row(page, "Bearer token").getByText("set in this request").waitFor()
    await page.getByRole("main").getByRole("treeitem").filter({ hasText: "orders" }).first().click()
    await row(page, "Bearer token").getByText("missing in local").waitFor()
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("button", { name: "Set it" }).click()
    await dialog(page).getByLabel("Token").fill(typed.token)
    await page.keyboard.press("Enter")
    await row(page, "Bearer token").getByText("set in local").waitFor()
  })

  it("says why a variable can't have a secret", async () => {
    await showPlace(page, "#/apis/plain/requests/things/one")
    await part(page).getByRole("button", { name: "Bearer token…" }).click()
    await dialog(page).getByLabel("Token").fill(typed.token)
    await dialog(page).getByLabel("Variable").fill("baseUrl")
    await page.keyboard.press("Enter")
    await dialog(page).getByText("baseUrl is declared, but not as a secret.").waitFor()
    await dialog(page).getByLabel("Variable").fill("2x")
    await page.keyboard.press("Enter")
    await expect.poll(() => dialog(page).getByLabel("Variable").getAttribute("aria-invalid")).toBe("true")
    await page.keyboard.press("Escape")
    expect(await project.read("apis/plain/environments/local.json")).not.toContain(typed.token)
  })
})

describe.runIf(hasBrowser)("the authentication of a request by OAuth", () => {
  const { open } = useBrowser()

  it("says whether the user is logged in, and until when", async () => {
    const provider = await startProvider({ client: { id: "callsheet-client", method: "none" } })
    const flows = {
      authorizationCode: { authorizationUrl: "/authorize", tokenUrl: "/token", scopes: { read: "" } },
    }
    const [folder, home] = [await createFolder(), await createFolder()]
    await writeFiles(folder, oauthProject({ url: provider.url, values: { clientId: null }, flows }))
    const env = { HOME: home, XDG_STATE_HOME: join(home, "state") }
    const command = await startCommand({ cwd: folder, env })
    onTestFinished(async () => {
      await command.end("SIGINT")
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
    })
    const page = await open(command.link, { expected })
    await showPlace(page, "#/apis/shop/operations/GET/%2Fitem")
    await row(page, "OAuth 2").getByText("missing in").waitFor()
    await row(page, "OAuth 2").getByRole("button").click()
    await expect.poll(() => dialog(page).getByLabel("How").inputValue()).toBe("authorization_code")
    await dialog(page).getByLabel("Client ID").fill("callsheet-client")
    await dialog(page).getByRole("button", { name: "Save" }).click()
    await row(page, "OAuth 2").getByText("not logged in").waitFor()
    await send(page)
    const opened = page.context().waitForEvent("page")
    await dialog(page).getByRole("button", { name: "Log in" }).click()
    const tab = await opened
    await tab.waitForURL(/\/callback\?/)
    await tab.close()
    await row(page, "OAuth 2")
      .getByText(/^logged in/)
      .waitFor()
    const seen = [await page.content(), command.stdout(), command.stderr()].join()
    for (const secret of provider.secrets) expect(seen).not.toContain(secret)
  })
})

/** What the page shows and keeps. */
const keptByPage = async (page: Page): Promise<string> =>
  (await page.content()) +
  (await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href, history.state])))
