// Keeps one access token per client. Requests that need a new one at the same time share it.

import type { Finding } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { LoginSender, OAuthAuth, SendOutcome } from "../../ports.ts"
import { defaultRequestTimeoutMs } from "../../plan/settings.ts"
import type { LoginCode } from "./login.ts"
import { Discovery } from "./discovery.ts"
import type { AuthWorld, TokenNeed } from "./token-need.ts"
import { requestToken, type TokenResponse, type TokenUse } from "./token-request.ts"

export type TokenResult = { readonly ok: true; readonly value: string } | Extract<SendOutcome, { ok: false }>

interface Token extends TokenResponse {
  /** The time from which the token isn't used, in milliseconds of the monotonic clock. */
  readonly staleAt: number
}

interface Entry {
  token?: Token | undefined
  pending?: Promise<TokenResult> | undefined
  /** A token that a server refused. The next session asks for another login. */
  refused?: string
  /** The origins that the user logged in for. */
  readonly origins?: ReadonlySet<string>
}

/** The tokens of logins, which sessions can share. Kept only in memory. */
export type Logins = Map<string, Entry>

export interface LoginState {
  readonly isLoggedIn: boolean
  /** The milliseconds until the user has to log in again. Absent if the token can be renewed or doesn't expire. */
  readonly leftMs?: number | undefined
}

interface KnownLogin {
  readonly key: string
  /** The origins that the token would be sent to. */
  readonly origins: Iterable<string>
}

/**
 * Returns whether an earlier login of a client for these origins still has a token. `elapsed` is the time of the
 * monotonic clock.
 */
export function loginState(logins: Logins, { key, origins }: KnownLogin, elapsed: number): LoginState {
  const { token, refused, origins: known } = logins.get(key) ?? {}
  if (token === undefined || token.value === refused) return { isLoggedIn: false }
  for (const origin of origins) if (known?.has(origin) !== true) return { isLoggedIn: false }
  if (token.refreshToken !== undefined) return { isLoggedIn: true }
  const leftMs = token.staleAt - elapsed
  if (leftMs === Infinity) return { isLoggedIn: true }
  return leftMs > 0 ? { isLoggedIn: true, leftMs } : { isLoggedIn: false }
}

/** The maximum time before its expiry from which a token isn't used. */
const MAX_MARGIN_MS = 10_000

export class TokenStore {
  readonly #world: AuthWorld
  readonly #entries = new Map<string, Entry>()
  readonly #logins: Logins
  readonly #discovery: Discovery

  constructor(world: AuthWorld, logins: Logins = new Map()) {
    this.#world = world
    this.#discovery = new Discovery(world.http)
    this.#logins = logins
  }

  /** Logins, and tokens that the user asked for, outlive the session. All other tokens are new in each. */
  #entriesFor = ({ client, key }: OAuthAuth): Map<string, Entry> =>
    client.grant === "authorization_code" || this.#logins.has(key) ? this.#logins : this.#entries

  /** Returns the client's token, or a new one if it is stale or `refused`. Never rejects. */
  async get(need: TokenNeed, refused?: string): Promise<TokenResult> {
    const { auth, by } = need
    const entries = this.#entriesFor(auth)
    const entry = entries.get(auth.key) ?? {}
    entries.set(auth.key, entry)
    // Each run of a session masks its own output.
    for (const secret of secretsOf(auth)) by.keepSecret(secret, `a credential of ${auth.name}`)
    const { token } = entry
    const isFresh =
      token !== undefined && token.value !== refused && token.staleAt > this.#world.clock.elapsed()
    if (isFresh && entry.pending === undefined) return this.#found(need, token)
    entry.pending ??= this.#renew(need, entry).finally(() => (entry.pending = undefined))
    const result = await entry.pending
    return result.ok && entry.token !== undefined ? this.#found(need, entry.token) : result
  }

  /** Adds the endpoints that only the provider's discovery document says. */
  discover = (auth: OAuthAuth, by: LoginSender) => this.#discovery.complete(loginNeed(auth, by))

