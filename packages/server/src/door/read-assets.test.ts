import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readAssets } from "./read-assets.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callsheet-page-"))
  mkdirSync(join(folder, "assets"))
  writeFileSync(join(folder, "index.html"), "<!doctype html>")
  writeFileSync(join(folder, "assets", "page-abc.js"), "x".repeat(1_000))
  writeFileSync(join(folder, "assets", "page-abc.js.map"), "{}")
  writeFileSync(join(folder, "assets", "font.woff2"), "x".repeat(1_000))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("readAssets", () => {
  it("has one path for each file of the page, and / for the page itself", async () => {
    const assets = readAssets(folder)
    expect(Object.fromEntries([...assets].map(([path, { type }]) => [path, type]))).toEqual({
      "/": "text/html; charset=utf-8",
      "/assets/font.woff2": "font/woff2",
      "/assets/page-abc.js": "text/javascript; charset=utf-8",
    })
    expect(assets.get("/")?.bytes.toString()).toBe("<!doctype html>")
  })

  it("compresses once, and only what gets smaller", async () => {
    const assets = readAssets(folder)
    const script = assets.get("/assets/page-abc.js")
    const zipped = await script?.gzipped()
    expect(gunzipSync(zipped ?? "").toString()).toBe("x".repeat(1_000))
    expect(await script?.gzipped()).toBe(zipped)
    expect(await assets.get("/assets/font.woff2")?.gzipped()).toBeUndefined()
    expect(await assets.get("/")?.gzipped()).toBeUndefined()
  })

  it("follows no link, and doesn't change later", async () => {
    symlinkSync("/etc/hostname", join(folder, "link.txt"))
    symlinkSync("/etc", join(folder, "etc.js"))
    const assets = readAssets(folder)
    writeFileSync(join(folder, "late.js"), "late")
    writeFileSync(join(folder, "index.html"), "changed")
    expect([...assets.keys()].sort()).toEqual(["/", "/assets/font.woff2", "/assets/page-abc.js"])
    expect(assets.get("/")?.bytes.toString()).toBe("<!doctype html>")
  })
})
