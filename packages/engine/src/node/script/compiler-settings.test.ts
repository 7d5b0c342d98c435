// Checks that scripts mean what the project's TypeScript compiler says: import aliases, decorators and `import.meta`.

import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { transform } from "./testing/faulty-script.ts"
import { useScriptBenches, type ScriptBench } from "./testing/script-bench.ts"

const { open } = useScriptBenches()

interface Attempt {
  readonly files?: Readonly<Record<string, string | object>>
  readonly script: string
}

/** Runs a script in a new project with these files. */
async function run({ files = {}, script }: Attempt): Promise<unknown> {
  const bench = open()
  onTestFinished(bench.remove)
  for (const [path, content] of Object.entries(files))
    bench.write(`/${path}`, typeof content === "string" ? content : JSON.stringify(content))
  return runIn(bench, script)
}

async function runIn(bench: ScriptBench, script: string): Promise<unknown> {
  const outcome = await bench.run(script, transform)
  return outcome.ok ? outcome.result : outcome.message
}

describe("import aliases", () => {
  const k = `export const k = 2`
  const paths = { "~/*": ["./lib/*"] }
  const script = `import { k } from "~/h"\nexport const fn = () => ({ k })`

  it.each([
    ["a file", { "tsconfig.json": { files: [], references: [{ path: "./tsconfig.app.json" }] } }],
    ["a file without ./", { "tsconfig.json": { files: [], references: [{ path: "tsconfig.app.json" }] } }],
    [
      "the second of two",
      {
        "tsconfig.node.json": { compilerOptions: {}, include: ["vite.config.ts"] },
        "tsconfig.json": {
          files: [],
          references: [{ path: "./tsconfig.node.json" }, { path: "./tsconfig.app.json" }],
        },
      },
    ],
    [
      "one that is missing, and a file with comments",
      {
        "tsconfig.json": `{ // solution\n "files": [], "references": [{ "path": "./gone" }, { "path": "./tsconfig.app.json" }, ] }`,
      },
    ],
    [
      "one that references the first",
      {
        "tsconfig.json": { files: [], references: [{ path: "./tsconfig.mid.json" }] },
        "tsconfig.mid.json": {
          files: [],
          references: [{ path: "./tsconfig.json" }, { path: "./tsconfig.app.json" }],
        },
      },
    ],
  ])("are read from a reference to %s", async (_name, files) => {
    const app = { "tsconfig.app.json": { compilerOptions: { paths }, include: ["lib"] }, "lib/h.ts": k }
    expect(await run({ files: { ...app, ...files }, script })).toEqual({ k: 2 })
  })

  it("are read from a referenced directory, and from what it extends", async () => {
    const files = {
      "tsconfig.json": { files: [], references: [{ path: "app" }] },
      "app/tsconfig.json": { extends: "../base.json" },
      "base.json": { compilerOptions: { baseUrl: ".", paths: { "~/*": ["lib/*"] } } },
      "lib/h.ts": k,
    }
    expect(await run({ files, script })).toEqual({ k: 2 })
  })

  it("come first from the project that includes the script", async () => {
    const files = {
      "tsconfig.json": {
        compilerOptions: { paths: { "~/*": ["./wrong/*"] } },
        files: [],
        references: [{ path: "./tsconfig.web.json" }, { path: "./tsconfig.tests.json" }],
      },
      "tsconfig.web.json": { compilerOptions: { paths: { "~/*": ["./wrong/*"] } }, include: ["src"] },
      "tsconfig.tests.json": { compilerOptions: { paths }, include: ["apis/**/*"] },
      "wrong/h.ts": "export const k = 1",
      "lib/h.ts": k,
    }
    expect(await run({ files, script })).toEqual({ k: 2 })
  })
})

