// Converts stack traces of compiled code to positions in the source. The source map is at the end of the code, where a
// debugger finds it, too.

import { getOrCreate } from "@callsheet/format"
import { SourceMap, type SourceMapPayload } from "node:module"

const marker = "//# sourceMappingURL=data:application/json;charset=utf-8;base64,"

function readMap(code: string): SourceMap {
  const text = Buffer.from(code.slice(code.lastIndexOf(marker) + marker.length), "base64").toString()
  return new SourceMap(JSON.parse(text) as SourceMapPayload)
}

/** Makes stack traces show positions in the source. `codeOf` returns the code of a compiled file. */
export function mapStacks(codeOf: (file: string) => string | undefined): void {
  const maps = new Map<string, SourceMap>()
  const mapFor = (file: string): SourceMap | undefined => {
    const code = codeOf(file)
    return code === undefined ? undefined : getOrCreate(maps, code, readMap)
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
