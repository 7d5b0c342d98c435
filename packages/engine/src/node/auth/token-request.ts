// Requests a token (RFC 6749). The response comes from outside, so messages show only its error, and only briefly.

import { isJsonObject, parseJson, type Finding, type JsonObject } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { HttpPort, WireRequest } from "../../ports.ts"
import { authenticateClient } from "./client-authentication.ts"
import type { LoginCode } from "./login.ts"
import type { AuthWorld, ReadyNeed, TokenNeed } from "./token-need.ts"

export interface TokenResponse {
  readonly value: string
  readonly refreshToken: string | undefined
  /** Infinity if the response doesn't contain a lifetime. */
  readonly expiresInMs: number
}

export interface TokenUse {
  readonly grant: string
  readonly refreshToken?: string | undefined
  readonly login?: LoginCode | undefined
}

type Failure = Finding<"auth-failed">

const MAX_RESPONSE_BYTES = 1024 * 1024
const says = messages["auth-failed"]

export async function requestToken(
  need: ReadyNeed,
  use: TokenUse,
  world: AuthWorld,
): Promise<TokenResponse | Failure> {
  const { client, name, variables } = need.auth
  const { grant } = use
  const form = new URLSearchParams({ grant_type: grant })
  if (client.scope !== "" && grant !== "refresh_token") form.set("scope", client.scope)
  if (grant === "refresh_token") form.set("refresh_token", use.refreshToken ?? "")
  else if (grant === "password") {
    form.set("username", client.username ?? "")
    form.set("password", client.password ?? "")
  } else if (grant === "authorization_code") {
    if (use.login === undefined) return says.login(name)
    form.set("code", use.login.code)
    form.set("redirect_uri", use.login.redirectUri)
    form.set("code_verifier", use.login.verifier)
    form.delete("scope")
  } else if (grant !== "client_credentials") return says.variable(name, `${variables}_grant`, grantWords)
  const url = grant === "refresh_token" ? (client.refreshUrl ?? client.tokenUrl) : client.tokenUrl
  const headers = authenticateClient({ need, url, form, world })
  if ("code" in headers) return headers
  const usual = [
    ["accept", "application/json"],
    ["content-type", "application/x-www-form-urlencoded"],
  ] as const
  const body = new TextEncoder().encode(form.toString())
  const call = { method: "POST", url, headers: [...usual, ...headers], body, http: world.http }
  return readOutcome(need.auth, await callProvider(need, call))
}

const grantWords = "client_credentials, password, refresh_token or authorization_code"

interface Call extends Pick<WireRequest, "method" | "url" | "headers" | "body"> {
  readonly http: HttpPort
}

/** Sends a request to the provider. Other requests may wait for the token, so canceling one doesn't abort it. */
export async function callProvider({ auth, request, by }: TokenNeed, { http, ...call }: Call) {
  const { client, secretBase } = auth
  const wire: WireRequest = {
    ...call,
    api: request.api,
    secretBase,
    cookies: {},
    timeoutMs: request.timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    followRedirects: false,
    verifyTls: client.verifyTls,
    environment: client.environment,
    sensitive: { headers: new Set(["authorization"]), query: new Set(), body: true },
  }
  const span = by.openSpan?.(wire)
  const options = { signal: new AbortController().signal, onSent: () => undefined }
  const outcome = await http.withOwnCookies().send(span?.request ?? wire, options)
  span?.end(outcome)
  return outcome
}

function readOutcome(
  { name, variables }: TokenNeed["auth"],
  outcome: Awaited<ReturnType<HttpPort["send"]>>,
): TokenResponse | Failure {
  if (!outcome.ok) return says.unreachable(name, outcome.message, outcome.hint)
  const { status, body } = outcome.response
  if (status >= 300 && status < 400) return says.redirected(name, status, `${variables}_tokenUrl`)
  // Only an offline port has a parsed body, and it requests no tokens.
  const parsed = parseJson("parsed" in body ? "" : new TextDecoder().decode(body))
  const json = parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
  if (status !== 200) return says.refused({ scheme: name, variables, status, error: json && errorOf(json) })
  if (json === undefined) return says.response(name, "is not a JSON object")
  return readToken(name, json)
}

function readToken(name: string, json: JsonObject): TokenResponse | Failure {
  const { access_token: value, token_type: type, refresh_token: refreshToken, expires_in: seconds } = json
  if (typeof value !== "string" || value === "") return says.response(name, 'has no "access_token"')
  if (!/^[\x21-\x7e]+$/.test(value))
    return says.response(name, 'has an "access_token" with characters that a header can\'t contain')
  if (type !== undefined && (typeof type !== "string" || type.toLowerCase() !== "bearer"))
    return says.response(name, 'has a "token_type" other than "Bearer"')
  if (refreshToken !== undefined && refreshToken !== null && typeof refreshToken !== "string")
    return says.response(name, 'has a "refresh_token" that is not a string')
  const lifetime = seconds === undefined || seconds === null ? Infinity : Number(seconds)
  if (typeof seconds === "object" ? seconds !== null : Number.isNaN(lifetime) || lifetime < 0)
    return says.response(name, 'has an "expires_in" that is not a number of seconds')
  return {
    value,
    refreshToken: typeof refreshToken === "string" && refreshToken !== "" ? refreshToken : undefined,
    expiresInMs: lifetime * 1000,
  }
}

/** The maximum length of a shown error. A longer one isn't cut, because a part of a secret can't be masked. */
const MAX_ERROR = 300

/** Returns the error (RFC 6749 section 5.2) if it is plain text. */
function errorOf({ error, error_description: description }: JsonObject): string | undefined {
  const parts = [error, description].filter(
    (part): part is string =>
      typeof part === "string" && /^[\x20-\x7e]+$/.test(part) && part.length <= MAX_ERROR,
  )
  return parts.length === 0 ? undefined : parts.join(": ")
}
