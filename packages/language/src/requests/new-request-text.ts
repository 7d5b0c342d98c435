// The text of a new saved request.

import { savedRequestShape, setJsonAt, type JsonObject } from "@callsheet/format"

/** Uses the layout of the files that `callsheet init` writes. */
export function newRequestText(content: JsonObject): string {
  const edited = setJsonAt("{}\n", ["version"], 1)
  let text = edited.ok ? edited.text : "{}\n"
  for (const [key, value] of Object.entries(content)) {
    const next = setJsonAt(text, [key], value, savedRequestShape)
    if (next.ok) text = next.text
  }
  return text
}
