// A run that needs a login: the page asks, the provider's page opens in a new tab, and the run goes on.

import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { describe, expect, it, onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { requests, oauthProject, startProvider } from "../auth/oauth-project.ts"
import { createFolder, writeFiles } from "../harness/callsheet.ts"
import type { LoginAnswer } from "../harness/identity-provider.ts"
import { axeFindingsInThemes, useBrowser } from "./browser.ts"
import { hasBrowser } from "./chromium.ts"
import { showPlace } from "./edit-project.ts"

const flows = {
  authorizationCode: { authorizationUrl: "/authorize", tokenUrl: "/token", scopes: { read: "" } },
}

describe.runIf(hasBrowser)("a login in the app", () => {
  const { open } = useBrowser()

  it("is asked for, can be canceled or denied, and lets this and later runs go on", async () => {
    let answer: LoginAnswer = "denied"
    const provider = await startProvider({
      client: { id: "callsheet-client", method: "none" },
      logIn: () => answer,
    })
    const values = { clientId: "callsheet-client" }
    const { page, command } = await begin({ url: provider.url, values, flows, blocks: requests("a", "b") })
    const heard: Promise<string>[] = []
    page.on("response", (response) => {
      if (response.url().includes("/api/")) heard.push(response.text().catch(() => ""))
    })
    const dialog = page.getByRole("dialog", { name: "Log in to run" })
    const run = () => page.getByRole("button", { name: "Run", exact: true }).click()
    const outcome = (status: string) =>
      page.locator("#run-report").getByText(status, { exact: true }).first().waitFor()
    /** Presses the button, and returns what the tab of the login says at the end. */
    const logIn = async (button: string): Promise<string> => {
      const opened = page.context().waitForEvent("page")
      await dialog.getByRole("button", { name: button }).click()
      const tab = await opened
      await tab.waitForURL(/\/callback\?/)
      const text = (await tab.textContent("body")) ?? ""
      await tab.close()
      return text
    }
    await run()
    await dialog.getByText(new URL(provider.url).host).waitFor()
    expect(await axeFindingsInThemes(page)).toEqual([])
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await dialog.waitFor({ state: "detached" })
    await run()
    expect(await logIn("Log in")).toContain("The login failed.")
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByText("was denied: access_denied").first().waitFor()
    expect([provider.forms, provider.calls]).toEqual([[], []])
    answer = "wrong-state"
    await run()
    expect(await logIn("Log in")).toContain("This is not the login that callsheet waits for.")
    await dialog.getByText("Waiting for the login…").waitFor()
    answer = "code"
    expect(await logIn("Open the page again")).toContain("You are logged in.")
    await outcome("passed")
    await run()
    await expect.poll(() => provider.calls.length).toBe(4)
    await outcome("passed")
    expect(provider.forms).toHaveLength(1)
    expect(provider.calls.every(({ isAllowed }) => isAllowed)).toBe(true)
    const seen = [
      await page.content(),
      command.stdout(),
      command.stderr(),
      ...(await Promise.all(heard)),
    ].join()
    for (const secret of provider.secrets) expect(seen).not.toContain(secret)
  })

  it("is refused if the URL of its page would show a secret", async () => {
    const provider = await startProvider({ client: { id: "callsheet-client", method: "none" } })
    const values = { clientId: "callsheet-client" }
    const { page } = await begin({ url: provider.url, values, flows, secret: "clientId" })
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("tab", { name: "Runs" }).click()
    await page.getByText("would show a secret").first().waitFor()
    expect(await page.content()).not.toContain("callsheet-client")
  })

  async function begin(project: Parameters<typeof oauthProject>[0]) {
    const [folder, home] = [await createFolder(), await createFolder()]
    await writeFiles(folder, oauthProject(project))
    const command = await startCommand({
      cwd: folder,
      env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
    })
    onTestFinished(async () => {
      await command.end("SIGINT")
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
    })
    const page: Page = await open(command.link)
    await showPlace(page, "#/workflows/one")
    return { page, command }
  }
})
