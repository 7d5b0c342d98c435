// Why a call has failed, in the words of the server, or of the page where no server answers.

import type { CallFailure } from "../../api.ts"
import { Refused } from "../connection/send.ts"

/** `unknown` is what nobody can tell then. */
export const failureOf = (error: unknown, unknown: string): CallFailure =>
  error instanceof Refused
    ? error.failure
    : { code: "internal", message: `callsheet app does not answer. ${unknown}` }
