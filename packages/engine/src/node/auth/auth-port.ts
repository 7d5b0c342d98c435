// Implements the auth port: authorizes a request, sends it, and answers the server's challenge once.

import { messages } from "../../messages.ts"
import type { AuthPort, AuthSender, RequestAuth, SendOutcome, WireRequest } from "../../ports.ts"
import { waitForCode } from "./login.ts"
import { createDigest, type DigestChallenges } from "./digest.ts"
import { signRequest } from "./sigv4.ts"
import type { AuthWorld } from "./token-need.ts"
import { TokenStore, type Logins, type TokenResult } from "./token-store.ts"

type Auth<Kind extends RequestAuth["kind"]> = Extract<RequestAuth, { readonly kind: Kind }>

/** Creates the port of one session, which shares tokens and challenges between all runs. */
export function createAuthPort(world: AuthWorld, logins?: Logins): AuthPort {
  const tokens = new TokenStore(world, logins)
  const challenges: DigestChallenges = new Map()
  return {
    logIn: async (auth, by) => {
      const says = messages["login-required"]
      if (tokens.isLoggedIn(auth, by.origins)) return undefined
      if (auth.client.grant !== "authorization_code") return tokens.keep(auth, by)
      const found = await tokens.discover(auth, by)
      if ("code" in found) return says.failed(found.message, found.hint)
      const { authorizationUrl = "", clientId = "", scope } = found.client
      if ([authorizationUrl, clientId, scope].some(by.isSecret)) return says.secret(auth.name)
      if (!/^https?:/.test(authorizationUrl) || !URL.canParse(authorizationUrl)) return says.page(auth.name)
      const code = await waitForCode(found, by)
      return "message" in code ? code : tokens.keep(found, by, code)
    },
    send: (request, auth, by) => {
      switch (auth.kind) {
        case "oauth2":
          return sendWithToken(tokens, request, auth, by)
        case "digest":
          return sendWithDigest(challenges, request, auth, by)
        case "sigv4":
          return sendSigned(world, request, auth, by)
      }
    },
  }
}

async function sendWithToken(
  tokens: TokenStore,
  request: WireRequest,
  auth: Auth<"oauth2">,
  by: AuthSender,
): Promise<SendOutcome> {
  const token = await orCancelled(tokens.get({ auth, request, by }), by.signal)
  if (!token.ok) return token
  const outcome = await by.send(withHeaders(request, [["authorization", `Bearer ${token.value}`]]))
  if (!isRefused(outcome, request)) return outcome
  tokens.noteRefused(auth, token.value)
  if (!tokens.canRenew(auth)) return outcome
  const renewed = await orCancelled(tokens.get({ auth, request, by }, token.value), by.signal)
  if (!renewed.ok) return renewed
  const second = await by.send(withHeaders(request, [["authorization", `Bearer ${renewed.value}`]]))
  if (isRefused(second, request)) tokens.noteRefused(auth, renewed.value)
  return second
}

async function sendWithDigest(
  challenges: DigestChallenges,
  request: WireRequest,
  auth: Auth<"digest">,
  by: AuthSender,
): Promise<SendOutcome> {
  by.keepSecret(auth.password, "a digest password")
  const digest = createDigest(challenges, request, auth)
  const known = digest.authorize()
  const outcome = await by.send(
    known === undefined ? request : withHeaders(request, [["authorization", known]]),
  )
  if (!isRefused(outcome, request)) return outcome
  const answer = digest.answer(outcome.response.headers["www-authenticate"])
  return answer === undefined ? outcome : by.send(withHeaders(request, [["authorization", answer]]))
}

function sendSigned(
  { clock }: AuthWorld,
  request: WireRequest,
  auth: Auth<"sigv4">,
  by: AuthSender,
): Promise<SendOutcome> {
  for (const secret of [auth.secretAccessKey, auth.sessionToken])
    if (secret !== undefined) by.keepSecret(secret, "an AWS credential")
  return by.send(withHeaders(request, signRequest(request, auth, clock.now())))
}

/** Adds headers, which are never sent to another origin. */
function withHeaders(request: WireRequest, added: WireRequest["headers"]): WireRequest {
  const names = added.map(([name]) => name.toLowerCase())
  return {
    ...request,
    headers: [...request.headers, ...added],
    sensitive: { ...request.sensitive, headers: new Set([...request.sensitive.headers, ...names]) },
  }
}

/** Returns whether the request's own server refuses the authorization. Another origin after a redirect didn't receive it. */
const isRefused = (
  outcome: SendOutcome,
  { url }: WireRequest,
): outcome is SendOutcome & { readonly ok: true } =>
  outcome.ok &&
  outcome.response.status === 401 &&
  outcome.response.redirects.every((redirect) => isSameOrigin(redirect.url, url))

/** A masked base URL, which can't be parsed, belongs to the request's own server. */
const isSameOrigin = (shown: string, url: string): boolean =>
  !URL.canParse(shown) || new URL(shown).origin === new URL(url).origin

/** Waits for a token that other requests may share. A canceled request doesn't cancel the others. */
function orCancelled(token: Promise<TokenResult>, signal: AbortSignal): Promise<TokenResult> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => resolve({ ok: false, redirects: [], ...messages.cancelled.request() })
    if (signal.aborted) return cancel()
    signal.addEventListener("abort", cancel, { once: true })
    void token.finally(() => signal.removeEventListener("abort", cancel)).then(resolve, reject)
  })
}
