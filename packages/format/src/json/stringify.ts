// JSON value -> text. Big integers are written digit for digit, and nesting has no bound.

import type { JsonValue } from "./value.ts"

export interface StringifyOptions {
  /** Blanks for each level, 0 (the default) for one line. From level 100 on the indentation grows no more. */
  readonly indent?: number
}

/**
 * The JSON text of a value, as `JSON.stringify` writes it where it can. Throws a TypeError where the value holds itself.
 * An object may also be one of ours, such as a report: all its members are JSON.
 *
 *     stringifyJson({ id: 9007199254740993n })   // '{"id":9007199254740993}'
 */
export function stringifyJson(value: JsonValue | object, { indent = 0 }: StringifyOptions = {}): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // A bigint is a TypeError, a value nested deeper than the stack a RangeError; both are values of ours.
    if (error instanceof TypeError || error instanceof RangeError)
      return new JsonWriter(indent).write(value as JsonValue)
    throw error
  }
}

type Open =
  | { readonly array: readonly JsonValue[]; next: number }
  | { readonly object: Readonly<Record<string, JsonValue>>; readonly keys: readonly string[]; next: number }

const MAX_INDENTED_LEVELS = 100

class JsonWriter {
  readonly #indent: number
  readonly #open: Open[] = []
  /** What stands in `#open`: a value that holds itself would be written for ever. */
  readonly #around = new Set<object>()
  #text = ""

  constructor(indent: number) {
    this.#indent = Math.min(indent, 10)
  }

  write(value: JsonValue): string {
    this.#value(value)
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) this.#step(top)
    return this.#text
  }

  /** Writes the next member of a container, or its end. */
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
    if (top.next > 0) this.#text += ","
    this.#line()
    if (isArray) this.#value(top.array[top.next++]!)
    else {
      const key = top.keys[top.next++]!
      this.#text += `${JSON.stringify(key)}:${this.#indent > 0 ? " " : ""}`
      this.#value(top.object[key]!)
    }
  }

  #value(value: JsonValue): void {
    if (typeof value === "bigint") this.#text += value.toString()
    else if (typeof value !== "object" || value === null) this.#text += JSON.stringify(value)
    else this.#container(value)
  }

  #container(value: object): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.#text += "[]"
      else {
        this.#text += "["
        this.#push({ array: value as readonly JsonValue[], next: 0 }, value)
      }
      return
    }
    const object = value as Readonly<Record<string, JsonValue>>
    const keys = Object.keys(object).filter((key) => object[key] !== undefined)
    if (keys.length === 0) this.#text += "{}"
    else {
      this.#text += "{"
      this.#push({ object, keys, next: 0 }, object)
    }
  }

  #push(open: Open, container: object): void {
    if (this.#around.has(container)) throw new TypeError("a value that holds itself is no JSON")
    this.#around.add(container)
    this.#open.push(open)
  }

  #line(): void {
    if (this.#indent === 0) return
    this.#text += `\n${" ".repeat(this.#indent * Math.min(this.#open.length, MAX_INDENTED_LEVELS))}`
  }
}
