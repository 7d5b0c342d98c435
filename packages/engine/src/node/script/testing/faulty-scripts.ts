// Scripts that misbehave, by id in the list of faults, with their expected outcomes.

import { fits, fn, type FaultyScript } from "./faulty-script.ts"
import { faultyResults } from "./faulty-results.ts"

const brief = { timeoutMs: 400 }
/** A gigabyte takes 8 seconds on a slow machine, and more beside other tests. */
const flood = { timeoutMs: 60_000 }

export const faultyScripts: readonly FaultyScript[] = [
  {
    fault: "loops forever",
    script: fn("while (true) {}"),
    options: brief,
    code: "script-timeout",
    says: /within 400 ms/,
  },
  {
    fault: "loops forever while it is loaded",
    script: "while (true) {}\nexport const fn = 1",
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "awaits something that never happens",
    script: fn("await new Promise(() => {})"),
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "queues microtasks forever",
    script: fn("const go = (): unknown => Promise.resolve().then(go); await go()"),
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "queues immediates forever",
    script: fn("const go = () => setImmediate(go); go(); await new Promise(() => {})"),
    options: brief,
    code: "script-timeout",
  },
  {
    fault: "throws a string",
    script: fn(`throw "boom"`),
    code: "script-error",
    says: /^the script threw "boom"$/,
  },
  {
    fault: "throws null",
    script: fn("throw null"),
    code: "script-error",
    says: /^the script threw null$/,
  },
  {
    fault: "throws undefined",
    script: fn("throw undefined"),
    code: "script-error",
    says: /^the script threw nothing$/,
  },
  {
    fault: "throws an object",
    script: fn("throw Object.freeze({ status: 404 })"),
    code: "script-error",
    says: /threw \{ status: 404 \}/,
  },
  {
    fault: "throws a cycle",
    script: fn("const a: any = { name: 'a' }; a.self = a; throw a"),
    code: "script-error",
    says: /name: 'a'.*\[Circular/,
  },
  {
    fault: "throws an error whose message throws",
    script: fn(`throw Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })`),
    code: "script-error",
    says: /message can't be read/,
  },
  {
    fault: "throws a proxy that rejects every access",
    script: fn(
      `throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } })`,
    ),
    code: "script-error",
    says: /the script threw/,
  },
  {
    fault: "throws an error with an endless message",
    script: fn(`throw new Error("x".repeat(1e7))`),
    code: "script-error",
    says: /^a text of 10000000 characters/,
  },
  {
    fault: "throws an error with a cause",
    script: fn(`throw new Error("cannot sign in", { cause: new TypeError("no token") })`),
    code: "script-error",
    says: /^cannot sign in\n.*\n {2}caused by: TypeError: no token/,
  },
  {
    fault: "throws a symbol",
    script: fn(`throw Symbol("odd")`),
    code: "script-error",
    says: /^the script threw a symbol$/,
  },
  {
    fault: "throws an error whose stack throws",
    script: fn(`throw Object.defineProperty(new Error("odd"), "stack", { get() { throw 1 } })`),
    code: "script-error",
    says: /^odd$/,
  },
  {
    fault: "throws an error that is its own cause",
    script: fn(`const error = new Error("round"); error.cause = error; throw error`),
    code: "script-error",
    says: /^round\n.*\n {2}caused by: round/,
  },
  {
    fault: "leaves a rejected promise unhandled",
    script: fn(`void Promise.reject(new Error("late"))`),
    code: "script-error",
    says: /unhandled promise rejection: late\n {4}at apis\/workflow\/scripts\/.*\.ts:2:/,
  },
  {
    fault: "rejects after its end",
    script: fn(`setTimeout(() => void Promise.reject(new Error("late")), 60)\n${fits}`),
    code: "script-error",
    says: /unhandled promise rejection: late/,
  },
  {
    fault: "throws in a timer after its end",
    script: fn(`setTimeout(() => { throw new Error("late") }, 60)\n${fits}`),
    code: "script-error",
    says: /late/,
  },
  {
    fault: "exits with 0",
    script: fn("process.exit(0)"),
    code: "script-error",
    says: /exit code 0 before it finished\n {4}at .*\.ts:2:9/,
  },
  {
    fault: "exits in a timer after its end",
    script: fn(`setTimeout(() => process.exit(0), 30)\n${fits}`),
    code: "script-error",
    says: /exit code 0/,
  },
  {
    fault: "exits while it is loaded",
    script: "process.exit(0)\nexport const fn = () => {}",
    code: "script-error",
    says: /exit code 0/,
  },
  {
    fault: "exits past all listeners",
    script: fn("(process as any).reallyExit(0)"),
    code: "script-error",
    says: /exit code 0/,
  },
  {
    fault: "aborts",
    script: fn("process.abort()"),
    code: "script-error",
    says: /terminated by SIGABRT/,
  },
  {
    fault: "kills itself",
    script: fn("process.kill(process.pid); await new Promise(() => {})"),
    code: "script-error",
    says: /terminated by SIGTERM/,
  },
  {
    fault: "kills itself at once",
    script: fn(`process.kill(process.pid, "SIGKILL")`),
    code: "script-error",
    says: /terminated by SIGKILL/,
  },
  {
    fault: "kills its process group",
    script: fn("process.kill(0); await new Promise(() => {})"),
    code: "script-error",
    says: /terminated by SIGTERM/,
  },
  {
    fault: "fills the heap",
    script: fn("const all: unknown[] = []; for (;;) all.push(new Array(1e5).fill(all.length))"),
    code: "script-error",
    says: /^the script ran out of memory/,
  },
  {
    fault: "fills memory outside the heap",
    script: fn("const all: unknown[] = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await ctx.sleep(2) }"),
    code: "script-error",
    says: /^the script ran out of memory/,
  },
  {
    fault: "prints a gigabyte",
    script: fn(`const line = "x".repeat(1e6); for (let i = 0; i < 1000; i++) console.log(line)\n${fits}`),
    options: flood,
    says: /wrote more than 1 MiB; the rest is omitted$/,
  },
  {
    fault: "starts a program that prints a gigabyte",
    script: `import { execSync } from "node:child_process"\n${fn(`execSync("yes | head -c 1000000000", { stdio: "inherit" })\n${fits}`)}`,
    options: flood,
    says: /^callsheet: the script wrote more than 1 MiB; the rest is omitted$/,
  },
  ...faultyResults,
  {
    fault: "changes everything shared",
    script: fn(
      `const all: any = globalThis\n  Object.assign(Object.prototype, { polluted: 1 }); process.env.SC10 = "x"; process.chdir("/")
  all.fetch = all.setTimeout = all.setImmediate = all.JSON.stringify = () => "x"; Array.prototype.map = () => []\n${fits}`,
    ),
  },
  {
    fault: "leaves a server and a program",
    script: `import { spawn } from "node:child_process"\nimport { createServer } from "node:net"\n${fn(`createServer().listen(0, "127.0.0.1"); spawn("sleep", ["600"])\n${fits}`)}`,
    options: { timeoutMs: 600 },
    says: /stopped work that was still running when the script ended \(.*(?:TCPServerWrap.*ProcessWrap|ProcessWrap.*TCPServerWrap)/,
  },
  {
    fault: "leaves an interval",
    script: fn(`setInterval(() => {}, 10)\n${fits}`),
    options: { timeoutMs: 600 },
    says: /stopped work that was still running when the script ended \(Timeout\)/,
  },
  {
    fault: "imports a missing package",
    script: `import pad from "left-pad-9"\n${fn("pad()")}`,
    code: "script-error",
    says: /Cannot find .*left-pad-9'.*\n {4}at .*\.ts:1:/,
  },
  {
    fault: "imports a missing file",
    script: `\nimport "./gone.js"\n${fn("")}`,
    code: "script-error",
    says: /Cannot find module '\.\/gone\.js'\n {4}at .*\.ts:2:/,
  },
  {
    fault: "exports no function",
    script: "export const fn = 3",
    code: "script-error",
    says: /exports the number 3 as "fn"/,
  },
  {
    fault: "has no such export",
    script: "export const other = () => {}",
    refused: "script-missing",
    code: "script-error",
    says: /has no export "fn"/,
  },
  {
    fault: "names an export of Object",
    script: fn(""),
    options: { exportName: "toString" },
    refused: "script-missing",
    code: "script-error",
    says: /has no export "toString"/,
  },
  {
    fault: "does not parse",
    script: "export const fn = () => {\n  const = 3\n}",
    refused: "script-syntax",
    code: "script-error",
    says: /^SyntaxError: Unexpected token.*\n {4}at apis\/workflow\/scripts\/.*\.ts:2:9\n/,
  },
  {
    fault: "writes to standard output itself",
    script: `import { writeSync } from "node:fs"\n${fn(`process.stdout.write('{"broken'); writeSync(1, "]]"); process.stderr.write("err")\n${fits}`)}`,
    says: /^\{"broken\nerr\n\]\]$/,
  },
  {
    fault: "has type errors",
    script: `export const fn = (ctx: number): number => {\n${fits}\n}`,
  },
]
