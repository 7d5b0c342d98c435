import * as fs from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import type { RunEvent } from "@callsheet/format"
import { KeptEvents, KeptText } from "./kept-text.ts"

/** Text that doesn't compress: 8 MiB in lines of 64 KiB. */
function fill(kept: KeptText): string {
  let text = ""
  let state = 1
  for (let line = 0; line < 128; line++) {
    let part = ""
    while (part.length < 64 * 1024) part += (state = (state * 48_271) % 2_147_483_647).toString(36)
    kept.add(`${part}\n`, line)
    text += `${part}\n`
  }
  return text
}

const wholeText = (kept: KeptText): string => [...kept].map(({ text }) => text).join("")

it.runIf(fs.existsSync("/proc/self/fd"))("keeps long text in an unlinked file", () => {
  const before = unnamed().length
  const kept = new KeptText()
  const text = fill(kept)
  const files = unnamed().map((name) => fs.fstatSync(Number(name)))
  expect(files).toHaveLength(before + 1)
  expect(files.every(({ mode, nlink }) => mode === 0o100600 && nlink === 0)).toBe(true)
  expect(Math.max(...files.map(({ size }) => size))).toBeGreaterThan(3 * 1024 * 1024)
  expect(wholeText(kept)).toBe(text)
})

it("keeps little of a long text in memory", () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const bytes = (): number => {
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = bytes()
  const kept = new KeptText()
  const { length } = fill(kept)
  expect(bytes() - before).toBeLessThan(2 * 1024 * 1024)
  expect(wholeText(kept)).toHaveLength(length)
})

/** The open files of this process that no directory contains. */
const unnamed = (): readonly string[] =>
  fs.readdirSync("/proc/self/fd").filter((name) => {
    try {
      return /callsheet-.*\(deleted\)$/.test(fs.readlinkSync(`/proc/self/fd/${name}`))
    } catch {
      return false
    }
  })

it("moves the text of another one to its own end, and reads it as often as needed", () => {
  const [kept, other] = [new KeptText(), new KeptText()]
  kept.add("first\n", 3)
  const text = fill(other)
  other.add("last\n", 7)
  kept.take(other)
  kept.add("end\n", 8)
  for (let time = 0; time < 2; time++) expect(wholeText(kept)).toBe(`first\n${text}last\nend\n`)
  expect([...kept].map(({ learned }) => learned).slice(0, 3)).toEqual([3, 0, 1])
})

it("keeps events with all digits of big integers", () => {
  const event: RunEvent = { type: "outputs.made", run: 0, block: 1, outputs: { id: 9007199254740993n } }
  const kept = new KeptEvents()
  kept.add(event, 2)
  expect([...kept]).toEqual([{ event, learned: 2 }])
})
