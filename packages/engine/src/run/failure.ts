// The failure of a block, as `block.finished` reports it.

import type { BlockError, Exchange, Finding, JsonPointer } from "@callsheet/format"

interface Details {
  /** The exchanges that explain the failure. By default, those that the block read. */
  readonly exchanges?: readonly Exchange[] | undefined
  /** The field of the block that caused the failure. */
  readonly at?: JsonPointer | undefined
}

export type Failure = BlockError & Details

/** A canceled block and one whose script isn't translated are reported as skipped. */
export type BlockOutcome =
  /** `undecidable` says why the run can't decide whether the block passes. */
  | { readonly status: "passed"; readonly undecidable?: string }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "cancelled" }
  | { readonly status: "untranslated" }

export const passed: BlockOutcome = { status: "passed" }
export const cancelled: BlockOutcome = { status: "cancelled" }

export const failed = (
  { code, message, hint }: Finding<BlockError["code"]>,
  details?: Details,
): BlockOutcome => ({
  status: "failed",
  failure: { code, message, ...(hint === undefined ? {} : { hint }), ...details },
})
