// Describes types for messages, and compares types.

import { type JsonValue, stringifyJson, type ValueKind, type ValueType } from "@callsheet/format"

const words: { readonly [K in ValueKind]: string } = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
}

/** Describes the kinds of a type: `a string`, `a number or null`, or `a value` for an unknown type. */
export function describeKinds({ kinds }: Pick<ValueType, "kinds">): string {
  const names = [...(kinds ?? [])].map((kind) => words[kind])
  if (names.length < 2) return names[0] ?? "a value"
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
}

/** Returns whether two types have no values in common. */
export const areDisjoint = (a: Pick<ValueType, "kinds">, b: Pick<ValueType, "kinds">): boolean =>
  a.kinds !== undefined && b.kinds !== undefined && [...a.kinds].every((kind) => !b.kinds?.has(kind))

const MAX_LISTED = 8

/** Lists values for messages: `"a", "b", …`. */
export function listValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => stringifyJson(value))
  return `${shown.join(", ")}${values.length > MAX_LISTED ? ", …" : ""}`
}
