// Lets the user log in with a browser: authorization code with PKCE (RFC 7636) and a loopback redirect (RFC 8252).

import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Finding } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { LoginSender, OAuthAuth } from "../../ports.ts"

/** The result of a login, which the token endpoint exchanges for a token. */
export interface LoginCode {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/** The time for which a login waits for the user. */
const MAX_WAIT_MS = 5 * 60_000

/** Shows the login page's URL and waits for the user. Resolves to the code, or to why the login failed. */
export async function waitForCode(
  { client, name }: OAuthAuth,
  by: LoginSender,
): Promise<LoginCode | Finding<"login-required">> {
  const [state, verifier] = [randomBytes(24), randomBytes(32)].map((bytes) => bytes.toString("base64url"))
  const server = createServer()
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
    const found = await receive(server, String(state), by.signal)
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

/** Waits for the callback with the right state. Others get an error, and the login goes on. */
function receive(server: Server, state: string, signal: AbortSignal | undefined): Promise<Callback> {
  return new Promise((resolve) => {
    const stop = (): void => resolve("late")
    const timer = setTimeout(stop, MAX_WAIT_MS)
    signal?.addEventListener("abort", stop, { once: true })
    server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1")
      const [code, error] = [searchParams.get("code"), searchParams.get("error")]
      const isOurs =
        request.method === "GET" && pathname === "/callback" && searchParams.get("state") === state
      const isAnswer = isOurs && (code !== null || error !== null)
      response.writeHead(isAnswer ? 200 : 400, {
        "content-type": "text/plain; charset=utf-8",
        "referrer-policy": "no-referrer",
        connection: "close",
      })
      const text = code === null ? "The login failed. " : "You are logged in. "
      response.end(
        isAnswer ? `${text}You can close this page.` : "This is not the login that callsheet waits for.",
      )
      if (!isAnswer) return
      clearTimeout(timer)
      signal?.removeEventListener("abort", stop)
      const outcome: Callback = code === null ? { error: error ?? "" } : { code }
      // The browser needs the response before the server closes.
      response.once("close", () => resolve(outcome))
    })
  })
}
