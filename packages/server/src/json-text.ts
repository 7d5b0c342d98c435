// Stringifies answers. Integers that a double would round are written with all their digits, as in reports.

import { stringifyJson, type JsonValue } from "@callsheet/format"

/** Throws for values that JSON can't represent, such as circular objects. */
export const jsonText = (value: unknown): string => stringifyJson(value as JsonValue)
