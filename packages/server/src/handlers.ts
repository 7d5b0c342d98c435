// What stands behind the door: an answer to each call, or a refusal. The door knows no more of a project.

import { CallsheetError, type Finding } from "@callsheet/format"
import type { CallFailure, CallName, Input, Output } from "./calls/index.ts"

/** The input fits its shape. A `CallsheetError` reaches the page with status 400, or that of a `CallRefused`; other errors are bugs. */
export type Handlers = { readonly [N in CallName]: (input: Input<N>) => Promise<Output<N>> }

export type HandlersOf<P extends string> = Pick<Handlers, Extract<CallName, `${P}.${string}`>>

/** 403: never here. 404: not there. 409: not what it was. 422: breaks the format. 428: does not say what it was made from. */
type RefusalStatus = 403 | 404 | 409 | 422 | 428

export type RefusalDetails = Pick<CallFailure, "problems" | "current">

/** Details are sent as they are: the caller has masked secrets and removed paths outside the project. */
export class CallRefused extends CallsheetError {
  readonly status: RefusalStatus
  readonly details: RefusalDetails

  constructor(status: RefusalStatus, finding: Finding, details: RefusalDetails = {}) {
    super(finding)
    this.status = status
    this.details = details
  }
}
