// Reads the number of an option.

import { CallsheetError, type Finding } from "@callsheet/format"

interface NumberForm {
  readonly pattern: RegExp
  readonly min?: number
  readonly max?: number
  /** What to report for any other text. */
  readonly wrong: Finding
}

export function readNumber(text: string | undefined, { pattern, min = 0, max, wrong }: NumberForm) {
  if (text === undefined) return undefined
  const number = pattern.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER)) return number
  throw new CallsheetError(wrong)
}
