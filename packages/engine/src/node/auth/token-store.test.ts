import { expect, it } from "vitest"
import type { OAuthAuth } from "../../ports.ts"
import { systemClock, systemRandom } from "../create-node-ports.ts"
import { TokenStore, type Logins } from "./token-store.ts"

const client = { key: "ada", client: { grant: "authorization_code" } } as OAuthAuth

it("keeps a login only for its origins, until its token is stale or refused", () => {
  const now = systemClock.elapsed()
  const storeWith = (staleAt: number) => {
    const token = { value: "one", expiresInMs: 1, refreshToken: undefined, staleAt }
    const logins: Logins = new Map([["ada", { token, origins: new Set(["https://a.example"]) }]])
    const http = { close: () => undefined } as never
    return new TokenStore({ http, clock: systemClock, random: systemRandom }, logins)
  }
  const store = storeWith(now + 60_000)
  expect(store.isLoggedIn(client, new Set(["https://a.example"]))).toBe(true)
  expect(store.isLoggedIn(client, new Set(["https://a.example", "https://b.example"]))).toBe(false)
  expect(storeWith(now - 1).isLoggedIn(client, new Set(["https://a.example"]))).toBe(false)
  store.noteRefused(client, "one")
  expect(store.isLoggedIn(client, new Set(["https://a.example"]))).toBe(false)
})
