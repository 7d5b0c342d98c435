import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createSpool } from "./spool.ts"

it("returns what was written, even beyond a buffer, and never leaves a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-spool-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const spool = createSpool(folder)
  const text = "ä€😀".repeat(50_000)
  spool.write("first ")
  spool.write(text)
  expect(readdirSync(folder)).toEqual([])
  const pieces = [...(spool.read() ?? [])]
  expect([pieces.length > 1, pieces.join("") === `first ${text}`]).toEqual([true, true])
  expect(readdirSync(folder)).toEqual([])
})

it("is empty if nothing was written, and reports where it could not write", () => {
  expect([...(createSpool().read() ?? ["none"])]).toEqual([])
  const broken = createSpool("/nowhere/at/all")
  broken.write("text")
  expect(broken.read()).toBeUndefined()
})
