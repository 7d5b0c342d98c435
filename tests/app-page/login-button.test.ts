// The buttons that log in to a scheme and out again, without a request.

import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { oauthProject, startProvider, type OAuthProject } from "../auth/oauth-project.ts"
import { createHome, nodeResolver, type Home } from "../auth/user-file.ts"
import { createFolder, writeFiles } from "../harness/callsheet.ts"
import { json, type LoginAnswer, type ProviderOptions } from "../harness/identity-provider.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"

const flows = {
  authorizationCode: { authorizationUrl: "/authorize", tokenUrl: "/token", scopes: { read: "" } },
}
const clientSecret = "s3cret of the client"

const row = (page: Page) =>
  page.getByRole("region", { name: "Authentication" }).locator(".auth-row", { hasText: "OAuth 2" })
const button = (page: Page, does: string) => row(page).getByRole("button", { name: `${does}: shop.oauth` })
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).click()
const response = (page: Page) => page.getByRole("region", { name: "Response", exact: true })

describe.runIf(hasBrowser)("a login without a request", () => {
  const { open } = useBrowser()

  it("opens the login page, keeps the token for later requests, and is ended by Log out", async () => {
    let answer: LoginAnswer = "denied"
    const client = { id: "callsheet-client", method: "none" }
    const provider = await startProvider({ client, expiresIn: 3600, logIn: () => answer })
    const { page, seen } = await begin({ url: provider.url, values: { clientId: client.id }, flows })
    await row(page).getByText("not logged in").waitFor()
    await button(page, "Log in").click()
    const dialog = page.getByRole("dialog", { name: "Log in to shop.oauth" })
    await dialog.getByText(new URL(provider.url).host).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await button(page, "Log in").and(page.locator(":focus")).waitFor()
    await page.keyboard.press("Enter")
    await dialog.locator(":focus").waitFor()
    expect(await inNewTab(page, () => page.keyboard.press("Enter"))).toContain("The login failed.")
    await row(page).getByRole("alert").getByText("was denied: access_denied").waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    answer = "code"
    await button(page, "Log in").click()
    await dialog.locator(":focus").waitFor()
    expect(await inNewTab(page, () => page.keyboard.press("Enter"))).toContain("You are logged in.")
    await row(page)
      .getByText(/^logged in until/)
      .waitFor()
    await row(page).getByRole("alert").getByText("denied").waitFor({ state: "detached" })
    expect(provider.calls).toEqual([])
    await send(page)
    await response(page).getByText("200").waitFor()
    expect([provider.forms.length, provider.calls.map(({ isAllowed }) => isAllowed)]).toEqual([1, [true]])
    await button(page, "Log out").click()
    await row(page).getByText("not logged in").waitFor()
    await button(page, "Log in").and(page.locator(":focus")).waitFor()
    const text = await seen()
    for (const secret of provider.secrets) expect(text).not.toContain(secret)
  })

  it("gets a token for client credentials, and shows the error of the server as text", async () => {
    const client = { id: "callsheet-client", method: "client_secret_basic", secret: clientSecret }
    const error = { error: "invalid_scope", error_description: `<b>not for</b> ${clientSecret}` }
    const options: { -readonly [N in keyof ProviderOptions]: ProviderOptions[N] } = {
      client,
      expiresIn: 3600,
      respond: (answer) => json(answer, 400, error),
    }
    const provider = await startProvider(options)
    const values = { clientId: client.id, clientSecret }
    const { page, seen } = await begin({ url: provider.url, values, secret: "clientSecret" })
    await row(page).getByText("set in staging, client credentials").waitFor()
    await button(page, "Get token").click()
    await row(page).getByRole("alert").getByText("<b>not for</b> ***").waitFor()
    delete options.respond
    await button(page, "Get token").click()
    await row(page)
      .getByText(/^logged in until/)
      .waitFor()
    expect(provider.forms).toHaveLength(2)
    await send(page)
    await response(page).getByText("200").waitFor()
    // The kept token.
    expect(provider.forms).toHaveLength(2)
    await button(page, "Log out").click()
    await row(page).getByText("set in staging, client credentials").waitFor()
    const text = await seen()
    for (const secret of [clientSecret, ...provider.secrets]) expect(text).not.toContain(secret)
  })

  it("knows the login of a client whose secret is known to a program", async () => {
    const client = { id: "callsheet-client", method: "client_secret_basic", secret: clientSecret }
    const provider = await startProvider({ client })
    const values = { clientId: client.id, clientSecret: "secret://vault/client" }
    const vault = nodeResolver(`console.log(${JSON.stringify(clientSecret)})`, "{reference}")
    const { env } = await createHome({ version: 1, resolvers: { vault } })
    const { page, seen } = await begin({ url: provider.url, values, flows, secret: "clientSecret" }, env)
    await row(page).getByText("not logged in").waitFor()
    await button(page, "Log in").click()
    await page.getByRole("dialog").waitFor()
    await inNewTab(page, () => page.keyboard.press("Enter"))
    await button(page, "Log out").waitFor()
    await send(page)
    await response(page).getByText("200").waitFor()
    expect(provider.forms).toHaveLength(1)
    await row(page)
      .getByText(/^logged in/)
      .waitFor()
    const text = await seen()
    for (const secret of [clientSecret, ...provider.secrets]) expect(text).not.toContain(secret)
  })

  /** Opens the operation. */
  async function begin(project: OAuthProject, env: Home["env"] = {}) {
    const [folder, home] = [await createFolder(), await createFolder()]
    await writeFiles(folder, oauthProject(project))
    const command = await startCommand({
      cwd: folder,
      env: { HOME: home, XDG_STATE_HOME: join(home, "state"), ...env },
    })
    onTestFinished(async () => {
      await command.end("SIGINT")
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
    })
    const page = await open(command.link, { expected: /net::ERR_|status of 40[04]/ })
    const heard: Promise<string>[] = []
    page.on("response", (answer) => {
      if (answer.url().includes("/api/")) heard.push(answer.text().catch(() => ""))
    })
    await showPlace(page, "#/apis/shop/operations/GET/%2Fitem")
    const seen = async (): Promise<string> =>
      [
        await page.content(),
        await page.evaluate(() =>
          JSON.stringify([localStorage, sessionStorage, location.href, history.state]),
        ),
        command.stdout(),
        command.stderr(),
        ...(await Promise.all(heard)),
      ].join()
    return { page, seen }
  }
})

/** Returns the text of the page to which a login redirects its tab. */
async function inNewTab(page: Page, act: () => Promise<void>): Promise<string> {
  const opened = page.context().waitForEvent("page")
  await act()
  const tab = await opened
  await tab.waitForURL(/\/callback\?/)
  const text = (await tab.textContent("body")) ?? ""
  await tab.close()
  return text
}
