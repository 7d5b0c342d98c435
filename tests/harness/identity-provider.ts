// An identity provider and an API that it protects, on loopback. It checks clients with code of its own.

import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { TLSSocket } from "node:tls"

export interface Client {
  readonly id: string
  readonly method: string
  readonly secret?: string
  /** The public or private key of assertions, in PEM format. */
  readonly key?: string
}

export interface Provider {
  readonly listen: (request: IncomingMessage, response: ServerResponse) => void
  /** The accepted and refused forms at the token endpoint, in order. */
  readonly forms: readonly URLSearchParams[]
  /** The number of requests for the discovery document. */
  readonly discoveries: () => number
  /** The paths of requests to the API, and whether each was authorized. */
  readonly calls: readonly { readonly path: string; readonly isAllowed: boolean; readonly body: string }[]
  /** Every access token, refresh token and assertion. None may appear in any output. */
  readonly secrets: readonly string[]
}

/** How the login page answers: with a code, a refusal, or a code for another login. */
export type LoginAnswer = "code" | "denied" | "wrong-state"

export interface ProviderOptions {
  readonly client: Client
  /** Answers at the login page. By default, with a code. */
  readonly logIn?: () => LoginAnswer
  /** The lifetime of tokens in seconds. By default, responses don't contain one. */
  readonly expiresIn?: number
  /** True if responses contain a refresh token, which works only once. */
  readonly refreshes?: boolean
  /** Responds with the discovery document of the issuer. */
  readonly discover?: (response: ServerResponse, issuer: string) => void
  /** Replaces the response of the token endpoint. */
  readonly respond?: (response: ServerResponse, form: URLSearchParams) => void
  /** True if the API refuses every token. */
  readonly refusesAll?: boolean
  /** The number of calls after which the API refuses all tokens issued so far. */
  readonly revokesAfter?: number
  /** Called before a token is issued. */
  readonly beforeToken?: () => Promise<void>
}

export const user = { name: "ada@example.com", password: "kettle-lantern-47" }
export const firstRefreshToken = "refresh-kettle-0"

