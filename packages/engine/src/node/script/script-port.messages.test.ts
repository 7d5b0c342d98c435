// Checks that a script that can't be compiled, loaded or finished says where and what to do.

import { describe, expect, it } from "vitest"
import { fn, transform } from "./testing/faulty-script.ts"
import { useScriptBenches, type TryOptions } from "./testing/script-bench.ts"

const bench = useScriptBenches().open()

const messageOf = async (script: string, options?: TryOptions): Promise<string> => {
  const outcome = await bench.run(script, options)
  return outcome.ok ? `ok ${JSON.stringify(outcome.result)}` : outcome.message
}

describe("a syntax error", () => {
  it.each([
    ["a bracket too many", "export const fn = () => {\n  return }}", 2, 11, "}"],
    ["a keyword", "export const class = 1", 1, 14, "class"],
    ["a name of several letters", "const a = 1\nexport const b = (a a2x)", 2, 21, "a2x"],
    ["after tabs", "\t\tconst const = 1", 1, 9, "const"],
    ["with line breaks of Windows", "const a = 1\r\nconst b = ;\r\n", 2, 11, ";"],
    ["in line 12", `${"\n".repeat(11)}const b = }`, 12, 11, "}"],
    ["with letters beyond ASCII", "const ä = 1\nconst ö = (ä ü)", 2, 14, "ü"],
    ["a name that is declared twice", "const a = 1\nconst a = 2", 2, 7, "a"],
    ["at the end of the file", "export const fn = () => {", 1, 26, ""],
  ])("shows the line and marks the token: %s", async (name, source, line, column, token) => {
    const path = `lib/${name.replaceAll(" ", "-")}.ts`
    const description = await bench.port.describe(bench.write(path, source))
    const code = source.split(/\r?\n/)[line - 1] ?? ""
    const indent = code.slice(0, column - 1).replaceAll(/[^\t]/g, " ")
    const gap = " ".repeat(`${line} `.length)
    const mark = `${gap}| ${indent}${"^".repeat(token.length || 1)}`
    expect(description).toMatchObject({ ok: false, line, column, excerpt: `${line} | ${code}\n${mark}` })
    expect(await messageOf(`import "./${path}"\n${fn("")}`)).toContain(`    ${line} | ${code}\n    ${mark}`)
  })

  it("names the token, and doesn't show a line that was generated", async () => {
    const broken = await bench.port.describe(bench.write("token.ts", "export const fn = )"))
    expect(broken).toMatchObject({ ok: false, message: 'Unexpected token ")"' })
    const end = await bench.port.describe(bench.write("end.ts", "export const fn = {"))
    expect(end).toMatchObject({ ok: false, message: "Unexpected end of the line" })
    const long = await bench.port.describe(bench.write("long.ts", `const a = ["${"x".repeat(400)}" ;`))
    expect(long).toMatchObject({ ok: false, column: 415 })
    expect(long).not.toHaveProperty("excerpt")
  })
})

describe("a missing package", () => {
  const advice = (name: string) => `: the package is not installed. Run \`npm install ${name}\``

  it.each([
    ["import { x } from 'left-pad-9'", "left-pad-9"],
    ["import x from '@acme/client-9'", "@acme/client-9"],
    ["import x from 'left-pad-9/lib/deep.js'", "left-pad-9"],
    ["import x from '@acme/client-9/deep'", "@acme/client-9"],
    ["const x = await import('left-pad-9')", "left-pad-9"],
    ["const x = require('left-pad-9')", "left-pad-9"],
    ["import { x } from '../../../../lib/imports-left-pad'", "left-pad-9"],
  ])("is named with the command that installs it: %s", async (code, name) => {
    bench.write("/lib/imports-left-pad.ts", "import y from 'left-pad-9'\nexport const x = y")
    const message = await messageOf(`${code}\n${fn("return { x }")}`, transform)
    expect(message.split("\n")[0]).toMatch(/^Cannot find (?:module|package) /)
    expect(message).toContain(advice(name))
  })

  it.each(["./gone.js", "../gone", "/gone/file.js"])(
    "is not a file that is missing: %s",
    async (specifier) => {
      expect(await messageOf(`import ${JSON.stringify(specifier)}\n${fn("")}`)).not.toContain("npm install")
    },
  )

  it("is not an installed package without the file, and not an alias", async () => {
    bench.write("/node_modules/here-9/package.json", `{ "name": "here-9", "main": "index.js" }`)
    bench.write("/node_modules/here-9/index.js", "")
    expect(await messageOf(`import "here-9/gone.js"\n${fn("")}`)).not.toContain("npm install")
    for (const alias of ["~/h", "@/h", "#h"]) {
      const message = await messageOf(`import ${JSON.stringify(alias)}\n${fn("")}`)
      expect(message, alias).not.toContain("npm install")
    }
    expect(await messageOf(`import "~/h"\n${fn("")}`)).toContain(
      'add it to "paths" in the nearest tsconfig.json',
    )
  })
})