describe("decorators", () => {
  const legacy = (options: object = {}) => ({
    "tsconfig.json": { compilerOptions: { experimentalDecorators: true, ...options } },
  })
  const log = `const seen: string[] = []\nconst note = (text: string) => (..._: unknown[]): any => { seen.push(text) }\n`

  it("work on fields with and without a value, of instances and of the class", async () => {
    const script = `${log}class Order { @note("id") id = 1; @note("sku") sku!: string; @note("all") static all = 3; @note("x") "a b" = 4; plain = this.id + 1 }
export const fn = () => { const order = new Order(); return { seen, keys: Object.keys(order), id: order.id, plain: order.plain, all: Order.all } }`
    expect(await run({ files: legacy(), script })).toEqual({
      seen: ["id", "sku", "x", "all"],
      keys: ["id", "a b", "plain"],
      id: 1,
      plain: 2,
      all: 3,
    })
  })

  it("run in the compiler's order: members of instances, then of the class, then the class", async () => {
    const script = `${log}@note("class") class A { @note("s") static s() {} @note("m2") @note("m1") m() {} @note("f") f = 1; @note("g") get g() { return 1 } constructor(@note("p") _p?: unknown) {} n(@note("np") _q: unknown) {} }
export const fn = () => { new A(); return { seen } }`
    expect(await run({ files: legacy(), script })).toEqual({
      seen: ["m1", "m2", "f", "g", "np", "s", "p", "class"],
    })
  })

  it("receive the prototype, the key and the descriptor that the compiler passes", async () => {
    const script = `const seen: unknown[] = []
const spy = (target: object, key: string | symbol, descriptor?: PropertyDescriptor) => { seen.push([target === A.prototype || target === A, String(key), typeof descriptor?.value]) }
class A { @spy f = 1; @spy m() {} @spy static s() {} @spy get g() { return 1 } }
export const fn = () => ({ seen })`
    expect(await run({ files: legacy(), script })).toEqual({
      seen: [
        [true, "f", "undefined"],
        [true, "m", "function"],
        [true, "g", "undefined"],
        [true, "s", "function"],
      ],
    })
  })

  it("replace a method by the descriptor that they return, and may use a factory's argument", async () => {
    const script = `const times = (by: number) => (_: object, _key: string, descriptor: PropertyDescriptor) => { const own = descriptor.value; return { ...descriptor, value(this: unknown, ...given: number[]) { return by * own.apply(this, given) } } }
class A { base = 2; @times(2) @times(5) add(n: number) { return this.base + n } }
export const fn = () => ({ sum: new A().add(1) })`
    expect(await run({ files: legacy(), script })).toEqual({ sum: 30 })
  })

  const checked = `const checked = (target: object, key: string) => { const values = new WeakMap(); Object.defineProperty(target, key, { get() { return "got " + values.get(this) }, set(value) { values.set(this, value) }, configurable: true, enumerable: true }) }
class A { @checked name = "x" }
class B extends A {}
export const fn = () => ({ a: new A().name, b: new B().name })`

  it.each([
    ["no target", {}, "got x"],
    ["an old target", { target: "ES2017" }, "got x"],
    ["a new target", { target: "es2022" }, "x"],
    ["ESNext", { target: "ESNext" }, "x"],
    [
      "a new target, and useDefineForClassFields off",
      { target: "ES2022", useDefineForClassFields: false },
      "got x",
    ],
    ["useDefineForClassFields on", { target: "ES2017", useDefineForClassFields: true }, "x"],
  ])("that define an accessor keep it or not, as compiled with %s", async (_name, options, value) => {
    expect(await run({ files: legacy(options), script: checked })).toEqual({ a: value, b: value })
  })

  it("describe types where the project collects metadata", async () => {
    const script = `const seen: string[] = []
Object.assign(Reflect, { metadata: (key: string, value: unknown) => (_: object, name: string) => { seen.push(key + " " + name + " " + (value as { name?: string }).name) } })
const field = (_: object, _key: string): void => {}
class A { @field count: number = 1 }
export const fn = () => ({ count: new A().count, seen })`
    const options = { emitDecoratorMetadata: true }
    expect(await run({ files: legacy(options), script })).toEqual({
      count: 1,
      seen: ["design:type count Number"],
    })
  })

  it("work in modules that a script imports, if a base configuration turns them on", async () => {
    const files = {
      "tsconfig.json": { extends: "./base.json" },
      "base.json": { compilerOptions: { experimentalDecorators: true } },
      "lib/model.ts": `export const keys: string[] = []\nconst field = (_: object, key: string): void => { keys.push(key) }\nexport default class { @field id = 1; @field private note?: string }`,
    }
    const script = `import Model, { keys } from "../../../../lib/model"\nexport const fn = () => ({ id: new Model().id, keys })`
    expect(await run({ files, script })).toEqual({ id: 1, keys: ["id", "note"] })
  })
})

describe("import.meta", () => {
  const bench = open()
  let scripts = 0

  it.each([
    ["kept in a variable", "const meta = import.meta; return { it: meta.filename }"],
    ["destructured", "const { filename } = import.meta; return { it: filename }"],
    ["cast", "return { it: (import.meta as unknown as { filename: string }).filename }"],
    ["read by a computed name", `const name = "filename"; return { it: (import.meta as any)[name] }`],
    ["read by a quoted name", `return { it: import.meta["filename"] }`],
    ["read with ?.", "return { it: import.meta?.filename }"],
    ["passed on", "return { it: ((meta: any) => meta.filename)(import.meta) }"],
    ["spread", "return { it: { ...import.meta }.filename }"],
    ["a URL", `return { it: decodeURI(new URL(import.meta.url).pathname) }`],
    ["a base of a URL", `return { it: decodeURI(new URL("./script-1.ts", import.meta.url).pathname) }`],
    ["a directory", `return { it: import.meta.dirname + "/script-1.ts" }`],
    ["resolving", `return { it: decodeURI(new URL(import.meta.resolve("./script-1")).pathname) }`],
    [
      "with resolve in a variable",
      `const { resolve } = import.meta; return { it: decodeURI(new URL(resolve("./script-1.ts")).pathname) }`,
    ],
  ])("works %s", async (_name, body) => {
    const name = `script-${++scripts}`
    const script = `export const fn = () => { ${body.replace("script-1", name)} }`
    const file = join(bench.root, `apis/workflow/scripts/checkout/${name}.ts`)
    expect(await runIn(bench, script)).toEqual({ it: file })
  })

  it("says nothing more than Node does, and is one object per module", async () => {
    const script = `const first = import.meta
export const fn = () => ({ same: first === import.meta, main: import.meta.main, hot: "hot" in import.meta, kind: typeof import.meta })`
    expect(await run({ script })).toEqual({ same: true, main: false, hot: false, kind: "object" })
  })
})
