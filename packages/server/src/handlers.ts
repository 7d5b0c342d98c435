// What stands behind the server: an answer to each call of `api.ts`, and the events. The server knows no more of a project.

import type { AppEvent, CallName, Input, Output } from "./calls/index.ts"

/**
 * An answer to each call. The server has held the input against `inputKinds` before. A `CallsheetError` is told to the page
 * with its code, message and hint and the status 400, or that of a `CallRefused`; any other error is a bug, and the page hears that alone.
 */
export type Handlers = { readonly [N in CallName]: (input: Input<N>) => Promise<Output<N>> }

/** Where the server hears of events. */
export interface AppEvents {
  /** Calls the listener with each event from now on, until the function that it returns is called. */
  readonly subscribe: (listener: (event: AppEvent) => void) => () => void
}
