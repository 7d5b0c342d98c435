// Lists entries of the baseline for people.

import type { BaselineEntry } from "@callsheet/format"
import { shorten } from "../text/preview.ts"
import { printable } from "../text/printable.ts"

const MAX_LISTED = 50

/** Formats each entry: `GET /orders  200  /body/total  type`. */
export function violationLines(entries: readonly BaselineEntry[]): readonly string[] {
  const lines = entries
    .slice(0, MAX_LISTED)
    .map(({ operation, status, path, schema, reason = "", expires }) =>
      [
        `  ${shorten(operation, 100)}`,
        String(status),
        shorten(path, 200),
        printable(schema.slice(schema.lastIndexOf("/") + 1)),
        ...(expires === undefined ? [] : [`until ${expires}`]),
        ...(reason === "" ? [] : [shorten(reason, 100)]),
      ].join("  "),
    )
  const more = entries.length - MAX_LISTED
  return more > 0 ? [...lines, `  … ${more} more`] : lines
}
