// Comparisons that can never hold, or never fail, for the types of their two sides.

import { isEqual, type OperatorName, type ValueKind, type ValueType } from "@callsheet/format"
import { describeKinds } from "../types/describe-type.ts"
import { listValues } from "./list-values.ts"

interface OperatorObjection {
  /** A warning where the types allow it and only the documented values do not, or where the comparison always holds. */
  readonly severity: "error" | "warning"
  /** Which of the two does not fit the source. */
  readonly at: "operator" | "value"
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

const badOperator = (message: string): OperatorObjection => ({ severity: "error", at: "operator", message })
const badValue = (message: string): OperatorObjection => ({ severity: "error", at: "value", message })
const oddValue = (message: string): OperatorObjection => ({ severity: "warning", at: "value", message })

const equals: Judge = (source, expected) => {
  if (areDisjoint(source, expected))
    return badValue(`it is ${describeKinds(source)} and never equals ${describeKinds(expected)}`)
  return lacksValue(source, expected) ? oddValue(documentedValues(source)) : undefined
}

const notEquals: Judge = (source, expected) => {
  if (areDisjoint(source, expected)) {
    return oddValue(
      `it is ${describeKinds(source)} and never equals ${describeKinds(expected)}: this always holds`,
    )
  }
  // That it is not some number, a status among them, is often what is wanted.
  return lacksValue(source, expected) && excludes(expected, "number")
    ? oddValue(`${documentedValues(source)}: this always holds`)
    : undefined
}

const ordered: Judge = (source, expected) => {
  if (excludes(source, "number"))
    return badOperator(`it is ${describeKinds(source)}; only numbers are greater or less`)
  return excludes(expected, "number")
    ? badValue(`the value is ${describeKinds(expected)}; only numbers are greater or less`)
    : undefined
}

const contains: Judge = (source, expected) => {
  if (excludes(source, "string") && excludes(source, "array"))
    return badOperator(`it is ${describeKinds(source)}; only strings and arrays contain something`)
  if (excludes(source, "array")) {
    return excludes(expected, "string")
      ? badValue(`it is a string, which contains only strings, and the value is ${describeKinds(expected)}`)
      : undefined
  }
  if (!excludes(source, "string")) return undefined
  const item = source.step("0")
  if (item.leads !== "to") return undefined
  if (areDisjoint(item.type, expected))
    return badValue(`its items are ${describeKinds(item.type)}, and the value is ${describeKinds(expected)}`)
  return lacksValue(item.type, expected)
    ? oddValue(`of its items, ${documentedValues(item.type)}`)
    : undefined
}

const documentedValues = ({ values }: ValueType): string => `documented is only ${listValues(values ?? [])}`

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
