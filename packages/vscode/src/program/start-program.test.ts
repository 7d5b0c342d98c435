import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { LineReader } from "./line-reader.ts"
import { readProgram, startProgram } from "./start-program.ts"

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "callsheet-test-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function program(code: string) {
  const entry = join(root, "program.cjs")
  writeFileSync(entry, code)
  return { entry, version: "0.1.0", isBundled: false }
}

describe("a program", () => {
  it("gets its words as they are, in its directory", async () => {
    const print = program("console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))")
    const words = ["a b", "$(touch x)", "--x=;", '"', "*"]
    const { output, exitCode } = await readProgram(print, { words, root })
    expect([JSON.parse(output), exitCode]).toEqual([[root, ...words], 0])
  })

  it("ends when it is interrupted", async () => {
    const waits = program(
      "setInterval(() => 0, 1000); process.on('SIGINT', () => process.exit(130)); console.log('up')",
    )
    const stop = new AbortController()
    const call = { words: [], root, signal: stop.signal, onLine: () => stop.abort() }
    expect(await startProgram(waits, call)).toMatchObject({ exitCode: 130 })
  })

  it("passes its errors on", async () => {
    const lines: string[] = []
    const fails = program("console.error('one\\ntwo'); process.exitCode = 2")
    const onErrorLine = (line: string): void => void lines.push(line)
    expect(await startProgram(fails, { words: [], root, onErrorLine })).toEqual({
      exitCode: 2,
      errors: "one\ntwo\n",
    })
    expect(lines).toEqual(["one", "two"])
  })
})

describe("lines", () => {
  it("are whole, however the text is split", () => {
    const lines: string[] = []
    const reader = new LineReader((line) => lines.push(line))
    for (const part of ["a", "b\r\nc", "", "\n\nd"]) reader.add(part)
    reader.end()
    expect(lines).toEqual(["ab", "c", "", "d"])
  })
})
