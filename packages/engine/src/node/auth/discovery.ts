// Reads what a client needs from its provider's discovery document (OpenID Connect Discovery 1.0 section 4).

import { isJsonObject, parseJson, type Finding, type JsonObject, ownOf } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { HttpPort, UnknownClient } from "../../ports.ts"
import { isIssuer, issuersOf } from "./issuers-of.ts"
import type { ReadyAuth, TokenNeed } from "./token-need.ts"
import { callProvider } from "./token-request.ts"

interface Metadata {
  readonly document: JsonObject
}

type Failure = Finding<"auth-failed">

const says = messages["auth-failed"]

export class Discovery {
  readonly #http: HttpPort
  readonly #documents = new Map<string, Promise<Metadata | Failure>>()

  constructor(http: HttpPort) {
    this.#http = http
  }

  /** Adds what only the discovery document says. Reads it once, and again after a failure. */
  async complete(need: TokenNeed): Promise<ReadyAuth | Failure> {
    const { auth } = need
    const { client } = auth
    if (client.discovery === undefined) return { ...auth, client }
    const { url, written, methods } = client.discovery
    const key = JSON.stringify([url, written, client.environment])
    const document = this.#documents.get(key) ?? this.#read(need, client.discovery)
    this.#documents.set(key, document)
    let found: Metadata | Failure | undefined
    try {
      found = await document
    } finally {
      if (found === undefined || !("document" in found)) this.#documents.delete(key)
    }
    if (!("document" in found)) return found
    const tokenUrl = client.tokenUrl ?? endpointOf(found, "token_endpoint", url)
    const authorizationUrl = endpointOf(found, "authorization_endpoint", url)
    if (tokenUrl === undefined) return refuse(need, 'has no usable "token_endpoint"')
    if (client.grant === "authorization_code" && authorizationUrl === undefined)
      return refuse(need, 'has no usable "authorization_endpoint"')
    const supported = found.document["token_endpoint_auth_methods_supported"]
    const method = methods.find((one) => Array.isArray(supported) && supported.includes(one))
    const known = { ...client, tokenUrl, authorizationUrl, method: method ?? client.method }
    return { ...auth, client: { ...known, discovery: undefined } }
  }

  async #read(need: TokenNeed, { url, written }: UnknownClient["discovery"]): Promise<Metadata | Failure> {
    const { name } = need.auth
    // `url` has a normalized host, but an issuer must be identical to what the document's author has written.
    const issuers = [url, written].flatMap(issuersOf)
    if (issuers.length === 0) return refuse(need, "is at a URL that does not say its issuer")
    const headers = [["accept", "application/json"]] as const
    const outcome = await callProvider(need, { method: "GET", url, headers, http: this.#http })
    if (!outcome.ok) return says.unreachable(name, outcome.message, outcome.hint)
    const { status, body } = outcome.response
    if (status !== 200) return refuse(need, `could not be read: the provider responded with status ${status}`)
    // Only an offline port has a parsed body, and it requests no tokens.
    const parsed = parseJson("parsed" in body ? "" : new TextDecoder().decode(body))
    if (!parsed.ok || !isJsonObject(parsed.value)) return refuse(need, "is not a JSON object")
    // A provider at another URL could collect credentials.
    return isIssuer(parsed.value["issuer"], issuers)
      ? { document: parsed.value }
      : refuse(need, 'has an "issuer" that is not the start of its URL')
  }
}

const refuse = ({ auth }: TokenNeed, problem: string): Failure =>
  says.discovery(auth.name, problem, `${auth.variables}_tokenUrl`)

/** Returns an endpoint if it is an absolute URL. Over TLS, it must use TLS, too. */
function endpointOf({ document }: Metadata, name: string, discoveryUrl: string): string | undefined {
  const url = ownOf(document, name)
  const allowed = discoveryUrl.startsWith("https:") ? /^https:\/\//i : /^https?:\/\//i
  return typeof url === "string" && allowed.test(url) && URL.canParse(url) ? url : undefined
}
