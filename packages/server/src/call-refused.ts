// A call that a handler answers with a status of its own, and with more than words.

import { CallsheetError, type ProblemCode } from "@callsheet/format"
import type { CallFailure } from "./calls/index.ts"

/** 403: never here. 404: not there. 409: not what it was. 422: breaks the format. 428: does not say what it was made from. */
type RefusalStatus = 403 | 404 | 409 | 422 | 428

export type RefusalDetails = Pick<CallFailure, "problems" | "current">

/**
 * Misuse with a status. What the details hold is sent as it is: secrets and places outside of the project are taken out before.
 *
 * @example
 * throw new CallRefused(409, "file-changed", "another program has changed the file", { current: null })
 */
export class CallRefused extends CallsheetError {
  readonly status: RefusalStatus
  readonly details: RefusalDetails

  constructor(
    status: RefusalStatus,
    code: ProblemCode,
    message: string,
    { hint, ...details }: RefusalDetails & { readonly hint?: string | undefined } = {},
  ) {
    super(code, message, { hint })
    this.status = status
    this.details = details
  }
}
