// Orders operators by how well they fit a value.

import {
  operatorNames,
  operators,
  type OperatorName,
  unknownType,
  type ValueKind,
  type ValueType,
} from "@callsheet/format"
import { judgeComparison } from "../validate/check-references.ts"

const fits: { readonly [K in ValueKind]: readonly OperatorName[] } = {
  string: ["equals", "notEquals", "contains"],
  number: ["equals", "notEquals", "greaterThan", "lessThan"],
  boolean: ["equals", "notEquals"],
  array: ["contains", "hasValue"],
  object: ["hasValue", "exists"],
  null: ["hasNoValue", "equals"],
}

/** Returns the operators, fitting ones first. Leaves out those with which any comparison would be an error. */
export function fittingOperators(
  source: ValueType,
  expected: ValueType = unknownType,
): readonly OperatorName[] {
  const usual = new Set([...(source.kinds ?? [])].flatMap((kind) => fits[kind]))
  const findingOf = (name: OperatorName) =>
    operators[name].takesValue ? judgeComparison(name, source, expected) : undefined
  // A response may contradict its document, so that only a warning follows from it.
  const isError = (name: OperatorName): boolean =>
    findingOf(name)?.severity === "error" && source.origin === undefined && expected.origin === undefined
  const rank = (name: OperatorName): number => (findingOf(name) === undefined ? (usual.has(name) ? 0 : 1) : 2)
  return operatorNames.filter((name) => !isError(name)).toSorted((one, other) => rank(one) - rank(other))
}
