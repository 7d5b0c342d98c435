// Says how to turn a value of the wrong JSON type into the one that a field expects.

import { isJsonArray, isJsonObject, type JsonValue } from "../json/value.ts"
import { hints } from "../messages.ts"
import { meantNumber } from "../text/meant-number.ts"
import type { Shape } from "./shape.ts"

const MAX_SHOWN = 40

/** Returns the hint for a value that has the wrong type, or undefined if no change of notation makes it right. */
export function typeHint(
  shape: Shape,
  value: JsonValue,
  key: string | number | undefined,
): string | undefined {
  switch (shape.is) {
    case "array":
      return arrayHint(shape.items(), value)
    case "map":
      return jsonHint(value)
    case "object":
      return isJsonArray(value) ? singleHint(value, shape.onlyOneHint) : jsonHint(value)
    case "number":
      return typeof value === "string" ? numberHint(value, key) : undefined
    case "boolean":
      return value === "true" || value === "false" ? `remove the quotes: ${value}` : undefined
    case "string":
      return isShortScalar(value) ? `put it in quotes: "${value}"` : undefined
    default:
      return undefined
  }
}

function arrayHint(items: Shape, value: JsonValue): string | undefined {
  if (typeof value === "string")
    return items.is === "string" ? 'write a list of strings: ["…", "…"]' : undefined
  return isJsonObject(value) ? "put brackets around it: [{ … }]" : undefined
}

function singleHint(list: readonly JsonValue[], onlyOne: string | undefined): string | undefined {
  return list.length === 1 ? "remove the brackets around it" : onlyOne
}

function jsonHint(value: JsonValue): string | undefined {
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return undefined
  return 'write it as JSON, without quotes around it: { "…": … }'
}

function numberHint(text: string, key: string | number | undefined): string | undefined {
  if (text.includes("{{"))
    return `a number can't be a placeholder; to repeat by a value, use a loop with "mode": "forEach" and "source": a path to an array`
  const isMs = typeof key === "string" && key.endsWith("Ms")
  const meant = meantNumber(text, isMs ? "ms" : undefined)
  if (meant === undefined) return undefined
  return isMs ? hints.milliseconds(meant) : hints.bareNumber(meant)
}

const isShortScalar = (value: JsonValue): value is number | bigint | boolean =>
  (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") &&
  String(value).length <= MAX_SHOWN
