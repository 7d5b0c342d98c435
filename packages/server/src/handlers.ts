// The handlers of all calls, and the errors of refused calls. The HTTP code knows nothing else about projects.

import { CallsheetError, type Finding } from "@callsheet/format"
import type { CallFailure, CallName, Input, Output } from "./calls/index.ts"

/**
 * Input always fits its shape. A `CallsheetError` becomes 400, a `CallRefused` its own status. Other errors are bugs.
 */
export type Handlers = { readonly [N in CallName]: (input: Input<N>) => Promise<Output<N>> }

export type HandlersOf<P extends string> = Pick<Handlers, Extract<CallName, `${P}.${string}`>>

/** 403: not allowed here. 404: missing. 409: changed. 422: invalid. 428: the etag is missing. */
type RefusalStatus = 403 | 404 | 409 | 422 | 428

export type RefusalDetails = Pick<CallFailure, "problems" | "current">

/** A refused call. Details are sent unchanged, so mask secrets and remove outside paths first. */
export class CallRefused extends CallsheetError {
  readonly status: RefusalStatus
  readonly details: RefusalDetails

  constructor(status: RefusalStatus, finding: Finding, details: RefusalDetails = {}) {
    super(finding)
    this.status = status
    this.details = details
  }
}
