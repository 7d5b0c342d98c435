import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { writeCacheEntry } from "./cache-folder.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callsheet-cache-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("a cache entry", () => {
  it("is in a directory of its user and replaces the previous one", () => {
    const file = join(folder, "new", "entry")
    writeCacheEntry(file, "old")
    writeCacheEntry(file, new TextEncoder().encode("new"))
    expect(readFileSync(file, "utf8")).toBe("new")
    expect(readdirSync(join(folder, "new"))).toEqual(["entry"])
    if (process.platform === "win32") return
    expect([statSync(join(folder, "new")), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([
      0o700, 0o600,
    ])
  })

  it("leaves nothing behind if it can't be moved into place, and doesn't fail", () => {
    mkdirSync(join(folder, "entry"))
    writeCacheEntry(join(folder, "entry"), "content")
    expect(readdirSync(folder)).toEqual(["entry"])
    writeFileSync(join(folder, "file"), "")
    writeCacheEntry(join(folder, "file", "entry"), "content")
    expect(readdirSync(folder)).toEqual(["entry", "file"])
  })
})
