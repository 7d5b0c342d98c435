// Prepares compiled code for a debugger: adds an inline source map whose positions match the code as it is run.

import { pathToFileURL } from "node:url"
import type { CompiledScript } from "./compile-cache.ts"

/** Adds a source map. `offset` is the number of characters before the code on its first line at run time. */
export function debuggable(file: string, script: CompiledScript, offset: number): CompiledScript {
  if (script.map === undefined) return script
  const map = JSON.parse(script.map) as { mappings: string }
  const text = JSON.stringify({
    ...map,
    mappings: moveFirstLine(map.mappings, offset),
    sources: [pathToFileURL(file).href],
    sourcesContent: [script.source],
  })
  const inline = Buffer.from(text).toString("base64")
  return {
    ...script,
    map: text,
    code: `${script.code}\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${inline}`,
  }
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Shifts the columns of the first line. Only its first number changes, because the others are relative to it. */
function moveFirstLine(mappings: string, offset: number): string {
  const [number] = /^[A-Za-z0-9+/]+/.exec(mappings) ?? []
  if (number === undefined) return mappings
  const { value, length } = readNumber(number)
  return writeNumber(value + offset) + mappings.slice(length)
}

/** Reads a base64 VLQ number: five bits per digit, lowest bits first. The first column is never negative. */
function readNumber(text: string): { readonly value: number; readonly length: number } {
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const digit = digits.indexOf(text.charAt(at))
    value += (digit & 31) * 32 ** at
    if (digit < 32) return { value: Math.floor(value / 2), length: at + 1 }
  }
  return { value: 0, length: 0 }
}

function writeNumber(value: number): string {
  let left = value * 2
  let text = ""
  do {
    const rest = Math.floor(left / 32)
    text += digits[(left % 32) + (rest > 0 ? 32 : 0)]
    left = rest
  } while (left > 0)
  return text
}
