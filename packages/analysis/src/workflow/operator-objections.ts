// Comparisons that can never hold, or never fail, for the types of their two sides.

import { isEqual, type JsonValue, type OperatorName, type ValueKind, type ValueType } from "@callsheet/format"
import { describeKinds } from "./describe-type.ts"

export interface OperatorObjection {
  /** A warning where the types allow it and only the documented values do not, or where the comparison always holds. */
  readonly severity: "error" | "warning"
  readonly message: string
}

type Judge = (source: ValueType, expected: ValueType) => OperatorObjection | undefined

/** What is to be said against comparing a source of one type with a value of another. */
export function objectToOperator(
  operator: OperatorName,
  source: ValueType,
  expected: ValueType,
): OperatorObjection | undefined {
  return judges[operator]?.(source, expected)
}

const never = (message: string): OperatorObjection => ({ severity: "error", message })
const unlikely = (message: string): OperatorObjection => ({ severity: "warning", message })

const equals: Judge = (source, expected) => {
  if (areDisjoint(source, expected))
    return never(`it is ${describeKinds(source)} and never equals ${describeKinds(expected)}`)
  return lacksValue(source, expected) ? unlikely(`it is only ${listValues(source.values ?? [])}`) : undefined
}

const notEquals: Judge = (source, expected) =>
  areDisjoint(source, expected)
    ? unlikely(
        `it is ${describeKinds(source)} and never equals ${describeKinds(expected)}: this always holds`,
      )
    : undefined

const ordered: Judge = (source, expected) => {
  if (excludes(source, "number"))
    return never(`it is ${describeKinds(source)}; only numbers are greater or less`)
  return excludes(expected, "number")
    ? never(`the value is ${describeKinds(expected)}; only numbers are greater or less`)
    : undefined
}

const contains: Judge = (source, expected) => {
  if (excludes(source, "string") && excludes(source, "array"))
    return never(`it is ${describeKinds(source)}; only strings and arrays contain something`)
  if (excludes(source, "array"))
    return excludes(expected, "string")
      ? never(`it is a string, which contains only strings, and the value is ${describeKinds(expected)}`)
      : undefined
  if (!excludes(source, "string")) return undefined
  const item = source.step("0")
  if (item.leads !== "to") return undefined
  if (areDisjoint(item.type, expected))
    return never(`its items are ${describeKinds(item.type)}, and the value is ${describeKinds(expected)}`)
  return lacksValue(item.type, expected)
    ? unlikely(`its items are only ${listValues(item.type.values ?? [])}`)
    : undefined
}

const judges: { readonly [O in OperatorName]?: Judge } = {
  equals,
  notEquals,
  greaterThan: ordered,
  lessThan: ordered,
  contains,
}

const excludes = ({ kinds }: ValueType, kind: ValueKind): boolean => kinds !== undefined && !kinds.has(kind)

const areDisjoint = (a: ValueType, b: ValueType): boolean =>
  a.kinds !== undefined && b.kinds !== undefined && [...a.kinds].every((kind) => !b.kinds?.has(kind))

const lacksValue = (source: ValueType, expected: ValueType): boolean =>
  source.values !== undefined &&
  expected.values !== undefined &&
  !expected.values.some((value) => source.values?.some((known) => isEqual(known, value)))

const MAX_LISTED = 8

function listValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => JSON.stringify(value, bigToText))
  return `${shown.join(", ")}${values.length > MAX_LISTED ? ", …" : ""}`
}

const bigToText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)
