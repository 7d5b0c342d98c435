// What the server says, as JSON: integers that a double would round are written digit for digit, as in reports.

import { stringifyJson, type JsonValue } from "@callsheet/format"

/** Throws for what is no JSON, such as an object that holds itself. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // `stringifyJson` would follow a circle for ever: V8 finds those, and says so with the same class of error.
    const isCircle = error instanceof TypeError && !/BigInt/.test(error.message)
    if (isCircle) throw error
    return stringifyJson(value as JsonValue)
  }
}
