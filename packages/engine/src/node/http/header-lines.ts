// Converts header lines on the wire to the engine's header records, and back.

import { ownOf, setOwn, type Headers } from "@callsheet/format"

/**
 * Converts alternating names and values to a record with lowercase names. Joins repeated headers with `, ` (`cookie`
 * with `; `). `set-cookie` becomes an array.
 */
export function readHeaderLines(lines: readonly string[]): Headers {
  const headers: Record<string, string | string[]> = {}
  let name: string | undefined
  for (const line of lines) {
    if (name === undefined) name = line.toLowerCase()
    else {
      addHeader(headers, name, line)
      name = undefined
    }
  }
  return headers
}

function addHeader(headers: Record<string, string | string[]>, name: string, value: string): void {
  if (name === "__proto__") return defineProto(headers, value)
  const earlier = ownOf(headers, name)
  if (typeof earlier === "string") setOwn(headers, name, earlier + (name === "cookie" ? "; " : ", ") + value)
  else if (Array.isArray(earlier)) earlier.push(value)
  else setOwn(headers, name, name === "set-cookie" ? [value] : value)
}

export function headerText(headers: Headers, name: string): string | undefined {
  const value = ownOf(headers, name)
  return typeof value === "string" ? value : undefined
}

// A plain assignment to `__proto__` would change the prototype.
function defineProto(headers: Record<string, unknown>, value: string): void {
  const earlier = Object.hasOwn(headers, "__proto__") ? `${String(headers["__proto__"])}, ` : ""
  Object.defineProperty(headers, "__proto__", {
    value: earlier + value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
