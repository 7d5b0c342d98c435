// Writes the items of a stream as text, for what needs the text of a body but only has its items.

import { stringifyJson, toText } from "../json/stringify.ts"
import { isJsonObject, ownOf, type JsonValue } from "../json/value.ts"
import type { StreamFormat } from "./stream-format.ts"

/** Returns a text with these items. It may differ from what the server sent in whitespace and comments. */
export const streamText = (format: StreamFormat, items: readonly JsonValue[]): string =>
  items.map(writers[format]).join("")

const writers: { readonly [F in StreamFormat]: (item: JsonValue) => string } = {
  events: eventText,
  lines: (item) => `${stringifyJson(item)}\n`,
  sequence: (item) => `\u001e${stringifyJson(item)}\n`,
}

function eventText(item: JsonValue): string {
  if (!isJsonObject(item)) return ""
  const data = ownOf(item, "data") ?? ""
  const fields = ["event", "id"].flatMap((name) => {
    const value = ownOf(item, name)
    return value === undefined ? [] : [`${name}: ${toText(value)}`]
  })
  const lines = (typeof data === "string" ? data : stringifyJson(data)).split(/\r\n|\r|\n/)
  return `${[...fields, ...lines.map((line) => `data: ${line}`)].join("\n")}\n\n`
}
