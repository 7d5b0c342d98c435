// Authenticates an OAuth client to the token endpoint (RFC 6749 section 2.3, RFC 7523, RFC 8705).

import { createHmac, createPrivateKey, sign, type KeyObject } from "node:crypto"
import { attempt, type Finding, ownOf } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { OAuthClient, WireRequest } from "../../ports.ts"
import type { AuthWorld, ReadyNeed } from "./token-need.ts"

interface Authenticating {
  readonly need: ReadyNeed
  /** The token endpoint, for which assertions are valid. */
  readonly url: string
  /** Receives the parameters of the client. */
  readonly form: URLSearchParams
  readonly world: AuthWorld
}

/** Adds the client to a form, and returns the headers to send with it. */
export function authenticateClient(
  authenticating: Authenticating,
): WireRequest["headers"] | Finding<"auth-failed"> {
  const { need, form } = authenticating
  const { client, name, variables } = need.auth
  const { clientId, clientSecret, privateKey } = client
  const missing = (suffix: string) => messages["auth-failed"].variable(name, variables + suffix, "a value")
  const addId = (): readonly never[] => {
    if (clientId !== undefined) form.set("client_id", clientId)
    return []
  }
  const addAssertion = (alg: string, signature: (input: string) => Buffer): readonly never[] => {
    const assertion = signJwt(authenticating, alg, signature)
    need.by.keepSecret(assertion, `an assertion of ${name}`)
    form.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    form.set("client_assertion", assertion)
    return addId()
  }
  if (client.method.startsWith("client_secret_") && clientSecret === undefined)
    return missing("_clientSecret")
  if (client.method !== "none" && clientId === undefined) return missing("_clientId")
  switch (client.method) {
    case "none":
    case "tls_client_auth":
    case "self_signed_tls_client_auth":
      return addId()
    case "client_secret_basic": {
      const text = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
      return [["authorization", `Basic ${Buffer.from(text).toString("base64")}`]]
    }
    case "client_secret_post":
      form.set("client_secret", clientSecret ?? "")
      return addId()
    case "client_secret_jwt":
      return addAssertion("HS256", (input) =>
        createHmac("sha256", clientSecret ?? "")
          .update(input)
          .digest(),
      )
    case "private_key_jwt": {
      const key = attempt(() => createPrivateKey(privateKey ?? ""))
      const alg = key && algorithmOf(key)
      if (key === undefined || alg === undefined)
        return messages["auth-failed"].privateKey(name, `${variables}_privateKey`)
      return addAssertion(alg, (input) => signWith(key, alg, input))
    }
    default:
      return messages["auth-failed"].variable(name, `${variables}_authMethod`, methodWords)
  }
}

const methodWords =
  "client_secret_basic, client_secret_post, none, client_secret_jwt, private_key_jwt, tls_client_auth or self_signed_tls_client_auth"

/** Encodes a part of a Basic credential as RFC 6749 section 2.3.1 requires. */
const formEncoded = (text: OAuthClient["clientId"]): string =>
  new URLSearchParams([["", text ?? ""]]).toString().slice(1)

/** The time for which an assertion is valid. */
const ASSERTION_SECONDS = 60

/** Signs an assertion for the token endpoint (RFC 7523 section 3). */
function signJwt(
  { need, url, world }: Authenticating,
  alg: string,
  signature: (input: string) => Buffer,
): string {
  const { clientId, keyId } = need.auth.client
  const now = Math.floor(world.clock.now() / 1000)
  const header = { alg, typ: "JWT", ...(keyId === undefined ? {} : { kid: keyId }) }
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: url,
    jti: world.random.uuid(),
    iat: now,
    exp: now + ASSERTION_SECONDS,
  }
  const input = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".")
  return `${input}.${signature(input).toString("base64url")}`
}

/** The algorithms of RFC 7518 section 3.1 and RFC 8037, by type of key or curve. */
const algorithms: Readonly<Record<string, string>> = {
  rsa: "RS256",
  "rsa-pss": "PS256",
  ed25519: "EdDSA",
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
}

const algorithmOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined =>
  ownOf(algorithms, (asymmetricKeyType === "ec" ? asymmetricKeyDetails?.namedCurve : asymmetricKeyType) ?? "")

function signWith(key: KeyObject, alg: string, input: string): Buffer {
  const hash = alg === "EdDSA" ? null : `sha${alg.slice(-3)}`
  return sign(hash, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" })
}
