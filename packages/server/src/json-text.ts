// What the server says, as JSON: integers that a double would round are written digit for digit, as in reports.

import { stringifyJson, type JsonValue } from "@callsheet/format"

/** Throws for what is no JSON, such as an object that holds itself. */
export const jsonText = (value: unknown): string => stringifyJson(value as JsonValue)
