// Why a block failed: a value that travels inside `block.finished`.

import type { BlockError, Exchange, Finding } from "@callsheet/format"

interface Failure extends BlockError {
  /** The exchanges that the failure is about. */
  readonly exchanges?: readonly Exchange[]
}

/** How a block ended. A block that was cancelled is reported as skipped. */
export type BlockOutcome =
  | { readonly status: "passed" }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "cancelled" }

export const passed: BlockOutcome = { status: "passed" }
export const cancelled: BlockOutcome = { status: "cancelled" }

/** The outcome of a block that failed; the exchanges are those that the failure is about. */
export const failed = (
  { code, message, hint }: Finding<BlockError["code"]>,
  exchanges?: readonly Exchange[],
): BlockOutcome => ({
  status: "failed",
  failure: {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(exchanges === undefined ? {} : { exchanges }),
  },
})
