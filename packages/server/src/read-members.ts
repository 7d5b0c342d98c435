// A field of an input that is an object, by its members.

import { CallsheetError } from "@callsheet/format"

/** More than any schema declares, workflow has inputs, or project has APIs. */
export const MOST_MEMBERS = 10_000

export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Throws what is wrong with it. */
export function readMembers(name: string, value: unknown): ReadonlyMap<string, unknown> {
  if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
  if (!isObject(value)) throw new CallsheetError("field-type", `${name} must be an object`)
  const members = new Map<string, unknown>(Object.entries(value))
  if (members.size > MOST_MEMBERS) throw new CallsheetError("field-value", `${name} holds too much`)
  return members
}
