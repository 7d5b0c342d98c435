// Checks that script calls are isolated from each other, and that their leftovers and logs are handled.

import { createServer, type AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { fn, transform } from "./testing/faulty-script.ts"
import { processEnd, useScriptBenches } from "./testing/script-bench.ts"

const { open } = useScriptBenches()
const bench = open({ maxHeapMiB: 128 })

describe("a call", () => {
  // Each script changes something that the next call in the same process must not see.
  it.each([
    [
      "Object.prototype",
      "(Object.prototype as any).polluted = 1",
      "String(({} as any).polluted)",
      "undefined",
    ],
    ["an array method", "Array.prototype.map = () => ['x']", "String([1].map((n) => n + 1))", "2"],
    ["process.env", "process.env.SC10 = 'x'", "String(process.env.SC10)", "undefined"],
    ["the working directory", "process.chdir('/')", "String(process.cwd() === '/')", "false"],
    ["global fetch", "globalThis.fetch = (() => 'x') as never", "fetch.name", "fetch"],
    ["global timers", "globalThis.setTimeout = (() => 'x') as never", "setTimeout.name", "setTimeout"],
    ["console", "console.log = () => {}", "console.log.name", "log"],
    ["a new global", "(globalThis as any).mine = 1", "typeof (globalThis as any).mine", "undefined"],
    ["a lazy global", "globalThis.Headers = class Mine {} as never", "Headers.name", "Headers"],
    [
      "http.request",
      "process.getBuiltinModule('http').request = () => 'x'",
      "process.getBuiltinModule('http').request.name",
      "request",
    ],
    [
      "certificate check",
      "process.getBuiltinModule('https').globalAgent.options.rejectUnauthorized = false",
      "process.getBuiltinModule('https').globalAgent.options.rejectUnauthorized",
      "undefined",
    ],
    [
      "module loader",
      "process.getBuiltinModule('module').prototype.require = () => 'x'",
      "String(process.getBuiltinModule('module').prototype.require('fs') === 'x')",
      "false",
    ],
    [
      "depth of logs",
      "process.getBuiltinModule('util').inspect.defaultOptions.depth = 0",
      "process.getBuiltinModule('util').inspect.defaultOptions.depth",
      "2",
    ],
    ["pipe from the runner", "process.getBuiltinModule('fs').closeSync(3)", "'here'", "here"],
    [
      "the handler for uncaught errors",
      "process.on('uncaughtException', () => {})",
      "String(process.listenerCount('uncaughtException'))",
      "1",
    ],
    [
      "Error.prepareStackTrace",
      "Error.prepareStackTrace = () => 'x'",
      "String(new Error('e').stack === 'x')",
      "false",
    ],
  ])("does not see a changed %s of the previous call", async (_what, change, look, expected) => {
    expect(await bench.run(fn(change))).toMatchObject({ ok: true })
    expect(await bench.run(fn(`console.info(${look})`))).toMatchObject({ ok: true, logs: [expected] })
  })

  it("loads its modules again, shared ones included", async () => {
    bench.write("counter.ts", "let count = 0\nexport const next = () => ++count")
    bench.write("plain.cjs", "let count = 0\nexports.next = () => ++count")
    bench.write("esm.js", "let count = 0\nexport const next = () => ++count")
    const file = bench.write(
      "count.ts",
      `import { next } from "./counter"\nimport * as again from "./counter.js"\nimport { next as plain } from "./plain.cjs"\nimport { next as esm } from "./esm.js"\nlet own = 0\n${fn("return { own: ++own, first: next(), second: again.next(), plain: plain(), esm: esm() }")}`,
    )
    const expected = { ok: true, result: { own: 1, first: 1, second: 2, plain: 1, esm: 1 } }
    expect(await bench.call(file, transform)).toMatchObject(expected)
    expect(await bench.call(file, transform)).toMatchObject(expected)
  })

  it("reuses its process if nothing was changed: fetch, console and packages change nothing", async () => {
    const first = await pid("")
    expect(await bench.call(bench.write("cold.ts", "export const fn = () => {}"))).toMatchObject({ ok: true })
    expect(
      await pid("console.log(new URL('http://x'), new Headers(), structuredClone({}), crypto.randomUUID())"),
    ).toBe(first)
    expect(await pid("await fetch('http://127.0.0.1:1').catch(() => {})")).toBe(first)
    expect(await pid("await new Promise((resolve) => setTimeout(resolve, 5)); AbortSignal.timeout(10)")).toBe(
      first,
    )
    expect(await pid("throw new Error('plain')")).toBeUndefined()
    expect(await pid("")).toBe(first)
  })

  it("closes the sockets and ends the processes that it leaves open", async () => {
    const server = createServer()
    const open = new Promise<void>((resolve) => {
      server.on("connection", (socket) => socket.on("error", () => undefined).on("close", () => resolve()))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const result = await bench.run(
      `import { spawn } from "node:child_process"\nimport { connect } from "node:net"\n${fn(`connect(${port}, "127.0.0.1"); ctx.log(spawn("sleep", ["600"]).pid)`)}`,
      { timeoutMs: 700 },
    )
    expect(result).toMatchObject({ ok: true })
    expect(result.logs[1]).toMatch(/stopped work that was still running/)
    await open
    await processEnd(Number(result.logs[0]))
    await new Promise((resolve) => server.close(resolve))
  })

  it("runs next to others up to the concurrency, each with its own modules", async () => {
    const wide = open({ concurrency: 3 })
    const file = wide.write(
      "beside.ts",
      `import { existsSync } from "node:fs"\nlet own = 0\n${fn(`own++; ctx.log("waits"); while (!existsSync("gate")) await ctx.sleep(5)\nreturn { own, index: ctx.iteration.index, pid: process.pid }`)}`,
    )
    // Opens when three scripts wait at the same time.
    let waiting = 0
    const onLog = (): void => void (++waiting === 3 && wide.write("/gate", ""))
    const results = await Promise.all(
      [0, 1, 2, 3].map((index) =>
        wide.call(file, {
          ...transform,
          onLog,
          context: {
            workflow: { name: "w" },
            block: { id: "b", type: "transform" },
            inputs: {},
            iteration: { index, value: index },
          },
        }),
      ),
    )
    const values = results.map((result) =>
      result.ok ? (result.result as { own: number; index: number; pid: number }) : undefined,
    )
    expect(values.map((value) => value?.own)).toEqual([1, 1, 1, 1])
    expect(values.map((value) => value?.index)).toEqual([0, 1, 2, 3])
    expect(new Set(values.map((value) => value?.pid)).size).toBe(3)
  })
})

async function pid(body: string): Promise<string | undefined> {
  const { logs } = await bench.run(fn(`${body}\nctx.log("pid", process.pid)`))
  return logs.at(-1)
}

it("shares one signal among many calls without a warning", async () => {
  const warnings: string[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning.message)
  process.on("warning", onWarning)
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 12 }, () => bench.run(fn(""), { signal })))
  process.off("warning", onWarning)
  expect(warnings).toEqual([])
})

