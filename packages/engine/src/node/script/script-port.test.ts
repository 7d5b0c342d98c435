// Checks that scripts are found, loaded and described, receive a context, and return values.

import { existsSync, mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { JsonValue } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import type { ScriptCall, ScriptPort } from "../../ports.ts"
import { createScriptPort } from "./script-port.ts"
import { condition, fn, transform } from "./testing/faulty-script.ts"
import { useScriptBenches } from "./testing/script-bench.ts"

const { open, bundle } = useScriptBenches()
const bench = open()
const childEntry = join(bundle, "child.js")

const environment: ScriptCall["environment"] = (api) =>
  api === "shop" ? { baseUrl: "http://127.0.0.1:1" } : undefined

describe("the context", () => {
  const scope = {
    create: {
      response: { status: 201, body: { id: 12345678901234567890n, tags: ["a", "b"], none: null, "a.b": 1 } },
    },
  }

  it("reads the run's values by path, as copies", async () => {
    const result = await bench.run(
      fn(`const body = ctx.get("create.response.body"); body.tags.push("c")
        return { id: ctx.get("create.response.body.id"), tags: ctx.get("create.response.body.tags"), one: ctx.get('create.response.body["a.b"]'),
          none: ctx.get("create.response.body.none"), absent: ctx.get("create.nope") === undefined, has: [ctx.has("create.response.body.none"), ctx.has("create.nope")] }`),
      { ...transform, scope },
    )
    const expected = {
      id: 12345678901234567890n,
      tags: ["a", "b"],
      one: 1,
      none: null,
      absent: true,
      has: [true, false],
    }
    expect(result).toMatchObject({ ok: true, result: expected })
  })

  it("provides workflow, block, inputs and iteration", async () => {
    const context = {
      workflow: { name: "checkout" },
      block: { id: "b-1", type: "transform", description: "d" },
      inputs: { n: 2n ** 60n, s: "x" },
      iteration: { index: 1, value: { sku: "A" } },
    }
    const result = await bench.run(
      fn("return { workflow: ctx.workflow, block: ctx.block, inputs: ctx.inputs, iteration: ctx.iteration }"),
      { ...transform, context },
    )
    expect(result).toEqual({ ok: true, result: context, logs: [] })
  })

  it("throws for a malformed path and for a value that is not text", async () => {
    const malformed = await bench.run(fn(`ctx.get("a..b")`))
    expect(malformed).toMatchObject({
      ok: false,
      code: "script-error",
      message: expect.stringMatching(/^"a\.\.b" is not a valid path: .*\n {4}at .*\.ts:2:/) as string,
    })
    expect(await bench.run(fn("ctx.has(3)"))).toMatchObject({
      ok: false,
      message: expect.stringContaining("ctx.has expects a string, received 3") as string,
    })
  })

  it("provides variables, and throws for an API that the workflow does not use", async () => {
    const known = await bench.run(fn(`return ctx.env("shop")`), { ...transform, environment })
    expect(known).toMatchObject({ ok: true, result: { baseUrl: "http://127.0.0.1:1" } })
    const unknown = await bench.run(fn(`ctx.env("bank")`), { environment })
    expect(unknown).toMatchObject({
      ok: false,
      message: expect.stringContaining('does not use an API named "bank"') as string,
    })
  })

  it("asserts", async () => {
    const passing = await bench.run(fn(`ctx.assert(1, "no"); return "ignored"`), { kind: "assert" })
    expect(passing).toMatchObject({ ok: true, logs: [] })
    const failing = await bench.run(
      fn(`const total = 3\n  ctx.assert(total === 4, "the total is " + total)`),
      { kind: "assert" },
    )
    expect(failing).toMatchObject({
      ok: false,
      code: "script-error",
      message: expect.stringMatching(
        /^the total is 3\n {4}at apis\/workflow\/scripts\/checkout\/script-\d+\.ts:3:7$/,
      ) as string,
    })
    expect(await bench.run(fn("return { assert: typeof ctx.assert }"), transform)).toMatchObject({
      result: { assert: "undefined" },
    })
  })

  it("makes values secret and returns them", async () => {
    const reported: unknown[] = []
    const secret = (value: unknown): undefined => void reported.push(value)
    const body = `return { values: [ctx.secret("t0ken-42"), ctx.secret(7), ctx.secret(2n ** 64n)] }`
    const values = ["t0ken-42", 7, 2n ** 64n]
    expect(await bench.run(fn(body), { ...transform, secret })).toMatchObject({
      ok: true,
      result: { values },
    })
    expect(reported).toEqual(values)
  })

  it("masks a value before anything can show it, whichever way it goes", async () => {
    const seen: string[] = []
    const body = `ctx.secret("t0ken-42")
      writeSync(1, "t0ken-42\\n"); execSync("echo t0ken-42 >&2", { stdio: "inherit" })
      console.log("t0ken-42"); process.stdout.write("t0ken-42"); throw new Error("t0ken-42")`
    const result = await bench.run(
      `import { execSync } from "node:child_process"\nimport { writeSync } from "node:fs"\n${fn(body)}`,
      { secret: () => void seen.push("secret"), onLog: (text) => void seen.push(text) },
    )
    expect(result).toMatchObject({ ok: false, code: "script-error" })
    expect(seen).toEqual(["secret", ...Array.from({ length: 4 }, () => "t0ken-42")])
  })

  it.each([
    ["", "an empty string"],
    [undefined, "undefined"],
    [null, "null"],
    [true, "a boolean"],
    [Number.NaN, "NaN"],
    [["t0ken"], "an object"],
  ])("does not make %o secret, and does not quote it", async (value, what) => {
    const text = JSON.stringify(value) ?? "undefined"
    expect(await bench.run(fn(`ctx.secret(${Number.isNaN(value) ? "NaN" : text})`))).toMatchObject({
      code: "script-error",
      message: expect.stringMatching(
        new RegExp(
          `^TypeError: ctx.secret expects a non-empty string, .*, received ${what}\n    at .*\\.ts:2:5$`,
        ),
      ) as string,
    })
  })

  it("rejects a secret that is too long, and one beyond the run's limit", async () => {
    const long = await bench.run(fn(`ctx.secret("x".repeat(1e7))`))
    expect(long).toMatchObject({ message: expect.stringContaining("at most 65536 characters") as string })
    const full = await bench.run(fn(`ctx.secret("one more")`), { secret: () => "that is enough" })
    expect(full).toMatchObject({
      code: "script-error",
      message: expect.stringMatching(/^that is enough\n {4}at .*\.ts:2:5$/) as string,
    })
  })

  it("aborts its signal at the timeout, with some time to react", async () => {
    const result = await bench.run(
      fn(
        `ctx.signal.addEventListener("abort", () => ctx.log("cleaning", ctx.signal.reason.name))\nawait ctx.sleep(60_000)`,
      ),
      { timeoutMs: 300 },
    )
    expect(result).toMatchObject({ ok: false, code: "script-timeout", logs: ["cleaning TimeoutError"] })
  })

  it("sleeps, and rejects an invalid duration", async () => {
    expect(
      await bench.run(
        fn("const at = Date.now(); await ctx.sleep(50); return Date.now() - at >= 45"),
        condition,
      ),
    ).toMatchObject({ result: true })
    expect(await bench.run(fn(`await ctx.sleep("1s")`))).toMatchObject({
      ok: false,
      message: expect.stringContaining("ctx.sleep expects a number of milliseconds") as string,
    })
  })

  it("responds with an error to a value too deep to transfer, and continues", async () => {
    let deep: JsonValue = {}
    for (let level = 0; level < 100_000; level++) deep = { deep }
    expect(await bench.run(fn(`ctx.get("deep")`), { scope: { deep } })).toMatchObject({
      ok: false,
      message: expect.stringContaining("too deeply nested") as string,
    })
    expect(
      await bench.run(fn(`return ctx.has("deep.deep")`), { ...condition, scope: { deep } }),
    ).toMatchObject({ result: true })
  })

  it("transfers a key named __proto__ like any other", async () => {
    const odd = JSON.parse(`{ "odd": { "__proto__": 1, "a": 2 } }`) as { odd: JsonValue }
    const { logs: _logs, ...result } = await bench.run(fn(`return ctx.get("odd")`), {
      ...transform,
      scope: odd,
    })
    expect(JSON.stringify(result)).toBe(`{"ok":true,"result":{"__proto__":1,"a":2}}`)
  })
})

describe("results", () => {
  it("are JSON: big integers kept, small ones numbers, dates as text, undefined members dropped", async () => {
    const result = await bench.run(
      fn(
        `const shared = { a: 1 }\nreturn { big: 2n ** 64n, small: 3n, at: new Date(0), gone: undefined, nil: null, one: shared, two: shared, bare: Object.assign(Object.create(null), { x: true }), zero: -0 }`,
      ),
      transform,
    )
    const expected = {
      big: 2n ** 64n,
      small: 3,
      at: "1970-01-01T00:00:00.000Z",
      nil: null,
      one: { a: 1 },
      two: { a: 1 },
      bare: { x: true },
      zero: 0,
    }
    expect(result).toEqual({ ok: true, result: expected, logs: [] })
  })
})

describe("loading", () => {
  it("finds x.ts as ./x, ./x.ts and ./x.js, through directories and cycles", async () => {
    bench.write(
      "lib/one.ts",
      `import { two } from "./two.js"\nexport enum Kind { A = "a" }\nexport const one = (): string => Kind.A + two()\nexport const base = "!"`,
    )
    bench.write("lib/two.ts", `import { base } from "./one.ts"\nexport const two = (): string => "2" + base`)
    const result = await bench.run(
      `import { one } from "./lib/one"\nimport { one as same } from "./lib/one.js"\nimport { one as third } from "./lib/one.ts"\n${fn("return { text: one(), same: one === same && same === third }")}`,
      transform,
    )
    expect(result).toMatchObject({ ok: true, result: { text: "a2!", same: true } })
  })

  it("finds the project's packages, ESM and CommonJS, and Node's modules", async () => {
    bench.write(
      "/node_modules/esm-package/package.json",
      `{ "name": "esm-package", "type": "module", "exports": "./index.js" }`,
    )
    bench.write("/node_modules/esm-package/index.js", "export default 'esm'\nexport const named = 1")
    bench.write("/node_modules/cjs-package/package.json", `{ "name": "cjs-package", "main": "index.js" }`)
    bench.write(
      "/node_modules/cjs-package/index.js",
      "module.exports = function () { return 'cjs' }\nmodule.exports.named = 2",
    )
    const result = await bench.run(
      `import esm, { named as a } from "esm-package"\nimport cjs, { named as b } from "cjs-package"\nimport * as path from "node:path"\nimport fs from "fs"\n${fn("const late = await import('esm-package')\nconst required = require('cjs-package')\nreturn { esm, a, cjs: cjs(), b, path: path.join('x', 'y'), fs: typeof fs.readFileSync, late: late.named, required: required.named, url: import.meta.url.endsWith('.ts'), dir: typeof __dirname }")}`,
      transform,
    )
    const expected = {
      esm: "esm",
      a: 1,
      cjs: "cjs",
      b: 2,
      path: "x/y",
      fs: "function",
      late: 1,
      required: 2,
      url: true,
      dir: "string",
    }
    expect(result).toMatchObject({ ok: true, result: expected })
  })

  it("needs no installed @callsheet/sdk", async () => {
    const script = `import type { ScriptContext } from "@callsheet/sdk"\nimport { type AssertContext } from "@callsheet/sdk"\nimport * as sdk from "@callsheet/sdk"\nimport "@callsheet/sdk"\nexport const fn = (_ctx: ScriptContext & AssertContext) => ({ keys: Object.keys(sdk).length >= 0 })`
    expect(await bench.run(script, transform)).toMatchObject({ ok: true, result: { keys: true } })
  })

  it("waits for a script's top-level await", async () => {
    const script = `const ready = await Promise.resolve("ready")\nexport const fn = () => ({ ready })`
    expect(await bench.run(script, transform)).toMatchObject({ ok: true, result: { ready: "ready" } })
  })

  it("reports the line and column of the source, in printed output too", async () => {
    const { logs } = await bench.run(
      `interface Long {\n  a: string\n}\n\nexport const fn = () => {\n  const value: Long = { a: "" }; console.log(new Error("here").stack, value.a)\n}`,
    )
    expect(logs[0]).toMatch(/^Error: here\n {4}at fn \(.*\.ts:6:46\)/)
  })

  it("rejects a link out of the scripts' directory, and a missing file", async () => {
    const secret = bench.write("/outside.ts", fn(""))
    mkdirSync(join(bench.root, "apis/workflow/scripts/checkout"), { recursive: true })
    const link = join(bench.root, "apis/workflow/scripts/checkout/link.ts")
    symlinkSync(secret, link)
    expect(await bench.call(link)).toMatchObject({
      ok: false,
      code: "script-error",
      message: expect.stringContaining("not inside") as string,
    })
    expect(await bench.port.describe(link)).toMatchObject({ ok: false })
    expect(await bench.port.describe(`${link}x`)).toEqual({
      ok: false,
      message: "the script file does not exist",
    })
  })

  it("is cached between runs: compiled scripts are described without a process", async () => {
    const cacheFolder = join(bench.root, ".shared-cache")
    const file = bench.write("kept.ts", "export const fn = () => {}")
    const first = openScriptPort(childEntry, cacheFolder)
    const description = await first.describe(file)
    await first.close()
    const second = openScriptPort("/there/is/no/such/entry.js", cacheFolder)
    expect(await second.describe(file)).toEqual(description)
    expect(description).toEqual({
      ok: true,
      exports: ["fn"],
      complete: true,
      values: {},
      imports: [],
      lazyImports: [],
      io: [],
    })
    await second.close()
  })

  it("is shared by simultaneous checks, so that only one needs a process", async () => {
    const file = bench.write("shared.ts", "export const shared = () => {}")
    const first = openScriptPort(childEntry, join(bench.root, ".first-cache"))
    const second = openScriptPort("/there/is/no/such/entry.js", join(bench.root, ".second-cache"))
    const descriptions = await Promise.all([first.describe(file), second.describe(file)])
    const description = { ok: true, exports: ["shared"], complete: true }
    expect(descriptions).toMatchObject([description, description])
    await Promise.all([first.close(), second.close()])
  })

  it("that cannot start is reported", async () => {
    const port = openScriptPort("/there/is/no/such/entry.js", join(bench.root, ".empty-cache"))
    const description = await port.describe(bench.write("unknown.ts", "export const fn = () => {}"))
    expect(description).toMatchObject({
      ok: false,
      message: expect.stringContaining("exit code 1") as string,
    })
    await port.close()
  })
})

const openScriptPort = (scriptEntry: string, cacheFolder: string): ScriptPort =>
  createScriptPort({ root: bench.root, concurrency: 1, scriptEntry, cacheFolder })

describe("describe", () => {
  it("lists the exports and runs nothing", async () => {
    const marker = join(bench.root, "ran")
    const file = bench.write(
      "exports.ts",
      `import { writeFileSync } from "node:fs"
      writeFileSync(${JSON.stringify(marker)}, "")
      export const one = 1, { two, x: [three, ...four] } = {} as any
      export function five(): void {}
      export async function* six() {}
      export class Seven {}
      export enum Eight { A }
      export interface Nine {}
      export type Ten = string
      export declare const eleven: number
      const local = 1
      export { local as twelve, local as "thir teen" }
      export type { Nine as Fourteen } from "./other"
      export { fifteen } from "./other"
      export * as sixteen from "./other"
      export default () => {}`,
    )
    const expected = [
      "one",
      "two",
      "three",
      "four",
      "five",
      "six",
      "Seven",
      "Eight",
      "twelve",
      "thir teen",
      "fifteen",
      "sixteen",
      "default",
    ]
    const description = { ok: true, exports: expected, complete: true }
    expect(await bench.port.describe(file)).toMatchObject(description)
    // The second description comes from the cache and needs no process.
    expect(await bench.port.describe(file)).toMatchObject(description)
    expect(existsSync(marker)).toBe(false)
  })

  it.each([
    ["export *", `export * from "./other"\nexport const a = 1`],
    ["CommonJS", "exports.a = () => {}"],
    ["export =", "const a = {}\nexport = a"],
  ])("reports that it cannot list all exports with %s", async (_what, text) => {
    expect(await bench.port.describe(bench.write("open.ts", text))).toMatchObject({
      ok: true,
      complete: false,
    })
  })

  it("reports where a script does not parse", async () => {
    const file = bench.write("broken.ts", "export const fn = () => {\n\n  return }}\n")
    expect(await bench.port.describe(file)).toEqual({
      ok: false,
      message: 'Unexpected token "}"',
      line: 3,
      column: 11,
      excerpt: "3 |   return }}\n  |           ^",
    })
  })
})
