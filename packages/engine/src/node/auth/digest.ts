// HTTP digest authentication (RFC 7616) with MD5 or SHA-256, and qop `auth` or none.

import { createHash, randomBytes } from "node:crypto"
import type { Headers } from "@callsheet/format"
import type { RequestAuth, WireRequest } from "../../ports.ts"

interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  readonly algorithm: string | undefined
  readonly hash: "md5" | "sha256"
  readonly hasQop: boolean
  readonly isUtf8: boolean
  /** The number of requests with this nonce. */
  count: number
}

/** The latest challenge per origin and user. Later requests answer it at once. */
export type DigestChallenges = Map<string, Challenge>

type Digest = Extract<RequestAuth, { readonly kind: "digest" }>

export function createDigest(challenges: DigestChallenges, request: WireRequest, auth: Digest) {
  const { origin } = new URL(request.url)
  const key = JSON.stringify([origin, auth])
  /** Returns the `authorization` for the latest challenge. Undefined if there is none. */
  const authorize = (): string | undefined => {
    const challenge = challenges.get(key)
    return challenge && responseTo(challenge, request, auth)
  }
  /** Answers the challenges of a response. Undefined if none can be answered. */
  const answer = (header: Headers[string] | undefined): string | undefined => {
    const challenge = readChallenge([header ?? []].flat().join(", "))
    if (challenge === undefined) return undefined
    challenges.set(key, challenge)
    return authorize()
  }
  return { authorize, answer }
}

const hashes: ReadonlyMap<string, Challenge["hash"]> = new Map([
  ["md5", "md5"],
  ["md5-sess", "md5"],
  ["sha-256", "sha256"],
  ["sha-256-sess", "sha256"],
])

/** Returns the first digest challenge with a known algorithm. A header may list several challenges. */
function readChallenge(text: string): Challenge | undefined {
  for (const part of text.split(/(?<=^|,)\s*Digest\s+(?=[a-z-]+\s*=)/i).slice(1)) {
    const fields = readFields(part)
    const [nonce, opaque, algorithm] = ["nonce", "opaque", "algorithm"].map((name) => fields.get(name))
    const [realm = "", qop, charset] = ["realm", "qop", "charset"].map((name) => fields.get(name))
    const hash = hashes.get(algorithm?.toLowerCase() ?? "md5")
    const hasQop = qop !== undefined
    if (nonce === undefined || hash === undefined) continue
    if (hasQop && !qop.split(",").some((one) => one.trim().toLowerCase() === "auth")) continue
    const isUtf8 = charset?.toLowerCase() === "utf-8"
    return { realm, nonce, opaque, algorithm, hash, hasQop, isUtf8, count: 0 }
  }
  return undefined
}

/** Reads `name=value, name="value"` up to the next challenge. The first of several values counts. */
function readFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const pattern = /\s*([a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,|$)/giy
  for (const [, name = "", quoted, plain] of text.matchAll(pattern)) {
    const value = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? ""
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value)
  }
  return fields
}

function responseTo(challenge: Challenge, request: WireRequest, { user, password }: Digest): string {
  const { realm, nonce, opaque, algorithm, hash, hasQop, isUtf8 } = challenge
  const encoding = isUtf8 ? "utf8" : "latin1"
  const digest = (text: string): string => createHash(hash).update(Buffer.from(text, encoding)).digest("hex")
  const uri = request.url.replace(/^[^/]*\/\/[^/?#]*/, "").replace(/#.*$/s, "")
  const path = uri.startsWith("/") ? uri : `/${uri}`
  const nc = (++challenge.count).toString(16).padStart(8, "0")
  const cnonce = randomBytes(16).toString("hex")
  const isSession = algorithm?.toLowerCase().endsWith("-sess") === true
  const account = digest(`${user}:${realm}:${password}`)
  const a1 = isSession ? digest(`${account}:${nonce}:${cnonce}`) : account
  const a2 = digest(`${request.method}:${path}`)
  const response = digest(hasQop ? `${a1}:${nonce}:${nc}:${cnonce}:auth:${a2}` : `${a1}:${nonce}:${a2}`)
  return `Digest ${[
    nameField(user),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(path)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(hasQop ? [`qop=auth`, `nc=${nc}`] : []),
    ...(hasQop || isSession ? [`cnonce="${cnonce}"`] : []),
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ].join(", ")}`
}

/** A header can't contain every name, so others are encoded (RFC 7616 section 3.4). */
const nameField = (user: string): string =>
  /^[\x20-\x7e]*$/.test(user) ? `username=${quoted(user)}` : `username*=UTF-8''${encodeURIComponent(user)}`

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`
