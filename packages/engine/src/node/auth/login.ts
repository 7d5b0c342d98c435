// Lets the user log in with a browser: authorization code with PKCE (RFC 7636) and a loopback redirect (RFC 8252).

import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Finding } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { LoginSender, OAuthAuth } from "../../ports.ts"
import { createListener } from "../listener/create-listener.ts"
import { readTarget } from "../listener/read-target.ts"

/** The result of a login, which the token endpoint exchanges for a token. */
export interface LoginCode {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/** The time for which a login waits for the user. */
const MAX_WAIT_MS = 5 * 60_000

/** Every program on this machine can connect, so no client may keep the browser out. */
const limits = {
  connections: 32,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}

/** Shows the login page's URL and waits for the user. Resolves to the code, or to why the login failed. */
export async function waitForCode(
  { client, name }: OAuthAuth,
  by: LoginSender,
): Promise<LoginCode | Finding<"login-required">> {
  const [state, verifier] = [randomBytes(24), randomBytes(32)].map((bytes) => bytes.toString("base64url"))
  const callback = awaitCallback(String(state))
  const { server } = createListener(limits, { request: callback.answer, onBug: by.onBug })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const url = new URL(client.authorizationUrl ?? "")
  const parameters = {
    response_type: "code",
    client_id: client.clientId ?? "",
    redirect_uri: redirectUri,
    ...(client.scope === "" ? {} : { scope: client.scope }),
    state,
    code_challenge: createHash("sha256").update(String(verifier)).digest("base64url"),
    code_challenge_method: "S256",
  }
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, String(value))
  try {
    by.onUrl(url.href)
    const found = await callback.wait(by.signal)
    const says = messages["login-required"]
    if (found === "late") return says.late(name)
    if ("error" in found) return says.denied(name, found.error)
    by.keepSecret(found.code, `a code of ${name}`)
    return { code: found.code, redirectUri, verifier: String(verifier) }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

type Callback = { readonly code: string } | { readonly error: string } | "late"

/** Waits for the callback with the right state. Other requests get an error, and the login goes on. */
function awaitCallback(state: string) {
  let settle: (callback: Callback) => void
  const settled = new Promise<Callback>((resolve) => (settle = resolve))
  return {
    answer: (request: IncomingMessage, response: ServerResponse): void => {
      const callback = readCallback(request, state)
      response.writeHead(callback === undefined ? 400 : 200, {
        "content-type": "text/plain; charset=utf-8",
        "referrer-policy": "no-referrer",
        connection: "close",
      })
      if (callback === undefined) return void response.end("This is not the login that callsheet waits for.")
      // The browser needs the response before the server closes.
      response.once("close", () => settle(callback))
      response.end(
        `${"code" in callback ? "You are logged in." : "The login failed."} You can close this page.`,
      )
    },
    /** Resolves to the callback, or to "late" after some minutes or if the signal aborts. */
    wait: async (signal: AbortSignal | undefined): Promise<Callback> => {
      const stop = (): void => settle("late")
      const timer = setTimeout(stop, MAX_WAIT_MS)
      signal?.addEventListener("abort", stop, { once: true })
      if (signal?.aborted === true) stop()
      const callback = await settled
      clearTimeout(timer)
      signal?.removeEventListener("abort", stop)
      return callback
    },
  }
}

/** Reads a callback. Undefined if the request isn't exactly the one to which the provider redirects the browser. */
function readCallback(
  { method, url, rawHeaders, socket }: IncomingMessage,
  state: string,
): Exclude<Callback, "late"> | undefined {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "host")
  const target = readTarget(url)
  // Another name for this address can belong to a page that has rebound it.
  const isOurs = hosts.length === 1 && hosts[0] === `127.0.0.1:${socket.localPort}`
  if (method !== "GET" || !isOurs || target?.path !== "/callback") return undefined
  // A repeated parameter is ambiguous (RFC 6749 section 3.1).
  const only = (name: string): string | undefined => {
    const values = target.query.getAll(name)
    return values.length === 1 ? values[0] : undefined
  }
  const [code, error] = [only("code"), only("error")]
  const isOne = ["code", "error"].filter((name) => target.query.has(name)).length === 1
  if (only("state") !== state || !isOne) return undefined
  if (error !== undefined) return { error }
  return code === undefined || code === "" ? undefined : { code }
}
