// Error messages of calls, for the place that started the call.

import { Refused, Unreachable } from "./send.ts"

export interface Fault {
  readonly message: string
  readonly hint?: string | undefined
  readonly code?: string
}

/** An obstacle in the page's words: nothing was sent, or the server's answer has a simpler explanation. */
export class UserError extends Error {}

const typedIsKept = "What you typed is kept here. When the app responds again, check the file and save."

/**
 * Calls are never retried, because the server may have acted before its answer was lost. `lost` is the message for that
 * case.
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

/** For reads, which are repeated once the connection is back. */
export const readFaultOf = (error: unknown): string =>
  faultOf(error, "It loads when the app responds again.").message

/** Throws a clear error if a new name is already in use. */
export function throwNameTaken(error: unknown): never {
  const code = error instanceof Refused ? error.failure.code : undefined
  const isTaken = code === "file-changed" || code === "file-exists"
  throw isTaken ? new UserError("A file with this name already exists.") : error
}