describe("a promise in a result", () => {
  it.each([
    ["return { a: Promise.resolve(1) }", "a promise at a"],
    ["return { list: [1, (async () => 2)()] }", "a promise at list[1]"],
    ["return { user: { id: fetch('data:,1').then(() => 1) } }", "a promise at user.id"],
    ["return { ...{ b: new Promise(() => {}) } }", "a promise at b"],
    ["class Own extends Promise<number> {}; return { c: Own.resolve(1) }", "a promise at c"],
  ])("asks to await it: %s", async (body, received) => {
    expect(await messageOf(fn(body), transform)).toBe(
      `the script returned ${received}; expected JSON values, so await it first`,
    )
  })
})

describe("a timeout", () => {
  // Enough for a busy machine to start a process and to compile a script.
  const timeoutMs = 1500
  const late = (line: number | string) =>
    `the script did not finish within ${timeoutMs} ms and was stopped at apis/workflow/scripts/checkout/${typeof line === "string" ? line : `script-N.ts:${line}`}; if it needs more time, set the block's timeoutMs`

  it.each([
    ["an endless loop", fn("let n = 0\n  for (;;) {\n    n++\n  }"), 4],
    ["an endless loop without a body", fn("ctx.log('x')\n  while (true);"), 3],
    ["a promise that never settles", fn("await ctx.sleep(1)\n  await new Promise(() => {})\n  return 1"), 3],
    [
      "ctx.sleep in a function",
      `const wait = async (ctx: any) => {\n  await ctx.sleep(60_000)\n}\n${fn("await wait(ctx)")}`,
      2,
    ],
    ["a pattern that backtracks", fn(`const text = "a".repeat(40)\n  return /^(a+)+$/.test(text + "b")`), 3],
    ["an arrow function without a block", `export const fn = (ctx: any) =>\n  ctx.sleep(60_000)`, 2],
    ["a case of a switch", fn("switch (1 as number) {\n    case 1:\n      await ctx.sleep(60_000)\n  }"), 4],
    ["a method", `class A {\n  run() {\n    for (;;) {}\n  }\n}\n${fn("new A().run()")}`, 3],
    ["the module itself", "const a = 1\nwhile (a) {}\nexport const fn = () => {}", 2],
    [
      "after a finished await",
      fn("await Promise.resolve()\n  const until = Date.now() + 60_000\n  while (Date.now() < until) {}"),
      4,
    ],
  ])("names the line that was running, and timeoutMs: %s", async (_name, script, line) => {
    const message = await messageOf(script, { timeoutMs })
    expect(message.replace(/script-\d+/, "script-N")).toBe(late(line))
  })

  it("names a line of an imported file", async () => {
    bench.write("lib/spin.ts", "export function spin() {\n  let n = 1\n  while (n > 0) {\n    n++\n  }\n}")
    const message = await messageOf(`import { spin } from "./lib/spin"\n${fn("spin()")}`, { timeoutMs })
    expect(message).toBe(late("lib/spin.ts:4"))
  })
})
