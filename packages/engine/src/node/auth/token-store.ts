// Keeps one access token per client. Requests that need a new one at the same time share it.

import type { Finding } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { AuthSender, LoginSender, OAuthAuth, SendOutcome, WireRequest } from "../../ports.ts"
import { defaultRequestTimeoutMs } from "../../settings.ts"
import type { AuthWorld } from "./auth-port.ts"
import type { LoginCode } from "./login.ts"
import { requestToken, type TokenResponse, type TokenUse } from "./token-request.ts"

export type TokenResult = { readonly ok: true; readonly value: string } | Extract<SendOutcome, { ok: false }>

/** A request that needs a token. */
export interface TokenNeed {
  readonly auth: OAuthAuth
  readonly request: Pick<WireRequest, "api" | "timeoutMs">
  readonly by: Pick<AuthSender, "keepSecret">
}

interface Token extends TokenResponse {
  /** The time from which the token isn't used, in milliseconds of the monotonic clock. */
  readonly staleAt: number
}

interface Entry {
  token?: Token | undefined
  pending?: Promise<TokenResult> | undefined
}

/** The maximum time before its expiry from which a token isn't used. */
const MAX_MARGIN_MS = 10_000

export class TokenStore {
  readonly #world: AuthWorld
  readonly #entries = new Map<string, Entry>()

  constructor(world: AuthWorld) {
    this.#world = world
  }

  /** Returns the client's token, or a new one if it is stale or `refused`. Never rejects. */
  async get(need: TokenNeed, refused?: string): Promise<TokenResult> {
    const { auth, by } = need
    const entry = this.#entries.get(auth.key) ?? {}
    this.#entries.set(auth.key, entry)
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

  /** Exchanges the code of a login for a token. Returns the reason if that fails. */
  async exchange(
    auth: OAuthAuth,
    login: LoginCode,
    by: LoginSender,
  ): Promise<Finding<"login-required"> | undefined> {
    const entry: Entry = {}
    this.#entries.set(auth.key, entry)
    for (const secret of secretsOf(auth)) by.keepSecret(secret, `a credential of ${auth.name}`)
    const request = { api: "", timeoutMs: by.timeoutMs ?? defaultRequestTimeoutMs }
    const result = await this.#request({ auth, request, by }, entry, { grant: auth.client.grant, login })
    if (!result.ok) return messages["login-required"].failed(result.message)
    for (const secret of [entry.token?.value, entry.token?.refreshToken])
      if (secret !== undefined) by.keepSecret(secret, `a token of ${auth.name}`)
    return undefined
  }

  /** Returns whether a refused token can be replaced without the user. */
  canRenew({ client, key }: TokenNeed["auth"]): boolean {
    return client.grant !== "authorization_code" || this.#entries.get(key)?.token?.refreshToken !== undefined
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
      if (refreshed.ok || isOnlyRefresh || refreshed.code !== "auth-failed") return refreshed
    }
    return this.#request(need, entry, { grant: client.grant })
  }

  async #request(need: TokenNeed, entry: Entry, use: TokenUse): Promise<TokenResult> {
    const requestedAt = this.#world.clock.elapsed()
    const response = await requestToken(need, use, this.#world)
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

const secretsOf = ({ client }: TokenNeed["auth"]): readonly string[] =>
  [client.clientSecret, client.password, client.refreshToken, client.privateKey].filter(
    (secret) => secret !== undefined,
  )
