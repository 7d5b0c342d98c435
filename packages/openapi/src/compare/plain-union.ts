// Recognizes unions whose branches only list types and values: `anyOf: [{ const: "a" }, { const: "b" }]` is an `enum`.

import { isJsonArray, isJsonObject, type JsonObject } from "@callsheet/format"
import type { Part } from "../document/part.ts"

/** Returns whether all branches only say types and values, so that they are one list of types and values. */
export function isPlainUnion(branches: readonly Part[]): boolean {
  const plain = branches.map((branch) => plainSchema(branch))
  const isRestricted = plain.map((schema) => schema !== undefined && hasValues(schema))
  return (
    plain.every((schema) => schema !== undefined) &&
    (isRestricted.every((is) => is) || isRestricted.every((is) => !is))
  )
}

const hasValues = (schema: JsonObject): boolean =>
  schema["enum"] !== undefined || schema["const"] !== undefined

const plainKeywords: ReadonlySet<string> = new Set(
  "type enum const nullable x-nullable title description default example examples deprecated".split(" "),
)

export function plainSchema(branch: Part): JsonObject | undefined {
  const value = branch.dereference()?.value
  if (!isJsonObject(value) || (value["type"] === undefined && !hasValues(value))) return undefined
  const isScalar = !isJsonArray(value["type"]) && value["type"] !== "object" && value["type"] !== "array"
  return isScalar && Object.keys(value).every((key) => plainKeywords.has(key)) ? value : undefined
}
