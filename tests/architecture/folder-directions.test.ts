// Checks that the folders of a package import each other in one direction only.

import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { PackageName } from "./import-rules.ts"
import { readUses } from "./read-imports.ts"

/**
 * The folders below `src/`, lowest first. A folder imports only from the rows above its own. `.` means the files in
 * `src/` itself. Add a package here once its folders import in one direction.
 */
const folderRows: { readonly [P in PackageName]?: readonly (readonly string[])[] } = {
  openapi: [
    ["document"],
    ["schema"],
    ["content"],
    ["request", "response", "samples", "standard", "compare"],
    ["resources"],
    ["probes"],
    ["."],
  ],
  web: [
    ["styles"],
    ["connection"],
    ["ui"],
    ["routes"],
    ["files"],
    ["search"],
    ["blocks"],
    ["environments", "scripts"],
    ["forms"],
    ["kinds"],
    ["runs"],
    ["requests"],
    ["workflow"],
    ["shell"],
    ["."],
  ],
}

interface FolderImport {
  readonly from: string
  readonly to: string
  readonly place: string
}

describe.each(Object.entries(folderRows))("the folders of %s", (name, rows) => {
  const imports = importsBetweenFolders(name)

  it("all have a row", () => {
    const folders = new Set(imports.flatMap(({ from, to }) => [topOf(from), topOf(to)]))
    expect([...folders].sort()).toEqual(rows.flat().sort())
  })

  it("import only from the rows before their own, including types", () => {
    const rowOf = (folder: string): number => rows.findIndex((row) => row.includes(topOf(folder)))
    const wrong = imports.filter(({ from, to }) => topOf(from) !== topOf(to) && rowOf(to) >= rowOf(from))
    expect(wrong.map(({ place, to }) => `${place} imports from ${to}/`)).toEqual([])
  })

  it("form no cycle, including nested folders", () => {
    expect(findCycle(imports)).toBeUndefined()
  })
})

/** `schema` for `schema/types`. */
const topOf = (folder: string): string => folder.split("/", 1)[0] ?? folder

/** Every import of a package from one of its folders to another, except in tests. */
function importsBetweenFolders(name: string): readonly FolderImport[] {
  const root = fileURLToPath(new URL(`../../packages/${name}/src/`, import.meta.url))
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)testing\//.test(file))
    .flatMap((file) => {
      const from = posix.dirname(file)
      return readUses(file, readFileSync(root + file, "utf8"))
        .imports.filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier, line }) => ({
          from,
          to: posix.dirname(posix.join(from, specifier)),
          place: `packages/${name}/src/${file}:${line}`,
        }))
    })
    .filter(({ from, to }) => from !== to)
}

/** The imports that lead from a folder back to itself. */
function findCycle(imports: readonly FolderImport[]): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (folder: string, trail: readonly FolderImport[]): readonly string[] | undefined => {
    const start = trail.findIndex(({ from }) => from === folder)
    if (start !== -1) return trail.slice(start).map(({ place, to }) => `${place} imports from ${to}/`)
    if (done.has(folder)) return undefined
    for (const next of imports.filter(({ from }) => from === folder)) {
      const cycle = visit(next.to, [...trail, next])
      if (cycle !== undefined) return cycle
    }
    done.add(folder)
    return undefined
  }
  for (const { from } of imports) {
    const cycle = visit(from, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
