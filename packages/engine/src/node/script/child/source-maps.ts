// Uses the source maps of compiled code: prepares them for a debugger, and converts stack traces to positions in the
// source.

import { SourceMap, type SourceMapPayload } from "node:module"
import { pathToFileURL } from "node:url"
import type { CompiledScript } from "./compile-cache.ts"

/** Makes stack traces show positions in the source. `mapOf` returns the source map of a compiled file as JSON text. */
export function mapStacks(mapOf: (file: string) => string | undefined): void {
  const maps = new Map<string, { readonly text: string; readonly map: SourceMap }>()
  const mapFor = (file: string): SourceMap | undefined => {
    const text = mapOf(file)
    if (text === undefined) return undefined
    let kept = maps.get(file)
    if (kept?.text !== text) {
      kept = { text, map: new SourceMap(JSON.parse(text) as SourceMapPayload) }
      maps.set(file, kept)
    }
    return kept.map
  }
  Error.prepareStackTrace = (error, sites) =>
    [titleOf(error), ...sites.map((site) => `    at ${siteText(site, mapFor)}`)].join("\n")
}

function siteText(site: NodeJS.CallSite, mapFor: (file: string) => SourceMap | undefined): string {
  const text = (site as { toString(): string }).toString()
  const file = site.getFileName()
  const line = site.getLineNumber()
  const column = site.getColumnNumber()
  if (file === null || file === undefined || line === null || column === null) return text
  const map = mapFor(file)
  const entry = map?.findEntry(line - 1, column - 1)
  if (entry === undefined || !("originalLine" in entry) || entry.originalLine === undefined) return text
  const source = map?.payload.sourcesContent?.[0]?.split("\n")[entry.originalLine] ?? ""
  const position = `:${entry.originalLine + 1}:${calledAt(source, entry.originalColumn) + 1}`
  return text.replace(`:${line}:${column}`, position)
}

/** Returns the column of the name in a call. For imported functions, the compiled position is after the name. */
function calledAt(source: string, column: number): number {
  if (source[column] !== "(" && source[column] !== "<") return column
  const [name] = /[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.exec(source.slice(0, column)) ?? [""]
  return column - name.length
}

function titleOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return "Error"
  }
}

/**
 * Adds an inline source map that matches the code as it runs. `offset` is the number of characters before the code on
 * its first line.
 */
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

/** Shifts the columns of the first line. Only the first number changes, because the others are relative to it. */
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