  /** Requests a token, with the code of a login if there is one, and keeps it. Returns the reason if that fails. */
  async keep(
    auth: OAuthAuth,
    by: LoginSender,
    login?: LoginCode,
  ): Promise<Finding<"login-required"> | undefined> {
    const entry: Entry = { origins: by.origins }
    const { grant } = auth.client
    const refreshToken = grant === "refresh_token" ? auth.client.refreshToken : undefined
    for (const secret of secretsOf(auth)) by.keepSecret(secret, `a credential of ${auth.name}`)
    const result = await this.#request(loginNeed(auth, by), entry, { grant, login, refreshToken })
    if (!result.ok) return messages["login-required"].failed(result.message, result.hint)
    this.#logins.set(auth.key, entry)
    for (const secret of [entry.token?.value, entry.token?.refreshToken])
      if (secret !== undefined) by.keepSecret(secret, `a token of ${auth.name}`)
    return undefined
  }

  /** Returns whether a refused token can be replaced without the user. */
  canRenew({ client, key }: TokenNeed["auth"]): boolean {
    return client.grant !== "authorization_code" || this.#logins.get(key)?.token?.refreshToken !== undefined
  }

  /** Returns whether an earlier login for these origins still has a token, or can renew it. */
  isLoggedIn({ key }: OAuthAuth, origins: ReadonlySet<string>): boolean {
    return loginState(this.#logins, { key, origins }, this.#world.clock.elapsed()).isLoggedIn
  }

  noteRefused(auth: OAuthAuth, token: string): void {
    const entry = this.#entriesFor(auth).get(auth.key)
    if (entry !== undefined) entry.refused = token
  }

  #found({ auth, by }: TokenNeed, { value, refreshToken }: Token): TokenResult {
    for (const secret of [value, refreshToken])
      if (secret !== undefined) by.keepSecret(secret, `a token of ${auth.name}`)
    return { ok: true, value }
  }

  async #renew(need: TokenNeed, entry: Entry): Promise<TokenResult> {
    const { client } = need.auth
    const refreshToken = entry.token?.refreshToken ?? client.refreshToken
    const canRefresh = client.grant !== "client_credentials" && refreshToken !== undefined
    const isOnlyRefresh = client.grant === "refresh_token" || client.grant === "authorization_code"
    if (canRefresh) {
      const refreshed = await this.#request(need, entry, { grant: "refresh_token", refreshToken })
      // The next session asks for another login.
      if (!refreshed.ok && client.grant === "authorization_code") entry.token = undefined
      if (refreshed.ok || isOnlyRefresh || refreshed.code !== "auth-failed") return refreshed
    }
    return this.#request(need, entry, { grant: client.grant })
  }

  async #request(need: TokenNeed, entry: Entry, use: TokenUse): Promise<TokenResult> {
    const auth = await this.#discovery.complete(need)
    if ("code" in auth) return { ok: false, redirects: [], ...auth }
    const requestedAt = this.#world.clock.elapsed()
    const response = await requestToken({ ...need, auth }, use, this.#world)
    if ("code" in response) return { ok: false, redirects: [], ...response }
    const { expiresInMs } = response
    entry.token = {
      ...response,
      refreshToken: response.refreshToken ?? use.refreshToken,
      staleAt: requestedAt + expiresInMs - Math.min(MAX_MARGIN_MS, expiresInMs / 2),
    }
    return { ok: true, value: response.value }
  }
}

/** A login belongs to no request. */
const loginNeed = (auth: OAuthAuth, by: LoginSender): TokenNeed => ({
  auth,
  by,
  request: { api: "", timeoutMs: by.timeoutMs ?? defaultRequestTimeoutMs },
})

const secretsOf = ({ client }: TokenNeed["auth"]): readonly string[] =>
  [client.clientSecret, client.password, client.refreshToken, client.privateKey].filter(
    (secret) => secret !== undefined,
  )
