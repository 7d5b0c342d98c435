// Checks that nobody else can write to the cache, because cached scripts are executed.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { createCompileCache } from "./child/compile-cache.ts"

describe.skipIf(process.platform === "win32")("the cache of compiled scripts", () => {
  it("reads back what only its user can write, and nothing that others can", () => {
    const folder = mkdtempSync(join(tmpdir(), "callsheet-cache-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const cache = createCompileCache(folder)
    cache.write("/a.ts", {
      source: "1",
      code: "1",
      module: { exports: [], complete: true, values: {}, imports: [], lazyImports: [], io: [] },
    })
    expect(cache.read("/a.ts", "1")).toMatchObject({ code: "1" })
    const [name = ""] = readdirSync(folder)
    for (const mode of [0o620, 0o602, 0o666]) {
      chmodSync(join(folder, name), mode)
      expect(cache.read("/a.ts", "1")).toBeUndefined()
    }
    chmodSync(join(folder, name), 0o600)
    expect(cache.read("/a.ts", "1")).toMatchObject({ code: "1" })
  })
})
