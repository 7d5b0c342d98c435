// The strictest limits of all schemas of a value: lengths, counts and numbers.

import { isNumber } from "@callsheet/format"
import type { Part } from "../document/part.ts"

export interface Limits {
  readonly min: number | undefined
  readonly max: number | undefined
}

/** Returns the limits of `minLength` and `maxLength`, for example, for `Length`. */
export function limitsOf(parts: readonly Part[], what: "Length" | "Items" | "Properties"): Limits {
  const min = amounts(parts, `min${what}`)
  const max = amounts(parts, `max${what}`)
  return {
    min: min.length === 0 ? undefined : Math.max(...min),
    max: max.length === 0 ? undefined : Math.min(...max),
  }
}

const amounts = (parts: readonly Part[], keyword: string): readonly number[] =>
  parts.flatMap((part) => {
    const value = part.member(keyword)
    return isNumber(value) && value >= 0 ? [Math.ceil(Number(value))] : []
  })
