// What has gone wrong with a call, in words for the place where it was asked for.

import { Refused, Unreachable } from "./send.ts"

export interface Fault {
  readonly message: string
  readonly hint?: string | undefined
  readonly code?: string
}

/** What stands in the way, in words of the page: nothing was sent, or the answer has a plainer name. */
export class Hindrance extends Error {}

const typedIsKept =
  "What you typed is kept here: when it answers again, look at what stands in the file, and save."

/**
 * Nothing is tried again by itself: it may have been done before the answer was lost. `lost` says what the person is to know
 * then.
 */
export function faultOf(error: unknown, lost = typedIsKept): Fault {
  if (error instanceof Refused) return error.failure
  if (error instanceof Hindrance) return { message: error.message }
  if (error instanceof Unreachable) return { message: `callsheet app does not answer. ${lost}` }
  return {
    message: "That did not work: the page has met a fault of its own.",
    hint: "Reload it, and try again.",
  }
}

/** Of something that is read: it is asked for again when there is a connection. */
export const readFaultOf = (error: unknown): string =>
  faultOf(error, "It is read when it answers again.").message

/** Where a new name is asked for. */
export function sayNameIsTaken(error: unknown): never {
  const code = error instanceof Refused ? error.failure.code : undefined
  const isTaken = code === "file-changed" || code === "file-exists"
  throw isTaken ? new Hindrance("There is a file of that name.") : error
}
