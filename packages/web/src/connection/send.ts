// One request to the server: JSON there, with the session's key.

import type { CallFailure } from "@callsheet/server/calls"
import { heldKey } from "./session-key.ts"

/** The server answered, and the answer is no. */
export class Refused extends Error {
  readonly status: number
  readonly failure: CallFailure

  constructor(status: number, failure: CallFailure) {
    super(failure.message)
    this.status = status
    this.failure = failure
  }
}

/** Nothing answered. */
export class Unreachable extends Error {}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** It is sent also where the page is left at the same moment, if it is not too large for that. */
  readonly isLast?: boolean | undefined
}

/** What browsers send after a page is left, in bytes: 64 KiB with what else is on its way. */
const mostLast = 50_000

/** Whether a body is sent also where the page is left at the same moment. */
export const isSentLast = (body: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(body)).length <= mostLast

let sent = 0
/** The last request of which it is known whether anything answered: an earlier one that is answered late says nothing. */
let last = { number: 0, isReached: true }

const noteOutcome = (number: number, isReached: boolean): void => {
  if (number > last.number) last = { number, isReached }
}

/** Whether anything answered the last request that was not given up. */
export const wasReached = (): boolean => last.isReached

/** Rejects with `Refused` or `Unreachable`, or as the signal says. */
export async function send(
  path: string,
  body: unknown,
  { signal, isLast = false }: SendOptions = {},
): Promise<Response> {
  const key = heldKey()
  const number = ++sent
  const response = await fetch(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === undefined ? {} : { "x-callsheet-key": key }),
    },
    body: JSON.stringify(body),
    cache: "no-store",
    keepalive: isLast && isSentLast(body),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    noteOutcome(number, false)
    throw new Unreachable("callsheet app does not answer")
  })
  noteOutcome(number, true)
  if (!response.ok) throw new Refused(response.status, await failureOf(response))
  return response
}

async function failureOf(response: Response): Promise<CallFailure> {
  const told: unknown = await response.json().catch(() => undefined)
  if (isFailure(told)) return told
  return { code: "internal", message: `The server answered with status ${response.status}.` }
}

function isFailure(value: unknown): value is CallFailure {
  if (typeof value !== "object" || value === null) return false
  return "code" in value && "message" in value && typeof value.message === "string"
}
