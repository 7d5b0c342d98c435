// Checks the source map that a debugger gets for code after a wrapper.

import { SourceMap, type SourceMapPayload } from "node:module"
import { describe, expect, it } from "vitest"
import { debuggable } from "./source-maps.ts"

const script = {
  source: "a\nb",
  code: "A B\nC",
  module: { exports: [], complete: true, values: {}, imports: [], lazyImports: [], io: [] },
}
const positionsOf = (text: string | undefined) => {
  const map = new SourceMap(JSON.parse(text ?? "") as SourceMapPayload)
  return (line: number, column: number) => {
    const entry = map.findEntry(line, column)
    return "originalLine" in entry ? [entry.originalLine, entry.originalColumn] : undefined
  }
}

describe("debuggable code", () => {
  it.each([0, 1, 15, 16, 99, 5_000])("is mapped with %d characters before its first line", (offset) => {
    // On the first line of the source, A is at 0:0 and B at 1:0. On the second line of the code, C is at 0:0.
    const map = JSON.stringify({ version: 3, names: [], sources: ["x.ts"], mappings: "AAAA,EACA;AADA" })
    const { map: moved, code } = debuggable("/project/x.ts", { ...script, map }, offset)
    const position = positionsOf(moved)
    expect([position(0, offset), position(0, offset + 2), position(1, 0)]).toEqual([
      [0, 0],
      [1, 0],
      [0, 0],
    ])
    expect(code.startsWith("A B\nC\n//# sourceMappingURL=data:application/json;")).toBe(true)
  })

  it("keeps a map whose first line is empty, and code without a map", () => {
    const map = JSON.stringify({ version: 3, names: [], sources: ["x.ts"], mappings: ";AACA" })
    expect(positionsOf(debuggable("/project/x.ts", { ...script, map }, 50).map)(1, 0)).toEqual([1, 0])
    expect(debuggable("/project/x.ts", script, 50)).toBe(script)
  })
})
