import * as fs from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import { gunzipSync } from "node:zlib"
import { stringifyJson, type JsonValue, type RunEvent } from "@callsheet/format"
import { EventSpool } from "./event-spool.ts"
import { TextSpool } from "./text-spool.ts"

/** Text that doesn't compress: 8 MiB in lines of 64 KiB. */
function fill(kept: TextSpool): string {
  let text = ""
  let state = 1
  for (let line = 0; line < 128; line++) {
    let part = ""
    while (part.length < 64 * 1024) part += (state = (state * 48_271) % 2_147_483_647).toString(36)
    kept.add(`${part}\n`)
    text += `${part}\n`
  }
  return text
}

const wholeText = (kept: TextSpool): string => [...kept].join("")

it.runIf(fs.existsSync("/proc/self/fd"))("keeps long text in an unlinked file", () => {
  const before = unnamed().length
  const kept = new TextSpool()
  const text = fill(kept)
  const files = unnamed().map((name) => fs.fstatSync(Number(name)))
  expect(files).toHaveLength(before + 1)
  expect(files.every(({ mode, nlink }) => mode === 0o100600 && nlink === 0)).toBe(true)
  expect(Math.max(...files.map(({ size }) => size))).toBeGreaterThan(3 * 1024 * 1024)
  expect(wholeText(kept)).toBe(text)
})

it("keeps little of a long text in memory", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  const bytes = (): number => {
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = bytes()
  const kept = new TextSpool()
  const { length } = fill(kept)
  // Buffers of earlier tests may be freed late.
  await expect.poll(() => bytes() - before, { timeout: 10_000 }).toBeLessThan(3 * 1024 * 1024)
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
  const [kept, other] = [new TextSpool(), new TextSpool()]
  kept.add("first\n")
  const text = fill(other)
  other.add("last\n")
  kept.add(other)
  kept.add("end\n")
  for (let time = 0; time < 2; time++) expect(wholeText(kept)).toBe(`first\n${text}last\nend\n`)
})

const received = (body: JsonValue): RunEvent => ({
  type: "response.received",
  run: 0,
  block: 1,
  response: { status: 200, durationMs: 1.5, sizeBytes: 10, body },
})

it("keeps events with all digits of big integers, and a large body once", () => {
  const event: RunEvent = { type: "outputs.made", run: 0, block: 1, outputs: { id: 9007199254740993n } }
  const large = received({ text: "x".repeat(5000) })
  const all = [event, large, received('},"",{\n\u2028'), large]
  const kept = new EventSpool()
  for (const one of all) kept.push(one)
  expect([...kept]).toEqual(all)
  const lines = Buffer.concat([...kept.members(0)].map((member) => gunzipSync(member))).toString()
  expect(lines.split("x".repeat(5000))).toHaveLength(2)
})

it("keeps a body that nests too deeply for the stack", () => {
  const depth = 20_000
  const nested = JSON.parse("[".repeat(depth) + "]".repeat(depth)) as JsonValue
  const kept = new EventSpool()
  kept.push(received(nested))
  expect([...kept].map((event) => stringifyJson(event))).toEqual([stringifyJson(received(nested))])
})
