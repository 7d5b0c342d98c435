// The start of a value as JSON, so that a large body doesn't block the page.

import { ownOf, stringifyJson, type JsonValue } from "@callsheet/format"

interface Open {
  readonly keys: readonly string[] | undefined
  readonly value: Readonly<Record<string, JsonValue>> | readonly JsonValue[]
  next: number
}

/**
 * Returns the first `length` characters of `JSON.stringify`, with two spaces per level if `isIndented`. Iterative,
 * because values nest without limit.
 */
export function jsonPrefix(value: JsonValue, length: number, isIndented = false): string {
  const open: Open[] = []
  let text = ""
  const newLine = (): string => (isIndented ? `\n${"  ".repeat(open.length)}` : "")
  const put = (item: JsonValue): void => {
    if (typeof item !== "object" || item === null) text += stringifyJson(item)
    else if (Array.isArray(item)) {
      text += "["
      open.push({ keys: undefined, value: item, next: 0 })
    } else {
      text += "{"
      open.push({ keys: Object.keys(item), value: item, next: 0 })
    }
  }
  put(value)
  for (let top = open.at(-1); top !== undefined && text.length < length; top = open.at(-1)) {
    const { keys, value: of } = top
    const at = top.next++
    const key = keys === undefined ? at : keys[at]
    const isOver = keys === undefined ? at >= (of as readonly JsonValue[]).length : key === undefined
    if (isOver || key === undefined) {
      open.pop()
      if (at > 0) text += newLine()
      text += keys === undefined ? "]" : "}"
      continue
    }
    if (at > 0) text += ","
    text += newLine()
    if (typeof key === "string") text += `${JSON.stringify(key)}:${isIndented ? " " : ""}`
    put(ownOf(of as Readonly<Record<string | number, JsonValue>>, key) ?? null)
  }
  return text.slice(0, length)
}
