// Checks that a run sees one state of each of its script files, and that the next run reads them again.

import { readFileSync, realpathSync, rmSync, symlinkSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { fn, transform } from "./testing/faulty-script.ts"
import { useScriptBenches, type ScriptBench } from "./testing/script-bench.ts"

const { open } = useScriptBenches()
let bench: ScriptBench

beforeEach(() => {
  bench = open()
})

/** Writes a script with all kinds of imports. Each file contains `state`. Returns the script. */
function writeAll(state: number): string {
  bench.write("part.ts", `export * from "./deep.js"\nexport const part = ${state}`)
  bench.write("deep.ts", `export const deep = ${state}`)
  bench.write("esm.js", `export const esm = ${state}`)
  bench.write("plain.cjs", `exports.plain = ${state}\nexports.nested = require("./nested.cjs").nested`)
  bench.write("nested.cjs", `exports.nested = ${state}`)
  bench.write("data.json", `{ "data": ${state} }`)
  const imports = `import { part, deep } from "./part"\nimport { esm } from "./esm.js"\nimport { plain, nested } from "./plain.cjs"\nimport json from "./data.json"\n`
  return bench.write(
    "entry.ts",
    `${imports}${fn(`const required = require("./nested.cjs").nested\nreturn { state: [${state}, part, deep, esm, plain, nested, json.data, required], pid: process.pid }`)}`,
  )
}

const all = (state: number) => ({ ok: true, result: { state: Array.from({ length: 8 }, () => state) } })
const pidOf = (tried: object): unknown => (tried as { result?: { pid?: unknown } }).result?.pid

describe("a run", () => {
  it("continues with the files that it has read, and the next one reads them again", async () => {
    const file = writeAll(1)
    expect(await bench.call(file, transform)).toMatchObject(all(1))
    writeAll(2)
    expect(await bench.call(file, transform)).toMatchObject(all(1))
    expect(await open({ root: bench.root }).call(file, transform)).toMatchObject(all(2))
  })

  it("does so in a process that replaces another", async () => {
    const file = writeAll(1)
    const first = await bench.call(file, transform)
    writeAll(2)
    expect(await bench.run(fn("process.exit(1)"))).toMatchObject({ ok: false })
    const second = await bench.call(file, transform)
    expect(second).toMatchObject(all(1))
    expect(pidOf(second)).not.toBe(pidOf(first))
  })

  it("does so in parallel processes", async () => {
    const lanes = open({ root: bench.root, concurrency: 2 })
    const file = writeAll(1)
    const first = await lanes.call(file, transform)
    expect(first).toMatchObject(all(1))
    writeAll(2)
    const hold = bench.write("hold.ts", fn(`ctx.log("held"); return new Promise(() => {})`))
    const end = new AbortController()
    let holding: Promise<unknown> = Promise.resolve()
    await new Promise<void>((onLog) => {
      holding = lanes.call(hold, { ...transform, signal: end.signal, onLog: () => onLog() })
    })
    const beside = await lanes.call(file, transform)
    end.abort()
    await holding
    expect(beside).toMatchObject(all(1))
    expect(pidOf(beside)).not.toBe(pidOf(first))
  })

  it("continues with a file that was deleted, or that another one now shadows", async () => {
    const file = writeAll(1)
    await bench.call(file, transform)
    for (const name of ["part.ts", "deep.ts", "esm.js"])
      unlinkSync(join(bench.root, "apis/workflow/scripts/checkout", name))
    bench.write("part/index.ts", "export const part = 3\nexport const deep = 3")
    expect(await bench.call(file, transform)).toMatchObject(all(1))
    await bench.run(fn("process.exit(1)"))
    expect(await bench.call(file, transform)).toMatchObject(all(1))
  })

  it("runs the scripts as they were when they were described", async () => {
    const file = bench.write("described.ts", fn("return { n: 1 }"))
    await bench.port.describe(file)
    bench.write("described.ts", fn("return { n: 2 }"))
    expect(await bench.call(file, transform)).toMatchObject({ result: { n: 1 } })
  })

  it("lets a script read its data files fresh", async () => {
    const file = bench.write(
      "data.ts",
      `import fs from "node:fs"\nimport "./data.json"\n${fn(`return { text: fs.readFileSync(__dirname + "/data.json", "utf8") }`)}`,
    )
    bench.write("data.json", "[1]")
    expect(await bench.call(file, transform)).toMatchObject({ result: { text: "[1]" } })
    bench.write("data.json", "[2]")
    expect(await bench.call(file, transform)).toMatchObject({ result: { text: "[2]" } })
  })
})

describe("contents read before a run", () => {
  const contentsOf = (...files: string[]): ReadonlyMap<string, Uint8Array> =>
    new Map(files.map((file) => [realpathSync(file), readFileSync(file)]))

  it("are what runs, whatever happened to their files", async () => {
    const file = writeAll(1)
    const folder = join(bench.root, "apis/workflow/scripts/checkout")
    const names = ["part.ts", "deep.ts", "esm.js", "plain.cjs", "nested.cjs", "data.json"]
    const contents = contentsOf(file, ...names.map((name) => join(folder, name)))
    writeAll(2)
    expect(await open({ root: bench.root, scriptContents: contents }).call(file, transform)).toMatchObject(
      all(1),
    )
  })

  it("are what runs, even if a link replaced the file", async () => {
    const file = bench.write("linked.ts", fn("return { n: 1 }"))
    const contents = contentsOf(file)
    rmSync(file)
    symlinkSync(bench.write("other.ts", fn("return { n: 2 }")), file)
    const run = open({ root: bench.root, scriptContents: contents })
    expect(await run.call(file, transform)).toMatchObject({ result: { n: 1 } })
  })

  it("are what runs in a project opened through a link", async () => {
    const file = bench.write("linked.ts", fn("return { n: 1 }"))
    const contents = contentsOf(file)
    rmSync(file)
    symlinkSync(bench.write("other.ts", fn("return { n: 2 }")), file)
    const root = `${bench.root}-link`
    symlinkSync(bench.root, root)
    onTestFinished(() => rmSync(root, { force: true }))
    const asked = file.replace(bench.root, root)
    expect(await open({ root, scriptContents: contents }).call(asked, transform)).toMatchObject({
      result: { n: 1 },
    })
  })
})
