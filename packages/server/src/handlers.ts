// What stands behind the server: an answer to each call. The server knows no more of a project.

import type { CallName, Input, Output } from "./calls/index.ts"

/**
 * An answer to each call. The server has checked the input against its shape. A `CallsheetError` is told to the page
 * with its code, message and hint and the status 400, or that of a `CallRefused`; any other error is a bug, and the page hears that alone.
 */
export type Handlers = { readonly [N in CallName]: (input: Input<N>) => Promise<Output<N>> }

/** The handlers of calls whose names start with `P`. */
export type HandlersOf<P extends string> = Pick<Handlers, Extract<CallName, `${P}.${string}`>>