describe("output", () => {
  it("is logged in order, however it is written", async () => {
    const { logs } = await bench.run(
      fn(
        `console.log("a", { b: 1 }); ctx.log("c %d", 2, [3]); process.stdout.write("d"); process.stdout.write("e\\n"); console.error("f"); process.stderr.write("g\\nh\\n"); console.table([{ i: 1 }]); process.stdout.write("open")`,
      ),
    )
    expect(logs.slice(0, 5)).toEqual(["a { b: 1 }", "c 2 [ 3 ]", "de", "f", "g\nh"])
    expect(logs[5]).toContain("│ 0       │ 1 │")
    expect(logs[6]).toBe("open")
  })

  it("of programs that a script starts is logged too", async () => {
    const { logs } = await bench.run(
      `import { execSync } from "node:child_process"\nimport { writeSync } from "node:fs"\n${fn(`writeSync(1, "raw\\n"); execSync("echo out; echo err >&2", { stdio: "inherit" })`)}`,
    )
    expect(logs).toEqual(["raw\nout", "err"])
  })

  it("is complete even if the runner was busy when it arrived", async () => {
    const server = createServer((socket) => {
      socket
        .on("error", () => undefined)
        .on("data", () => {
          const until = performance.now() + 40
          while (performance.now() < until);
        })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const file = bench.write(
      "busy.ts",
      `import { once } from "node:events"\nimport { writeSync } from "node:fs"\nimport { connect } from "node:net"\n${fn(`const socket = connect(${port}, "127.0.0.1"); await once(socket, "connect")
      socket.write("x"); console.log("first"); const until = performance.now() + 10; while (performance.now() < until);
      writeSync(1, "raw"); socket.destroy()`)}`,
    )
    for (let count = 0; count < 15; count++) {
      expect(await bench.call(file)).toEqual({ ok: true, logs: ["first", "raw"] })
    }
    await new Promise((resolve) => server.close(resolve))
  })

  it("is capped with a note, and a gigabyte of it blocks nothing", async () => {
    const result = await bench.run(
      fn(`const line = "x".repeat(1e6); for (let i = 0; i < 1000; i++) console.log(line)`),
    )
    expect(result).toMatchObject({ ok: true })
    expect(result.logs).toHaveLength(2)
    expect(result.logs[1]).toMatch(/wrote more than 1 MiB/)
  })

  it("is never truncated: what does not fit is left out completely", async () => {
    const { logs } = await bench.run(
      `import { writeSync } from "node:fs"\n${fn(`console.log("y".repeat(2e6)); console.log("after"); const chunk = Buffer.alloc(65536, "z"); for (let i = 0; i < 40; i++) writeSync(1, chunk)`)}`,
    )
    expect(logs).toEqual([expect.stringMatching(/wrote more than 1 MiB/)])
  })

  it("is shown completely, so that no part of a secret remains", async () => {
    const body = `const text = "x".repeat(9_990) + "s3cr3t-t0ken"
      console.log({ text }); ctx.log([text]); process.stdout.write(inspect({ text })); throw { text }`
    const result = await bench.run(`import { inspect } from "node:util"\n${fn(body)}`)
    const texts = [...result.logs, result.ok ? "" : result.message]
    expect(texts.map((text) => /(s3cr3t-t0ken)?' [\]}]$/.exec(text.replaceAll("\n", " "))?.[1])).toEqual(
      Array.from({ length: 4 }, () => "s3cr3t-t0ken"),
    )
  })

  it.each([
    ["JSON.parse(long)", /^SyntaxError: Unexpected token 's' in a text that is not valid JSON\n/],
    [`JSON.parse('{"a": ' + long)`, /^SyntaxError: Unexpected token 's' in a text that is not valid JSON\n/],
    ["setTimeout(long as never)", /must be of type function\. Received type string\n/],
    [`openSync("x", long)`, /'flags' is invalid\. Received another value\n/],
    ["equal(long, 1)", /^'(?:s3cr3t-t0ken-0123456789){30}' == 1\n/],
    ["deepEqual([long], [1])", /^\[\s*'(?:s3cr3t-t0ken-0123456789){30}'\s*\] deepEqual \[ 1 \]\n/],
    [`JSON.parse("<a>")`, /^SyntaxError: Unexpected token '<', "<a>" is not valid JSON\n/],
  ])("contains no part of what %s quotes", async (expression, says) => {
    const body = `const long = "s3cr3t-t0ken-0123456789".repeat(30)
      try { ${expression} } catch (error) { if (says(error)) console.log(error.message); throw error }`
    const result = await bench.run(
      `import { deepEqual, equal } from "node:assert"\nimport { openSync } from "node:fs"\nconst says = (error: any) => error.code !== "ERR_ASSERTION"\n${fn(body)}`,
    )
    const message = result.ok ? "" : result.message
    expect(message).toMatch(says)
    for (const log of result.logs) expect(message).toContain(log)
  })

  it("of a crash contains no addresses", async () => {
    const { logs } = await bench.run(
      fn("const all: unknown[] = []; for (;;) all.push(new Array(1e5).fill(1))"),
    )
    expect(logs.join("\n")).not.toMatch(/0x[0-9a-f]+|GC/)
  })
})
