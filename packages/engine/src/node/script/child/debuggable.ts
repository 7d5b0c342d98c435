// Compiled code as a debugger wants it: with its source map inside, and every position where the map says that it is.

import { pathToFileURL } from "node:url"
import type { CompiledScript } from "./compile-cache.ts"

/** `offset`: how many characters come before the code on its first line when it is run. */
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

/** Columns of generated code count from the one before: on the first line, from the first of them. */
function moveFirstLine(mappings: string, offset: number): string {
  const [number] = /^[A-Za-z0-9+/]+/.exec(mappings) ?? []
  if (number === undefined) return mappings
  const { value, length } = readNumber(number)
  return writeNumber(value + offset) + mappings.slice(length)
}

/** A number in base 64 VLQ, five bits to a digit, the lowest first. That of a first column is never negative. */
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
