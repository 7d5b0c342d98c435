// JSON as lines that can be shown one by one, each with the pointer of the value that it begins.

import type { JsonValue } from "@callsheet/format"

export interface JsonLine {
  /** `/items/0/price`, and "" of the whole; absent where a bracket closes. */
  readonly pointer?: string
  readonly indent: number
  readonly key?: string
  readonly text: string
  readonly kind: "string" | "number" | "literal" | "bracket"
}

interface Open {
  readonly pointer: string
  readonly entries: readonly (readonly [string, JsonValue])[]
  readonly isArray: boolean
  /** Whether something follows behind its end. */
  readonly comma: string
  next: number
}

/** More lines than anybody scrolls through. */
export const mostLines = 200_000

/** Strings longer than a line are cut: the raw body has them whole. */
const longestText = 1000

export function jsonLines(value: JsonValue): readonly JsonLine[] {
  const lines: JsonLine[] = []
  const open: Open[] = []
  const put = (at: Omit<JsonLine, "text" | "kind" | "indent">, item: JsonValue, comma: string): void => {
    const entries = entriesOf(item)
    const line = { ...at, indent: open.length }
    if (entries === undefined) lines.push({ ...line, ...scalar(item, comma) })
    else if (entries.length === 0)
      lines.push({ ...line, text: `${Array.isArray(item) ? "[]" : "{}"}${comma}`, kind: "bracket" })
    else {
      lines.push({ ...line, text: Array.isArray(item) ? "[" : "{", kind: "bracket" })
      open.push({ pointer: at.pointer ?? "", entries, isArray: Array.isArray(item), comma, next: 0 })
    }
  }
  put({ pointer: "" }, value, "")
  for (let top = open.at(-1); top !== undefined && lines.length < mostLines; top = open.at(-1)) {
    const entry = top.entries[top.next++]
    if (entry === undefined) {
      open.pop()
      lines.push({ indent: open.length, text: `${top.isArray ? "]" : "}"}${top.comma}`, kind: "bracket" })
      continue
    }
    const [key, item] = entry
    const pointer = `${top.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    put(top.isArray ? { pointer } : { pointer, key }, item, top.next < top.entries.length ? "," : "")
  }
  return lines
}

function entriesOf(item: JsonValue): readonly (readonly [string, JsonValue])[] | undefined {
  return typeof item === "object" && item !== null
    ? Object.entries(item as Record<string, JsonValue>)
    : undefined
}

function scalar(item: JsonValue, comma: string): Pick<JsonLine, "text" | "kind"> {
  if (typeof item !== "string")
    return { text: `${JSON.stringify(item)}${comma}`, kind: typeof item === "number" ? "number" : "literal" }
  const cut =
    item.length > longestText ? `${item.slice(0, longestText).replace(/[\ud800-\udbff]$/, "")}…` : item
  return { text: `${JSON.stringify(cut)}${comma}`, kind: "string" }
}
