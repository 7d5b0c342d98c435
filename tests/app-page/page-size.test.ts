// Checks the size of the files that a browser loads to open the page.

import { gzipSync } from "node:zlib"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { describe, expect, it } from "vitest"
import { pageFolder } from "./test-project.ts"

describe("the built page", () => {
  it("is small, and loads the code editor only when it is opened", () => {
    const first = firstFiles()
    const all = readdirSync(pageFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(pageFolder, join(entry.parentPath, entry.name)))
    const [before, later] = [sizeOf(first), sizeOf(all.filter((file) => !first.includes(file)))]
    process.stdout.write(
      `The page: ${before.toFixed(1)} kB compressed, and ${later.toFixed(1)} kB later, with the code editor\n`,
    )
    expect(before).toBeLessThan(260)
    expect(later).toBeGreaterThan(100)
    expect(before + later).toBeLessThan(640)
  })
})

/** Returns the files that a browser loads to open the page: its assets, and their imports. */
function firstFiles(): readonly string[] {
  const page = readFileSync(join(pageFolder, "index.html"), "utf8")
  const files = [
    "index.html",
    ...[...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file ?? ""),
  ]
  for (const file of files) {
    if (!file.endsWith(".js")) continue
    const imports = readFileSync(join(pageFolder, file), "utf8").matchAll(
      /(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g,
    )
    files.push(
      ...[...imports]
        .map(([, name]) => join(dirname(file), name ?? ""))
        .filter((name) => !files.includes(name)),
    )
  }
  return files
}

/** Returns the size in kB, with each file compressed separately. */
const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(pageFolder, file))).length, 0) / 1000
