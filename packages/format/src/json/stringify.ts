// Writes a JSON value as text. Big integers keep their digits, and nesting has no limit.

import type { Style } from "./layout.ts"
import type { JsonValue } from "./value.ts"

/**
 * Writes a value like `JSON.stringify`, with all digits of big integers. `indent` is the number of spaces per level, or 0.
 * Throws a TypeError if the value contains itself.
 */
export function stringifyJson(value: JsonValue | object, { indent = 0 } = {}): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // `JSON.stringify` throws a TypeError for a bigint and a RangeError for deep nesting. The writer below handles both.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    const layout = indent === 0 ? onOneLine : { indent: " ".repeat(Math.min(indent, 10)), colon: ": " }
    return new JsonWriter({ eol: "\n", margin: "", ...layout }, JSON.stringify).write(value as JsonValue)
  }
}

/** Returns a string unchanged and any other value as JSON. */
export const toText = (value: JsonValue): string => (typeof value === "string" ? value : stringifyJson(value))

const onOneLine = { indent: undefined, colon: ":" }

/** Writes a value in a style. Infinity and NaN become text that no JSON parser accepts. */
export const formatValue = (value: JsonValue, style: Style): string =>
  new JsonWriter(style, String).write(value)

type Open =
  | { readonly array: readonly JsonValue[]; next: number }
  | { readonly object: Readonly<Record<string, JsonValue>>; readonly keys: readonly string[]; next: number }

/** The maximum number of indented levels. Without a limit, the output for deep nesting would grow quadratically. */
const MAX_INDENTED_LEVELS = 100

class JsonWriter {
  readonly #style: Style
  readonly #comma: string
  readonly #colon: string
  readonly #notFinite: (value: number) => string
  readonly #open: Open[] = []
  /** The values in `#open`, to detect cycles. */
  readonly #around = new Set<object>()
  #text = ""

  constructor(style: Style, notFinite: (value: number) => string) {
    this.#style = style
    this.#comma = style.indent === undefined && style.colon.endsWith(" ") ? ", " : ","
    this.#colon = style.colon
    this.#notFinite = notFinite
  }

  write(value: JsonValue): string {
    this.#value(value)
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) this.#step(top)
    return this.#text
  }

  #step(top: Open): void {
    const isArray = "array" in top
    const isDone = top.next >= (isArray ? top.array.length : top.keys.length)
    if (isDone) {
      this.#open.pop()
      this.#around.delete(isArray ? top.array : top.object)
      this.#line()
      this.#text += isArray ? "]" : "}"
      return
    }
    if (top.next > 0) this.#text += this.#comma
    this.#line()
    if (isArray) this.#value(top.array[top.next++]!)
    else {
      const key = top.keys[top.next++]!
      this.#text += JSON.stringify(key) + this.#colon
      this.#value(top.object[key]!) // own key
    }
  }

  #value(value: JsonValue): void {
    if (typeof value === "bigint") this.#text += value.toString()
    else if (typeof value === "number")
      this.#text += Number.isFinite(value) ? String(value) : this.#notFinite(value)
    else if (typeof value !== "object" || value === null) this.#text += JSON.stringify(value)
    else this.#container(value)
  }

  #container(value: object): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.#text += "[]"
      else this.#enter("[", { array: value as readonly JsonValue[], next: 0 }, value)
      return
    }
    const object = value as Readonly<Record<string, JsonValue>>
    const keys = Object.keys(object).filter((key) => object[key] !== undefined) // own key
    if (keys.length === 0) this.#text += "{}"
    else this.#enter("{", { object, keys, next: 0 }, object)
  }

  #enter(bracket: string, open: Open, container: object): void {
    if (this.#around.has(container)) throw new TypeError("a value that contains itself can't be JSON")
    this.#around.add(container)
    this.#open.push(open)
    this.#text += bracket
  }

  #line(): void {
    if (this.#style.indent === undefined) return
    const { indent, eol, margin } = this.#style
    this.#text += eol + margin + indent.repeat(Math.min(this.#open.length, MAX_INDENTED_LEVELS))
  }
}
