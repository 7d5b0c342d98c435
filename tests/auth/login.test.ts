// Authorization code with PKCE: the user logs in with a browser before anything is sent.

import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { runOAuth } from "./oauth-project.ts"
import { code, startLogin, stateOf, type Login } from "./start-login.ts"
import { createHome } from "./user-file.ts"

describe("a login", () => {
  it("is opened on standard error and in $BROWSER, ignores other states, and gives one token to the run", async () => {
    const { provider, run } = await startLogin()
    const home = await createHome({})
    const browser = join(home.folder, "browser.cjs")
    const opened = join(home.folder, "opened")
    await writeFile(browser, `require("fs").writeFileSync(${JSON.stringify(opened)}, process.argv[2])`)
    const statuses: number[] = []
    let parameters: Readonly<Record<string, string>> = {}
    const act = async ({ url, answer }: Login): Promise<void> => {
      parameters = Object.fromEntries(url.searchParams)
      statuses.push(await answer({ code, state: "wrong" }), await answer({ code }))
      expect(provider.forms).toEqual([])
      while ((await readFile(opened, "utf8").catch(() => "")) !== url.href) await new Promise(setImmediate)
      statuses.push(await answer({ code, state: stateOf(url) }))
    }
    const { exitCode } = await run(act, ["--login"], { BROWSER: `${process.execPath} ${browser}` })
    expect({ exitCode, statuses }).toEqual({ exitCode: 0, statuses: [400, 400, 200] })
    expect(parameters).toMatchObject({
      response_type: "code",
      client_id: "callsheet-client",
      scope: "read write",
      code_challenge_method: "S256",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
    })
    expect(provider.forms).toHaveLength(1)
    expect(provider.forms[0]?.get("redirect_uri")).toBe(parameters["redirect_uri"])
    expect(provider.calls).toHaveLength(2)
  })

  it("that is denied, or whose code is refused, keeps the run from starting", async () => {
    const { provider, run } = await startLogin()
    const denied = await run(({ url, answer }) => answer({ error: "access_denied", state: stateOf(url) }))
    expect(denied.exitCode).toBe(2)
    expect(denied.report?.runs[0]?.error?.problems?.[0]).toMatchObject({
      code: "login-required",
      message: expect.stringContaining("access_denied"),
    })
    const refused = await run(({ url, answer }) => answer({ code: "other", state: stateOf(url) }))
    expect(refused.exitCode).toBe(2)
    expect(refused.report?.runs[0]?.error?.problems?.[0]?.message).toContain("invalid_grant")
    expect(provider.calls).toEqual([])
  })

  it.each(["clientId", "baseUrl"])("is refused if the page's URL would show a secret: %s", async (secret) => {
    const { provider, project } = await startLogin()
    const { exitCode, report, stderr } = await runOAuth({ ...project, secret }, () => [], {
      words: ["--login"],
    })
    expect(exitCode).toBe(2)
    expect(report?.runs[0]?.error?.problems?.[0]).toMatchObject({
      code: "login-required",
      message: expect.stringContaining("would show a secret"),
    })
    expect(stderr).not.toContain("http:")
    expect(stderr).not.toContain("callsheet-client")
    expect(provider.forms).toEqual([])
  })

  it("is required, and nothing is sent without a terminal and --login", async () => {
    const { provider, run } = await startLogin()
    const { exitCode, report } = await run(() => Promise.resolve(), [])
    expect(exitCode).toBe(2)
    expect(report?.runs[0]?.error?.problems?.[0]).toMatchObject({ code: "login-required" })
    expect(provider.forms).toEqual([])
    expect(provider.calls).toEqual([])
  })
})
