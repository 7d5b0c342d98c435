// Checks in real processes that runs survive misbehaving scripts.

import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { faultyScripts } from "./testing/faulty-scripts.ts"
import { fn, transform } from "./testing/faulty-script.ts"
import { processEnd, useScriptBenches } from "./testing/script-bench.ts"

const { open, bundle } = useScriptBenches()
const bench = open()
/** The bench for tests that call many scripts at once. */
const crowd = open({ maxHeapMiB: 128, concurrency: 3 })

describe.concurrent("a script that", () => {
  it.each(faultyScripts)("$fault", async ({ script, options, code, says }) => {
    const result = await crowd.run(script, options)
    expect(result).toMatchObject(code === undefined ? { ok: true } : { ok: false, code })
    const text = result.ok ? result.logs.join("\n") : result.message
    if (says !== undefined) expect(text).toMatch(says)
    expect(text).not.toContain(crowd.root)
    expect(text).not.toContain("[object Object]")
  })
})

describe("the runner", () => {
  it("stays responsive while a script loops, and ends it on time", async () => {
    let turns = 0
    let startedAt = 0
    const onLog = (): void => {
      startedAt = performance.now()
      timer = setInterval(() => turns++, 10)
    }
    let timer: NodeJS.Timeout | undefined
    const result = await bench.run(fn(`ctx.log("from here"); while (true) {}`), { timeoutMs: 500, onLog })
    clearInterval(timer)
    expect(result).toMatchObject({ code: "script-timeout" })
    expect(performance.now() - startedAt).toBeLessThan(2500)
    expect(turns).toBeGreaterThan(10)
  })

  it("loses no script that runs next to one that exhausts the memory", async () => {
    const beside = crowd.run(
      `import { existsSync } from "node:fs"\n${fn(`while (!existsSync("full")) await ctx.sleep(5)`)}`,
    )
    const filling = await crowd.run(
      fn("const all: unknown[] = []; for (;;) all.push(new Array(1e5).fill(1))"),
    )
    crowd.write("/full", "")
    expect(filling).toMatchObject({ ok: false, message: expect.stringContaining("out of memory") as string })
    expect(await beside).toMatchObject({ ok: true })
  })

  it("ends what is cancelled, whatever it is doing", async () => {
    const controller = new AbortController()
    const options = { signal: controller.signal, onLog: () => controller.abort() }
    const result = await bench.run(fn(`ctx.log("going"); while (true) {}`), options)
    expect(result).toMatchObject({ ok: false, code: "cancelled", logs: ["going"] })
  })

  it("starts nothing that was already cancelled", async () => {
    const result = await bench.run(fn("return"), { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ ok: false, code: "cancelled" })
  })

  it("counts a timeout from the call, not from the place in the queue", async () => {
    const slow = bench.run(fn("await ctx.sleep(600)"))
    const next = bench.run(fn("await ctx.sleep(50)"), { timeoutMs: 500 })
    expect(await slow).toMatchObject({ ok: true })
    expect(await next).toMatchObject({ ok: true })
  })

  it("doesn't count the compiler's time", async () => {
    const indices = Array.from({ length: 25 }, (_, index) => index)
    for (const index of indices) {
      bench.write(
        `cold-${index}.ts`,
        `${"// filler\n".repeat(9000)}export const h = (x: number): number => x + ${index}`,
      )
    }
    const imports = indices.map((index) => `import { h as h${index} } from "./cold-${index}"`)
    const sum = indices.map((index) => `h${index}(1)`).join(" + ")
    const script = `${imports.join("\n")}\nexport const fn = () => ({ sum: ${sum} })`
    const result = await bench.run(script, { ...transform, timeoutMs: 1_500 })
    expect(result).toMatchObject({ ok: true, result: { sum: 325 } })
  })

  it("accepts the longest timeout that a block may have", async () => {
    const timeoutMs = 2 ** 31 - 1
    expect(await bench.run(fn("await ctx.sleep(20)"), { timeoutMs })).toMatchObject({ ok: true })
  })

  it("leaves no process after close", async () => {
    const other = open()
    const { logs } = await other.run(
      `import { spawn } from "node:child_process"\n${fn(`const child = spawn("sleep", ["600"], { stdio: "ignore" }); child.unref(); ctx.log(process.pid); ctx.log(child.pid)`)}`,
    )
    await other.remove()
    for (const pid of logs.map(Number)) await processEnd(pid)
  })

  it("ends its scripts when it is killed, endless loops included", async () => {
    const other = open()
    const file = other.write("loop.ts", fn("console.log(process.pid); while (true) {}"))
    const program = join(bundle, "runner.js")
    writeFileSync(program, runnerProgram(other.root, file))
    const runner = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] })
    const [pid] = await new Promise<string[]>((resolve) => {
      runner.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().split("\n")))
    })
    runner.kill("SIGKILL")
    await processEnd(Number(pid))
    await other.remove()
  })
})

const runnerProgram = (root: string, file: string): string => `
  import { createScriptPort } from ${JSON.stringify(join(bundle, "port.js"))}
  const port = createScriptPort(${JSON.stringify({ root, concurrency: 1, scriptEntry: join(bundle, "child.js"), cacheFolder: join(root, ".cache") })})
  await port.call({
    kind: "script", file: ${JSON.stringify(file)}, exportName: "fn", timeoutMs: 60000, signal: new AbortController().signal,
    context: { workflow: { name: "w" }, block: { id: "b", type: "script" }, inputs: {} },
    read: () => ({ found: false, at: 0 }), environment: () => undefined, secret: () => undefined, log: (text) => console.log(text),
  })`
