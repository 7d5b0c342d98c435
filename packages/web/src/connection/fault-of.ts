// Returns the error messages of calls, to show where the call was started.

import { Refused, Unreachable } from "./send.ts"

export interface Fault {
  readonly message: string
  readonly hint?: string | undefined
  readonly code?: string
}

/** An error described in the page's words. Nothing was sent, or the server's answer has a simpler explanation. */
export class UserError extends Error {}

const typedIsKept = "What you typed is kept here. When the app responds again, check the file and save."

/**
 * Returns the message for a failed call. `lost` is the message if the answer was lost. Such a call is never retried,
 * because the server may have acted on it.
 */
export function faultOf(error: unknown, lost = typedIsKept): Fault {
  if (error instanceof Refused) return error.failure
  if (error instanceof UserError) return { message: error.message }
  if (error instanceof Unreachable) return { message: `callsheet app is not responding. ${lost}` }
  return {
    message: "Something went wrong in this page.",
    hint: "Reload the page and try again.",
  }
}

/** Returns the message for a failed read. Reads are repeated once the connection is back. */
export const readFaultOf = (error: unknown): string =>
  faultOf(error, "It loads when the app responds again.").message

/** Throws a clear error if a new name is already in use. */
export function throwNameTaken(error: unknown): never {
  const code = error instanceof Refused ? error.failure.code : undefined
  const isTaken = code === "file-changed" || code === "file-exists"
  throw isTaken ? new UserError("A file with this name already exists.") : error
}
