// Why a block failed: a value that travels inside `block.finished`.

import type { BlockError, Exchange } from "@callsheet/format"

interface Failure extends BlockError {
  /** The exchanges that the failure is about. */
  readonly exchanges?: readonly Exchange[]
}

/** How a block ended. Cancelled is no failure: the block is reported as skipped. */
export type BlockOutcome =
  | { readonly status: "passed" }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "cancelled" }

export const passed: BlockOutcome = { status: "passed" }
export const cancelled: BlockOutcome = { status: "cancelled" }

export const failed = (
  code: BlockError["code"],
  message: string,
  more: { readonly hint?: string | undefined; readonly exchanges?: readonly Exchange[] } = {},
): BlockOutcome => ({
  status: "failed",
  failure: {
    code,
    message,
    ...(more.hint === undefined ? {} : { hint: more.hint }),
    ...(more.exchanges === undefined ? {} : { exchanges: more.exchanges }),
  },
})
