// What may be seen of values, descriptions and problems: secrets that stand in them are masked.

import type { Masker } from "@callsheet/engine"
import { hideUrlCredentials, type Scalar } from "@callsheet/format"
import type { CellValue } from "../calls/index.ts"

interface ShownValue {
  readonly value: CellValue
  /** Whether a secret that it holds is masked. */
  readonly isMasked: boolean
}

/** Of a variable that is no secret. */
export type ShowValue = (value: Scalar | null) => ShownValue

/** Looks at each value once: environments inherit most of what they have. */
export function createShowValue(masker: Masker | undefined): ShowValue {
  const seen = new Map<Scalar | null, ShownValue>()
  return (value) => {
    const known = seen.get(value) ?? showValue(value, masker)
    seen.set(value, known)
    return known
  }
}

function showValue(value: Scalar | null, masker: Masker | undefined): ShownValue {
  // True and false tell nothing of a secret; masked they would, and no switch of a project that has one could be set.
  if (typeof value === "boolean") return { value, isMasked: false }
  if (typeof value === "string" && hideUrlCredentials(value) !== value)
    return { value: hideUrlCredentials(masker?.text(value) ?? value), isMasked: true }
  if (value !== null && masker?.occursIn(String(value)) === true)
    return { value: masker.text(String(value)), isMasked: true }
  return { value: typeof value === "bigint" ? String(value) : value, isMasked: false }
}
