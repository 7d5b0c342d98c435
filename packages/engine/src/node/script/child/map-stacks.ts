// Maps stack traces to lines and columns of the source, both for scripts and for our own messages.

import { SourceMap, type SourceMapPayload } from "node:module"

/** Installs the hook. `mapOf` returns the source map of a compiled file, as JSON text. */
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

/** Returns the column of a call's name. For imported functions, the compiled position is after the name. */
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
