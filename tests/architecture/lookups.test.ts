// Objects without a `Map`'s protection aren't look-up tables for text from outside: `ownOf` and `setOwn` read and set names
// that aren't known when the code is compiled.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { readLookups } from "./read-lookups.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Marks a line whose name comes from the object's own keys, and where a call would be slow or not be possible. */
const marker = "// own key"
const MAX_MARKED = 8

const isSource = (path: string): boolean =>
  path.startsWith(join(root, "packages/")) &&
  !/node_modules|\/dist\/|\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(path)

const found = ["tsconfig.json", "packages/web/tsconfig.json"].flatMap((config) =>
  readLookups(join(root, config), isSource),
)

describe("a name that is not known when code is compiled", () => {
  it("reads and sets properties only through ownOf and setOwn", () => {
    const unmarked = found.filter(({ text }) => !text.endsWith(marker))
    const lines = unmarked.map(({ file, line, text }) => `${relative(root, file)}:${line}: ${text}`)
    expect([...new Set(lines)], "use ownOf, setOwn or a Map").toEqual([])
  })

  it("is marked as an object's own in few places", () => {
    const marked = found.filter(({ text }) => text.endsWith(marker))
    const lines = new Set(marked.map(({ file, line }) => `${relative(root, file)}:${line}`))
    expect(lines.size, [...lines].join("\n")).toBeGreaterThan(0)
    expect(lines.size, [...lines].join("\n")).toBeLessThanOrEqual(MAX_MARKED)
  })

  it("is found in every way to read and set a property", () => {
    const cases = [
      "table[text]",
      "table[text] = 1",
      "table[text] ??= 1",
      "nested?.[text]",
      'table[text as "a"]',
      "table[text.toLowerCase()]",
      "table[`${text}`]",
      "table[either]",
      '({ a: 1 })[text as "a"]',
      "text in table",
      "const { [text]: read } = table",
      "ofText(text)",
    ]
    const fine = [
      'table["a"]',
      "delete table[text]",
      "list[0]",
      "list[index]",
      "known[kind]",
      "ownKey(known, kind)",
    ]
    const folder = mkdtempSync(join(tmpdir(), "callsheet-lookups-"))
    try {
      const head = [
        "declare const table: Record<string, number>, nested: Record<string, number> | undefined, list: number[]",
        'declare const text: string, either: string | number, index: number, kind: "a" | "b"',
        'declare const known: Record<"a" | "b", number>',
        "const ofText = <K extends string>(key: K) => table[key]",
        "const ownKey = <T extends object>(of: T, key: keyof T) => of[key]",
      ]
      const lines = [...head, ...[...cases, ...fine].map((one) => `{ ${one} }`)]
      writeFileSync(join(folder, "a.ts"), lines.join("\n"))
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] }, files: ["a.ts"] }),
      )
      const seen = readLookups(join(folder, "tsconfig.json"), (path) => path.endsWith("/a.ts"))
      expect(seen.map(({ text }) => text)).toEqual([
        head[3],
        ...cases.filter((one) => !one.startsWith("ofText")).map((one) => `{ ${one} }`),
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
