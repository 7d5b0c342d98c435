// Text from a terminal, the process or a secrets file -> a value of a declared type, or nothing.

import { numberValue, scanNumber } from "../json/scan.ts"
import type { ScalarType } from "../workflow/types.ts"
import type { Scalar } from "./types.ts"

/** Reads text as a value of a type, numbers by JSON's grammar (RFC 8259 section 6): `1e3` is 1000, `0x10` is undefined. */
export function coerceText(text: string, type: ScalarType): Scalar | undefined {
  switch (type) {
    case "string":
      return text
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined
    case "number": {
      const scanned = scanNumber(text, 0)
      return "end" in scanned && scanned.end === text.length ? numberValue(text) : undefined
    }
  }
}

/** Whether a JSON value is of a declared type as it stands; text is not coerced. */
export const isOfType = (value: unknown, type: ScalarType): value is Scalar =>
  typeof value === type || (type === "number" && typeof value === "bigint")
