// Header lines on the wire and headers as the rest of the engine sees them.

import type { Headers } from "@callsheet/format"

/**
 * Folds raw header lines, names and values in turn, into one record: lower-case names, repeats joined with `, `
 * (`; ` for `cookie`), `set-cookie` an array.
 */
export function readHeaderLines(lines: readonly string[]): Headers {
  const headers: Record<string, string | string[]> = {}
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const name = lines[at]!.toLowerCase()
    const value = lines[at + 1]!
    if (name === "__proto__") {
      defineProto(headers, value)
      continue
    }
    const earlier = headers[name]
    if (typeof earlier === "string") headers[name] = earlier + (name === "cookie" ? "; " : ", ") + value
    else if (Array.isArray(earlier)) earlier.push(value)
    else headers[name] = name === "set-cookie" ? [value] : value
  }
  return headers
}

/** The text of a header that may be missing. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === "string" ? value : undefined
}

// An assignment would change the record's prototype instead.
function defineProto(headers: Record<string, unknown>, value: string): void {
  const earlier = Object.hasOwn(headers, "__proto__") ? `${String(headers["__proto__"])}, ` : ""
  Object.defineProperty(headers, "__proto__", {
    value: earlier + value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
