// Scripts that misbehave, by the rows of the list of faults (SC-01 to SC-18), and what must come of each.

import type { TryOptions } from "./script-bench.ts"

export interface FaultyScript {
  readonly fault: string
  readonly script: string
  readonly options?: TryOptions
  readonly code?: string
  /** Found in the message, or in the logs where the script passes. */
  readonly says?: RegExp
}

/** The text of a script whose export `fn` has that body. */
export const fn = (body: string): string => `export const fn = async (ctx: any) => {\n${body}\n}`
const brief = { timeoutMs: 400 }
export const transform = { kind: "transform" } as const
export const condition = { kind: "condition" } as const

export const faultyScripts: readonly FaultyScript[] = [
  {
    fault: "SC-01 loops for ever",
    script: fn("while (true) {}"),
    options: brief,
    code: "script-timeout",
    says: /after 400 ms/,
  },
  {
    fault: "SC-01 loops for ever while it is loaded",
    script: "while (true) {}\nexport const fn = 1",
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "SC-01 waits for what never comes",
    script: fn("await new Promise(() => {})"),
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "SC-02 queues microtasks for ever",
    script: fn("const go = (): unknown => Promise.resolve().then(go); await go()"),
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "SC-02 queues immediates for ever",
    script: fn("const go = () => setImmediate(go); go(); await new Promise(() => {})"),
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "SC-03 throws a string",
    script: fn(`throw "boom"`),
    code: "script-error",
    says: /^the script threw "boom"$/,
  },
  {
    fault: "SC-03 throws null",
    script: fn("throw null"),
    code: "script-error",
    says: /^the script threw null$/,
  },
  {
    fault: "SC-03 throws undefined",
    script: fn("throw undefined"),
    code: "script-error",
    says: /^the script threw nothing$/,
  },
  {
    fault: "SC-03 throws an object",
    script: fn("throw Object.freeze({ status: 404 })"),
    code: "script-error",
    says: /threw \{ status: 404 \}/,
  },
  {
    fault: "SC-03 throws a cycle",
    script: fn("const a: any = { name: 'a' }; a.self = a; throw a"),
    code: "script-error",
    says: /name: 'a'.*\[Circular/,
  },
  {
    fault: "SC-03 throws an error whose message throws",
    script: fn(`throw Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })`),
    code: "script-error",
    says: /message cannot be read/,
  },
  {
    fault: "SC-03 throws a proxy that refuses all",
    script: fn(
      `throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } })`,
    ),
    code: "script-error",
    says: /the script threw/,
  },
  {
    fault: "SC-03 throws an error with an endless message",
    script: fn(`throw new Error("x".repeat(1e7))`),
    code: "script-error",
    says: /^a text of 10000000 characters/,
  },
  {
    fault: "SC-03 throws an error with a cause",
    script: fn(`throw new Error("cannot sign in", { cause: new TypeError("no token") })`),
    code: "script-error",
    says: /^cannot sign in\n.*\n {2}caused by: TypeError: no token/,
  },
  {
    fault: "SC-04 forgets a promise that is rejected",
    script: fn(`void Promise.reject(new Error("late"))`),
    code: "script-error",
    says: /nobody heard: late\n {4}at apis\/workflow\/scripts\/checkout\/.*\.ts:2:/,
  },
  {
    fault: "SC-04 rejects after its end",
    script: fn(`setTimeout(() => void Promise.reject(new Error("late")), 60)`),
    code: "script-error",
    says: /nobody heard: late/,
  },
  {
    fault: "SC-04 throws in a timer after its end",
    script: fn(`setTimeout(() => { throw new Error("late") }, 60)`),
    code: "script-error",
    says: /late/,
  },
  {
    fault: "SC-05 exits with 0",
    script: fn("process.exit(0)"),
    code: "script-error",
    says: /exit code 0, before it was done\n {4}at .*\.ts:2:9/,
  },
  {
    fault: "SC-05 exits in a timer after its end",
    script: fn("setTimeout(() => process.exit(0), 30)"),
    code: "script-error",
    says: /exit code 0/,
  },
  {
    fault: "SC-05 exits while it is loaded",
    script: "process.exit(0)\nexport const fn = () => {}",
    code: "script-error",
    says: /exit code 0/,
  },
  {
    fault: "SC-05 exits past all listeners",
    script: fn("(process as any).reallyExit(0)"),
    code: "script-error",
    says: /exit code 0/,
  },
  { fault: "SC-05 aborts", script: fn("process.abort()"), code: "script-error", says: /ended by SIGABRT/ },
  {
    fault: "SC-05 kills itself",
    script: fn("process.kill(process.pid); await new Promise(() => {})"),
    code: "script-error",
    says: /ended by SIGTERM/,
  },
  {
    fault: "SC-05 kills itself at once",
    script: fn(`process.kill(process.pid, "SIGKILL")`),
    code: "script-error",
    says: /ended by SIGKILL/,
  },
  {
    fault: "SC-06 fills the heap",
    script: fn("const all: unknown[] = []; for (;;) all.push(new Array(1e5).fill(all.length))"),
    code: "script-error",
    says: /^the script ran out of memory/,
  },
  {
    fault: "SC-06 fills memory beside the heap",
    script: fn("const all: unknown[] = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await ctx.sleep(2) }"),
    code: "script-error",
    says: /^the script ran out of memory/,
  },
  {
    fault: "SC-08 outputs nothing",
    script: fn("return undefined"),
    options: transform,
    code: "script-result",
    says: /returned nothing; it must return a plain object/,
  },
  {
    fault: "SC-08 outputs an array",
    script: fn("return [1]"),
    options: transform,
    code: "script-result",
    says: /returned an array/,
  },
  {
    fault: "SC-08 outputs NaN",
    script: fn("return { a: { b: [1, NaN] } }"),
    options: transform,
    code: "script-result",
    says: /returned NaN at a\.b\[1\]/,
  },
  {
    fault: "SC-08 outputs a promise of a function",
    script: fn("return Promise.resolve(() => 1)"),
    options: transform,
    code: "script-result",
    says: /returned a function/,
  },
  {
    fault: "SC-08 outputs a function",
    script: fn("return { go: () => 1 }"),
    options: transform,
    code: "script-result",
    says: /returned a function at go/,
  },
  {
    fault: "SC-08 outputs a symbol",
    script: fn(`return { s: Symbol("x") }`),
    options: transform,
    code: "script-result",
    says: /returned a symbol at s/,
  },
  {
    fault: "SC-08 outputs an instance",
    script: fn("class Order {}\nreturn { order: new Order() }"),
    options: transform,
    code: "script-result",
    says: /an instance of Order at order/,
  },
  {
    fault: "SC-08 outputs a Map",
    script: fn("return new Map()"),
    options: transform,
    code: "script-result",
    says: /an instance of Map/,
  },
  {
    fault: "SC-08 outputs a cycle",
    script: fn("const a: any = { b: [] }; a.b.push(a); return a"),
    options: transform,
    code: "script-result",
    says: /a value that holds itself at b\[0\]/,
  },
  {
    fault: "SC-08 outputs a text of 200 MB",
    script: fn(`return { a: "x".repeat(2e8) }`),
    options: transform,
    code: "script-result",
    says: /more than 50 MiB/,
  },
  {
    fault: "SC-08 outputs a deep value",
    script: fn("let a: any = {}; for (let i = 0; i < 1e5; i++) a = { a }; return a"),
    options: transform,
    code: "script-result",
    says: /deeper than 1000 levels/,
  },
  {
    fault: "SC-08 outputs a set prototype",
    script: fn("return { __proto__: { a: 1 } }"),
    options: transform,
    code: "script-result",
    says: /a prototype of its own/,
  },
  {
    fault: "SC-08 outputs an invalid date",
    script: fn("return { at: new Date(NaN) }"),
    options: transform,
    code: "script-result",
    says: /an invalid Date at at/,
  },
  {
    fault: "SC-08 outputs a list with a hole",
    script: fn("return { list: [1, , 3] }"),
    options: transform,
    code: "script-result",
    says: /holes.* at list/,
  },
  {
    fault: "SC-08 outputs a getter that throws",
    script: fn(`return { get a() { throw new Error("not now") } }`),
    options: transform,
    code: "script-error",
    says: /not now/,
  },
  {
    fault: "SC-09 decides by 1",
    script: fn("return 1"),
    options: condition,
    code: "script-result",
    says: /returned the number 1; it must return true or false/,
  },
  {
    fault: "SC-09 decides by a text",
    script: fn(`return "true"`),
    options: condition,
    code: "script-result",
    says: /the string "true"/,
  },
  {
    fault: "SC-11 leaves an interval",
    script: fn("setInterval(() => {}, 10)"),
    options: { timeoutMs: 600 },
    says: /left something running \(Timeout\)/,
  },
  {
    fault: "SC-12 imports a package that is not there",
    script: `import pad from "left-pad-9"\n${fn("pad()")}`,
    code: "script-error",
    says: /Cannot find .*left-pad-9'.*\n {4}at .*\.ts:1:/,
  },
  {
    fault: "SC-12 imports a file that is not there",
    script: `\nimport "./gone.js"\n${fn("")}`,
    code: "script-error",
    says: /Cannot find module '\.\/gone\.js'\n {4}at .*\.ts:2:/,
  },
  {
    fault: "SC-12 exports no function",
    script: "export const fn = 3",
    code: "script-error",
    says: /exports the number 3 as "fn"/,
  },
  {
    fault: "SC-12 has no such export",
    script: "export const other = () => {}",
    code: "script-error",
    says: /exports nothing as "fn"/,
  },
  {
    fault: "SC-12 names an export of Object",
    script: fn(""),
    options: { exportName: "toString" },
    code: "script-error",
    says: /exports nothing as "toString"/,
  },
  {
    fault: "SC-12 does not parse",
    script: "export const fn = () => {\n  const = 3\n}",
    code: "script-error",
    says: /^SyntaxError: Unexpected token\n {4}at apis\/workflow\/scripts\/checkout\/.*\.ts:2:9$/,
  },
  { fault: "SC-18 has type errors", script: "export const fn = (): number => 'text' as unknown" },
]
