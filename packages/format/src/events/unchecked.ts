// What a block didn't check although its workflow validates contracts, for reporters, counts and the page.

import type { BlockReport } from "./types.ts"

/** Returns whether the contract of a block's request or response was not checked, or not in full. */
export const isUnchecked = ({ contract, requestUnchecked }: BlockReport): boolean =>
  requestUnchecked !== undefined ||
  (contract !== undefined &&
    (contract.unchecked !== undefined ||
      contract.status === "unchecked" ||
      contract.status === "unavailable"))

export interface UncheckedBody {
  readonly of: "request" | "response"
  readonly reason: string
}

/** Returns the bodies of a block that weren't checked against their schemas. */
export function uncheckedBodies({ contract, requestUnchecked }: BlockReport): readonly UncheckedBody[] {
  const response = contract?.unchecked
  if (requestUnchecked === undefined && response === undefined) return nothing
  return [
    ...(requestUnchecked === undefined ? [] : [{ of: "request" as const, reason: requestUnchecked }]),
    ...(response === undefined ? [] : [{ of: "response" as const, reason: response }]),
  ]
}

// Most blocks have none.
const nothing: readonly UncheckedBody[] = []
