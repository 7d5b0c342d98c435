// Sends a request with JSON to the server, with the session's key.

import { stringifyJson, type JsonValue } from "@callsheet/format"
import type { CallFailure } from "@callsheet/server/calls"
import { currentKey } from "./session-key.ts"

export class Refused extends Error {
  readonly status: number
  readonly failure: CallFailure

  constructor(status: number, failure: CallFailure) {
    super(failure.message)
    this.status = status
    this.failure = failure
  }
}

export class Unreachable extends Error {}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** If true, the browser sends the request even while the page closes. Ignored if the request is too large. */
  readonly isLast?: boolean | undefined
}

/**
 * The maximum size in bytes of a request that continues after the page closes. Browsers limit all requests of a closing
 * page to 64 KiB.
 */
const MAX_LAST_BYTES = 50_000

/** Returns whether the body is small enough to send while the page closes. */
export const isSentLast = (body: unknown): boolean =>
  new TextEncoder().encode(stringifyJson(body as JsonValue)).length <= MAX_LAST_BYTES

let sent = 0
/** The latest request with a known outcome. Later answers to earlier requests don't count. */
let last = { number: 0, isReached: true }

const noteOutcome = (number: number, isReached: boolean): void => {
  if (number > last.number) last = { number, isReached }
}

/** Returns whether the last request got a response. Ignores aborted requests. */
export const wasReached = (): boolean => last.isReached

/** Sends a request. Rejects with `Refused`, `Unreachable`, or the reason of the signal. */
export async function send(
  path: string,
  body: unknown,
  { signal, isLast = false }: SendOptions = {},
): Promise<Response> {
  const key = currentKey()
  const number = ++sent
  const response = await fetch(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === undefined ? {} : { "x-callsheet-key": key }),
    },
    body: stringifyJson(body as JsonValue),
    cache: "no-store",
    keepalive: isLast && isSentLast(body),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    noteOutcome(number, false)
    throw new Unreachable("callsheet app is not responding")
  })
  noteOutcome(number, true)
  if (!response.ok) throw new Refused(response.status, await failureOf(response))
  return response
}

async function failureOf(response: Response): Promise<CallFailure> {
  const body: unknown = await response.json().catch(() => undefined)
  if (isFailure(body)) return body
  return { code: "internal", message: `The server responded with status ${response.status}.` }
}

function isFailure(value: unknown): value is CallFailure {
  if (typeof value !== "object" || value === null) return false
  return "code" in value && "message" in value && typeof value.message === "string"
}
