// Fetches OpenAPI documents for the user, without credentials, and keeps them until they are imported.

import { randomBytes } from "node:crypto"
import { createHttpPort, monotonicMs, type HttpPort, type SendOutcome } from "@callsheet/engine"
import { decodeText, type Finding, type ProcessEnvironment } from "@callsheet/format"
import type { FetchedDocument } from "../calls/index.ts"
import { CallRefused } from "../handlers.ts"
import { messages } from "../messages.ts"

export interface KeptDocument {
  /** The file name in messages. */
  readonly name: string
  readonly text: string
  /** The URL as the user gave it. */
  readonly address: string
}

export interface FetchLimits {
  readonly bytes: number
  readonly milliseconds: number
}

const defaultLimits: FetchLimits = { bytes: 128 * 1024 * 1024, milliseconds: 30_000 }
const MAX_REDIRECTS = 10
const KEPT_MS = 10 * 60_000
/** A document is large, so only the last ones are kept. */
const MAX_KEPT = 2

const says = messages["import-source"]
const refuse = (finding: Finding): CallRefused => new CallRefused(422, finding)

export type DocumentFetcher = ReturnType<typeof createDocumentFetcher>

/** Fetches documents. `find` returns the one with an id. Throws 422 for an address that can't be used. */
export function createDocumentFetcher(processEnvironment: ProcessEnvironment, limits = defaultLimits) {
  const kept = new Map<string, KeptDocument & { readonly until: number }>()
  return {
    fetch: async (address: string): Promise<FetchedDocument> => {
      const http = createHttpPort({ concurrency: 1, processEnvironment })
      try {
        const { url, redirects, body } = await follow(http, checkAddress(address.trim()), limits)
        const text = textOf(body)
        const fetched = randomBytes(16).toString("base64url")
        kept.set(fetched, {
          name: nameOf(url),
          text,
          address: address.trim(),
          until: monotonicMs() + KEPT_MS,
        })
        for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest)
        return { fetched, url: url.href, redirects, sizeBytes: body.length }
      } finally {
        http.close()
      }
    },
    find: (fetched: string): KeptDocument => {
      const found = kept.get(fetched)
      if (found !== undefined && monotonicMs() < found.until) return found
      kept.delete(fetched)
      throw refuse(says.expired())
    },
  }
}

/** Returns the URL without its fragment. */
function checkAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw refuse(says.noUrl())
  if (url.username !== "" || url.password !== "") throw refuse(says.userinfo())
  url.hash = ""
  return url
}

/** Follows redirects one by one, because each address is checked, and no cookie of one goes to the next. */
async function follow(http: HttpPort, first: URL, limits: FetchLimits) {
  const deadline = monotonicMs() + limits.milliseconds
  const redirects: FetchedDocument["redirects"][number][] = []
  for (let url = first; ;) {
    const left = Math.max(1, Math.ceil(deadline - monotonicMs()))
    const outcome = await http.withOwnCookies().send(requestFor(url, left, limits.bytes), {
      signal: new AbortController().signal,
      onSent: () => undefined,
    })
    const { status, headers, body } = answerOf(outcome, limits)
    const { location } = headers
    if (status < 300 || status >= 400 || typeof location !== "string") {
      if (status < 200 || status >= 300) throw refuse(says.status(status))
      const type = headers["content-type"]
      if (typeof type === "string" && /\bx?html\b/i.test(type)) throw refuse(says.html())
      return { url, redirects, body }
    }
    url = redirected(url, location)
    redirects.push({ status, url: url.href })
    if (redirects.length > MAX_REDIRECTS) throw refuse(says.redirects(MAX_REDIRECTS))
  }
}

function redirected(from: URL, location: string): URL {
  try {
    return checkAddress(URL.canParse(location, from.href) ? new URL(location, from.href).href : location)
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    throw refuse({ code: error.code, message: says.redirectTo(error.message).message, hint: error.hint })
  }
}

const requestFor = (url: URL, timeoutMs: number, maxResponseBytes: number) => ({
  api: "",
  method: "GET",
  url: url.href,
  headers: [["accept", "application/json, application/yaml, */*;q=0.5"]] as const,
  cookies: {},
  timeoutMs,
  maxResponseBytes,
  followRedirects: false,
  verifyTls: true,
  sensitive: { headers: new Set<string>(), query: new Set<string>(), body: false },
})

function answerOf(outcome: SendOutcome, { milliseconds }: FetchLimits) {
  if (!outcome.ok) {
    const { code, message, hint, partial } = outcome
    if (code === "request-timeout") throw refuse(says.slow(milliseconds / 1000))
    // Such as an answer that is too large. The hint is about options of runs.
    if (partial !== undefined) throw refuse(says.broken(message))
    throw refuse({ code: "import-source", message, hint })
  }
  const { status, headers, body } = outcome.response
  if (!(body instanceof Uint8Array)) throw new Error("the response is recorded")
  return { status, headers, body }
}

function textOf(body: Uint8Array): string {
  const decoded = decodeText(body)
  if (!decoded.ok) throw refuse({ ...decoded.finding, code: "import-source" })
  // Some servers send a page as plain text.
  if (/^\s*<(?:!doctype html|html)\b/i.test(decoded.text)) throw refuse(says.html())
  return decoded.text
}

/** Returns the last part of the path, for messages. Without one, the host. */
const nameOf = ({ pathname, hostname }: URL): string =>
  pathname
    .split("/")
    .findLast((part) => part !== "")
    ?.slice(0, 200) ?? hostname
