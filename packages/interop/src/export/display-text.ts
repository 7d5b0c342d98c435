// Texts and values as an export may show them: without marks and without secrets.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import type { Exported, Ref } from "./model.ts"

/** Returns the text with placeholders in place of the marks. */
export const displayText = (split: Exported["split"], text: string): string =>
  split(text)
    .map((part) => (typeof part === "string" ? part : `{{${displayText(split, part.path)}}}`))
    .join("")

function displayValue(split: Exported["split"], value: JsonValue): JsonValue {
  if (typeof value === "string") return displayText(split, value)
  if (isJsonArray(value)) return value.map((item) => displayValue(split, item))
  if (!isJsonObject(value)) return value
  // `Marks` has masked the names.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, displayValue(split, item)]))
}

/** Returns the value of a variable or an input. Undefined without a value, and for a secret that stays hidden. */
export function valueOfRef(
  { name, value, isSecret }: Ref,
  { source, split }: Pick<Exported, "source" | "split">,
): JsonValue | undefined {
  if (value === undefined || (isSecret && !source.reveal)) return undefined
  // Requests join the base URL and their path with one slash.
  const own = name === "baseUrl" && typeof value === "string" ? value.replace(/\/+$/, "") : value
  return displayValue(split, own)
}
