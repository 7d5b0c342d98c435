// The failure of a block, as `block.finished` reports it.

import type { BlockError, Exchange, Finding } from "@callsheet/format"

/** A cancelled block is reported as skipped. */
export type BlockOutcome =
  | { readonly status: "passed" }
  | { readonly status: "failed"; readonly failure: BlockError & { readonly exchanges?: readonly Exchange[] } }
  | { readonly status: "cancelled" }

export const passed: BlockOutcome = { status: "passed" }
export const cancelled: BlockOutcome = { status: "cancelled" }

/** Builds the outcome of a failed block, with the exchanges that explain the failure. */
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
