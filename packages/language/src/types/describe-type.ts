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
  return names.length === 0 ? "a value" : join(names, "or")
}

/** Returns whether two types have no values in common. */
export const areDisjoint = (a: Pick<ValueType, "kinds">, b: Pick<ValueType, "kinds">): boolean =>
  a.kinds !== undefined && b.kinds !== undefined && [...a.kinds].every((kind) => !b.kinds?.has(kind))

const MAX_LISTED = 8

/** Lists values for messages: `"a", "b" and "c"`, or `"a", "b", …` if there are many. */
export function listValues(values: readonly JsonValue[], last: "and" | "or"): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => stringifyJson(value))
  return values.length > MAX_LISTED ? `${shown.join(", ")}, …` : join(shown, last)
}

const join = (texts: readonly string[], last: "and" | "or"): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${last} ${texts.at(-1)}`
