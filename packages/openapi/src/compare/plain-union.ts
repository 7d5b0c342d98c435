// Recognizes unions whose branches are one schema of several types: `anyOf: [{ const: "a" }, { const: "b" }]` is an
// `enum`.

import { isJsonArray, isJsonObject, type JsonObject } from "@callsheet/format"
import type { Part } from "../document/part.ts"
import { readBranches, unionKeywords } from "./flatten-schema.ts"

/** Returns the branches of a schema's plain unions. All of their keywords apply, each to its own type. */
export const plainBranchesOf = (schema: Part): readonly JsonObject[] =>
  unionKeywords.flatMap((keyword) => readPlainUnion(readBranches(schema, keyword).branches) ?? [])

/** Returns the branches if they are plain. Undefined if they have to be compared one by one. */
export function readPlainUnion(branches: readonly Part[]): readonly JsonObject[] | undefined {
  const plain = branches.map(plainSchema).filter((schema) => schema !== undefined)
  if (branches.length < 2 || plain.length < branches.length) return undefined
  const listed = plain.filter(hasValues)
  if (listed.length > 0 && listed.length < plain.length) return undefined
  if (plain.every((schema) => !isLimited(schema))) return plain
  const types = new Set(plain.map(({ type }) => (type === "integer" ? "number" : type)))
  const formats = plain.filter(({ format }) => format !== undefined)
  return types.size === plain.length && formats.length < 2 && listed.length === 0 ? plain : undefined
}

const hasValues = (schema: JsonObject): boolean =>
  schema["enum"] !== undefined || schema["const"] !== undefined

const limits =
  "format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" ")

const isLimited = (schema: JsonObject): boolean => limits.some((keyword) => Object.hasOwn(schema, keyword))

const plainKeywords: ReadonlySet<string> = new Set([
  ...limits,
  ..."type enum const nullable x-nullable title description default example examples deprecated".split(" "),
])

function plainSchema(branch: Part): JsonObject | undefined {
  const value = branch.dereference()?.value
  if (!isJsonObject(value) || (value["type"] === undefined && !hasValues(value))) return undefined
  const isScalar = !isJsonArray(value["type"]) && value["type"] !== "object" && value["type"] !== "array"
  return isScalar && Object.keys(value).every((key) => plainKeywords.has(key)) ? value : undefined
}
