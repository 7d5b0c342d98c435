// Logins without a run, as the app's server answers them.

import { describe, expect, it, onTestFinished } from "vitest"
import { createLoginHandlers } from "@callsheet/server"
import { oauthProject, startProvider } from "../auth/oauth-project.ts"
import { withPorts } from "../../packages/cli/src/session/with-ports.ts"
import { openProject, scriptEntry } from "./open-project.ts"

const flows = {
  authorizationCode: { authorizationUrl: "/authorize", tokenUrl: "/token", scopes: { read: "" } },
}
const client = { id: "callsheet-client", method: "none" }
const place = { api: "shop", operation: "getItem", environment: "staging" }
const scheme = { ...place, scheme: "shop.oauth" }

async function open({ isRemote = false } = {}) {
  const provider = await startProvider({ client, expiresIn: 3600 })
  const files = oauthProject({ url: provider.url, values: { clientId: client.id }, flows })
  const logins = new Map()
  const project = await openProject(files, { logins })
  const { root } = project
  const bugs: unknown[] = []
  const { handlers, close } = createLoginHandlers({
    known: project,
    processEnvironment: {},
    withPorts: (start, use) => withPorts({ root, processEnvironment: {}, scriptEntry, ...start }, use),
    logins,
    isRemote: () => isRemote,
    onBug: (error) => bugs.push(error),
  })
  onTestFinished(() => {
    close()
    expect(bugs).toEqual([])
  })
  /** Starts a login, and returns its name and a function that plays the browser. */
  const start = async () => {
    const started = await handlers["logins.start"](scheme)
    if (!("login" in started)) throw new Error("a login page was expected")
    const { login, url } = started.login
    return { login, visit: () => fetch(url) }
  }
  const state = async () => {
    const { alternatives } = await project.handlers["operations.authentication"]({ ...place, parameters: [] })
    return alternatives[0]?.[0]?.login?.isLoggedIn
  }
  return { handlers, provider, project, start, state }
}

describe("a login without a run", () => {
  it("ends with a token that is valid only for the server that the user logged in for", async () => {
    const { handlers, project, start, state, provider } = await open()
    expect(await state()).toBe(false)
    const { login, visit } = await start()
    const [ended] = await Promise.all([handlers["logins.wait"]({ login }), visit()])
    expect(ended).toEqual({ isLoggedIn: true })
    expect(await state()).toBe(true)
    expect(await handlers["logins.start"](scheme)).toEqual({ isLoggedIn: true })
    expect(provider.forms).toHaveLength(1)
    const elsewhere = { baseUrl: "http://127.0.0.1:9", shop_oauth_clientId: client.id }
    await project.put({ "apis/shop/environments/staging.json": elsewhere })
    await expect.poll(state).toBe(false)
  })

  it("is canceled by the user, and by later ones if too many wait", async () => {
    const { handlers, start, state } = await open()
    const first = await start()
    const canceled = expect(handlers["logins.wait"]({ login: first.login })).rejects.toMatchObject({
      code: "login-required",
    })
    await handlers["logins.cancel"]({ login: first.login })
    await canceled
    const oldest = await start()
    const outdone = expect(handlers["logins.wait"]({ login: oldest.login })).rejects.toThrow()
    for (let count = 0; count < 4; count++) await start()
    await outdone
    expect(await state()).toBe(false)
  })

  it("is refused for an unknown scheme, and while other machines can reach the app", async () => {
    const { handlers } = await open()
    await expect(handlers["logins.start"]({ ...scheme, scheme: "other" })).rejects.toMatchObject({
      code: "login-required",
    })
    await expect(handlers["logins.start"]({ ...scheme, environment: "gone" })).rejects.toMatchObject({
      code: "env-missing",
    })
    const remote = await open({ isRemote: true })
    await expect(remote.handlers["logins.start"](scheme)).rejects.toMatchObject({ code: "remote-refused" })
  })
})
