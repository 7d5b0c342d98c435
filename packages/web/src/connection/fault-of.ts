// Returns error messages of calls, to show where the user made the call.

import { Refused, Unreachable } from "./send.ts"

export interface Fault {
  readonly message: string
  readonly hint?: string | undefined
  readonly code?: string
}

/** An error with a message for the user. Either nothing was sent, or the message is simpler than the server's. */
export class UserError extends Error {}

const typedIsKept = "What you typed is kept here. When the app responds again, check the file and save."

/**
 * Returns the message for a failed call. `lost` is the message if no answer arrived. Such a call isn't repeated,
 * because it may have had an effect.
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

/** Returns the message for a failed read. Reads are repeated after a reconnect. */
export const readFaultOf = (error: unknown): string =>
  faultOf(error, "It loads when the app responds again.").message

/** Throws an error with a clear message if the name is taken. */
export function throwNameTaken(error: unknown): never {
  const code = error instanceof Refused ? error.failure.code : undefined
  const isTaken = code === "file-changed" || code === "file-exists"
  throw isTaken ? new UserError("A file with this name already exists.") : error
}
