// JSON as lines that can be rendered one by one. Each has the pointer of the value that starts there.

import { isJsonArray, type JsonValue } from "@callsheet/format"

export interface JsonLine {
  /** Such as `/items/0/price`. "" for the root. Absent for a closing bracket. */
  readonly pointer?: string
  readonly indent: number
  readonly key?: string
  readonly text: string
  readonly kind: "string" | "number" | "literal" | "bracket"
}

interface Open {
  readonly pointer: string
  readonly value: JsonValue
  readonly keys: readonly string[] | undefined
  readonly size: number
  /** A comma if another value follows. */
  readonly comma: string
  next: number
}

/** The maximum number of lines. Nobody scrolls further. */
export const MAX_LINES = 200_000

/** The maximum length of a string. The raw body shows it in full. */
const longestText = 1000

/** Returns at most `limit` lines of a value, so that a large one doesn't block the page. */
export function jsonLines(value: JsonValue, limit = MAX_LINES): readonly JsonLine[] {
  const lines: JsonLine[] = []
  const open: Open[] = []
  const put = (at: Omit<JsonLine, "text" | "kind" | "indent">, item: JsonValue, comma: string): void => {
    const line = { ...at, indent: open.length }
    if (typeof item !== "object" || item === null) {
      lines.push({ ...line, ...scalar(item, comma) })
      return
    }
    const keys = isJsonArray(item) ? undefined : Object.keys(item)
    const size = isJsonArray(item) ? item.length : (keys?.length ?? 0)
    const [start, end] = keys === undefined ? "[]" : "{}"
    if (size === 0) lines.push({ ...line, text: `${start}${end}${comma}`, kind: "bracket" })
    else {
      lines.push({ ...line, text: start ?? "", kind: "bracket" })
      open.push({ pointer: at.pointer ?? "", value: item, keys, size, comma, next: 0 })
    }
  }
  put({ pointer: "" }, value, "")
  for (let top = open.at(-1); top !== undefined && lines.length < limit; top = open.at(-1)) {
    const { keys, size } = top
    const index = top.next++
    if (index >= size) {
      open.pop()
      lines.push({
        indent: open.length,
        text: `${keys === undefined ? "]" : "}"}${top.comma}`,
        kind: "bracket",
      })
      continue
    }
    const key = keys?.[index] ?? String(index)
    const pointer = `${top.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    const item = (top.value as Readonly<Record<string, JsonValue>>)[key] ?? null
    put(keys === undefined ? { pointer } : { pointer, key }, item, index + 1 < size ? "," : "")
  }
  return lines
}

function scalar(item: JsonValue, comma: string): Pick<JsonLine, "text" | "kind"> {
  if (typeof item !== "string")
    return { text: `${JSON.stringify(item)}${comma}`, kind: typeof item === "number" ? "number" : "literal" }
  const cut =
    item.length > longestText ? `${item.slice(0, longestText).replace(/[\ud800-\udbff]$/, "")}…` : item
  return { text: `${JSON.stringify(cut)}${comma}`, kind: "string" }
}