export function createProvider(options: ProviderOptions): Provider {
  const forms: URLSearchParams[] = []
  const calls: Provider["calls"][number][] = []
  const secrets: string[] = []
  const valid = new Set<string>()
  const renewable = new Set([firstRefreshToken])
  /** The parameters of each login, by its code. */
  const logins = new Map<string, URLSearchParams>()
  let issued = 0
  let discoveries = 0

  const authorize = ({ searchParams }: URL, response: ServerResponse): void => {
    const answer = options.logIn?.() ?? "code"
    const code = `code-kettle-${logins.size + 1}`
    const location = new URL(searchParams.get("redirect_uri") ?? "")
    location.searchParams.set("state", answer === "wrong-state" ? "other" : (searchParams.get("state") ?? ""))
    if (answer === "denied") location.searchParams.set("error", "access_denied")
    else {
      location.searchParams.set("code", code)
      logins.set(code, searchParams)
      secrets.push(code)
    }
    response.writeHead(302, { location: location.href }).end()
  }

  const token = async (request: IncomingMessage, response: ServerResponse, text: string): Promise<void> => {
    const form = new URLSearchParams(text)
    forms.push(form)
    const assertion = form.get("client_assertion")
    if (assertion !== null) secrets.push(assertion)
    await options.beforeToken?.()
    if (options.respond !== undefined) return options.respond(response, form)
    if (!isClient(options.client, request, form)) return json(response, 401, { error: "invalid_client" })
    if (!isGranted(form, renewable) && !isLogin(form, logins))
      return json(response, 400, { error: "invalid_grant" })
    issued++
    const value = `access-kettle-${issued}-${Buffer.from(`${issued} lantern`).toString("base64url")}`
    valid.add(value)
    secrets.push(value)
    const more: Record<string, unknown> = {}
    if (options.expiresIn !== undefined) more["expires_in"] = options.expiresIn
    if (options.refreshes === true) {
      const refresh = `refresh-kettle-${issued}`
      renewable.add(refresh)
      secrets.push(refresh)
      more["refresh_token"] = refresh
    }
    json(response, 200, { access_token: value, token_type: "Bearer", ...more })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    if (request.url === "/token") return token(request, response, text)
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    if (/openid|oauth-authorization-server/i.test(url.pathname)) {
      discoveries++
      const scheme = "encrypted" in request.socket ? "https" : "http"
      return options.discover?.(response, `${scheme}://${request.headers.host}`)
    }
    if (url.pathname === "/authorize") return authorize(url, response)
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
    if (calls.length === options.revokesAfter) valid.clear()
    const isAllowed = options.refusesAll !== true && valid.has(given)
    calls.push({ path: request.url ?? "", isAllowed, body: text })
    json(response, isAllowed ? 200 : 401, { ok: isAllowed })
  }
  return {
    listen: (request, response) => void handle(request, response).catch(() => response.destroy()),
    forms,
    calls,
    secrets,
    discoveries: () => discoveries,
  }
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

function isGranted(form: URLSearchParams, renewable: Set<string>): boolean {
  switch (form.get("grant_type")) {
    case "client_credentials":
      return true
    case "password":
      return form.get("username") === user.name && form.get("password") === user.password
    case "refresh_token":
      return renewable.delete(form.get("refresh_token") ?? "")
    default:
      return false
  }
}

/** Checks the code, its PKCE verifier and its redirect. A code works once. */
function isLogin(form: URLSearchParams, logins: Map<string, URLSearchParams>): boolean {
  const code = form.get("code") ?? ""
  const login = form.get("grant_type") === "authorization_code" ? logins.get(code) : undefined
  logins.delete(code)
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url")
  return login?.get("code_challenge") === challenge && login.get("redirect_uri") === form.get("redirect_uri")
}

function isClient(
  { id, method, secret = "", key = "" }: Client,
  request: IncomingMessage,
  form: URLSearchParams,
) {
  const { authorization } = request.headers
  if (method === "client_secret_basic") {
    const text = Buffer.from(/^Basic (.+)$/.exec(authorization ?? "")?.[1] ?? "", "base64").toString()
    const [name, password] = text.split(":").map((part) => decodeURIComponent(part.replaceAll("+", " ")))
    return name === id && password === secret && !form.has("client_id") && !form.has("client_secret")
  }
  if (authorization !== undefined || form.get("client_id") !== id) return false
  switch (method) {
    case "client_secret_post":
      return form.get("client_secret") === secret
    case "none":
      return !form.has("client_secret") && !form.has("client_assertion")
    case "tls_client_auth":
    case "self_signed_tls_client_auth":
      return (request.socket as TLSSocket).getPeerCertificate().subject?.CN === "localhost"
    case "client_secret_jwt":
    case "private_key_jwt":
      return isAssertion(form, { id, secret, key }, request)
    default:
      return false
  }
}

const seen = new Set<string>()

/** Checks an assertion by RFC 7523 section 3. Each may be used once. */
function isAssertion(
  form: URLSearchParams,
  { id, secret, key }: { readonly id: string; readonly secret: string; readonly key: string },
  request: IncomingMessage,
): boolean {
  const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  const [head = "", body = "", signature = ""] = (form.get("client_assertion") ?? "").split(".")
  const header = read(head)
  const claims = read(body)
  const now = Date.now() / 1000
  const scheme = "encrypted" in request.socket ? "https" : "http"
  const isValid =
    form.get("client_assertion_type") === type &&
    claims["iss"] === id &&
    claims["sub"] === id &&
    claims["aud"] === `${scheme}://${request.headers.host}/token` &&
    Number(claims["exp"]) > now &&
    Number(claims["exp"]) < now + 600 &&
    Number(claims["iat"]) <= now + 1 &&
    typeof claims["jti"] === "string" &&
    !seen.has(claims["jti"])
  seen.add(String(claims["jti"]))
  return isValid && isSigned({ alg: String(header["alg"]), input: `${head}.${body}`, signature }, secret, key)
}

const read = (part: string) =>
  JSON.parse(Buffer.from(part, "base64url").toString()) as Readonly<Record<string, unknown>>

interface Signed {
  readonly alg: string
  readonly input: string
  readonly signature: string
}

function isSigned({ alg, input, signature }: Signed, secret: string, pem: string): boolean {
  const bytes = Buffer.from(signature, "base64url")
  if (pem === "") {
    const expected = createHmac("sha256", secret).update(input).digest()
    return alg === "HS256" && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  }
  const key = createPublicKey(pem)
  const kind = key.asymmetricKeyType
  const expected = { rsa: "RS256", ec: "ES256", ed25519: "EdDSA" }[kind as string]
  const hash = kind === "ed25519" ? null : "sha256"
  return alg === expected && verify(hash, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }, bytes)
}
