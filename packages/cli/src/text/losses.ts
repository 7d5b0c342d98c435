// Prints what an import or an export loses.

import type { ImportChangeSet } from "@callsheet/interop"
import type { Output } from "../screen.ts"
import { printable } from "./printable.ts"

/** Prints the losses, if there are any, below the title that `titleOf` returns for their number. */
export function printLosses(
  output: Output,
  losses: ImportChangeSet["losses"],
  titleOf: (count: number) => string,
): void {
  if (losses.length > 0) output.write(`${output.style("yellow", titleOf(losses.length))}\n`)
  for (const { where, what, reason } of losses)
    output.write(`  ${printable(`${where}: ${what}: ${reason}`)}\n`)
}
