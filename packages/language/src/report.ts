// How a check says what it found.

import type { Finding, JsonPointer } from "@callsheet/format"

/** Reports a finding at a place of the file that is being checked. */
export type Report = (pointer: JsonPointer, at: "key" | "value", finding: Finding) => void
