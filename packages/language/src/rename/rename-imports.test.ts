import { describe, expect, it } from "vitest"
import { fixImports, importedScripts } from "./rename-imports.ts"

const folder = "apis/workflow/scripts/checkout"
const known = new Set(
  ["sum.ts", "pay.ts", "lib/money.ts", "lib/index.ts", "../other/sum.ts"].map((name) =>
    name.startsWith("../") ? `apis/workflow/scripts/${name.slice(3)}` : `${folder}/${name}`,
  ),
)

/** Returns the text of a workflow's script after another script was renamed. */
const fixed = (text: string, from = "sum", to = "total", file = "pay") =>
  fixImports(
    { file: `${folder}/${file}.ts`, text },
    { from: `${folder}/${from}.ts`, to: `${folder}/${to}.ts`, known },
  )

describe("fixImports", () => {
  it.each([
    ['import { sum } from "./sum.ts"', 'import { sum } from "./total.ts"'],
    ["import { sum } from './sum'", "import { sum } from './total'"],
    ["import type { Sum } from\n\t'./sum.js' // it", "import type { Sum } from\n\t'./total.js' // it"],
    ['import"./sum.ts";export*from"../checkout/sum"', 'import"./total.ts";export*from"./total"'],
    ["const { sum } = await import(`./sum.ts`)", "const { sum } = await import(`./total.ts`)"],
    ['import sum = require( "./sum" )', 'import sum = require( "./total" )'],
    ['import x from "./sum.ts?x#y"', 'import x from "./total.ts?x#y"'],
    ['let a: typeof import("./sum.ts").sum\r\n', 'let a: typeof import("./total.ts").sum\r\n'],
  ])("turns %j into %j", (before, after) => {
    expect(fixed(before)).toEqual({ text: after, warnings: [] })
  })

  it.each([
    'import { sum } from "../other/sum.ts"',
    'import { sum } from "sum"; import "node:fs"; import x from "./summary.ts"',
    'import { sum } from "./sum.json"; Array.from("./pay.ts"); it.import("./pay.ts")',
    "await import(`./${name}.ts`)",
    'const text = "."',
  ])("leaves %j unchanged, without an issue", (text) => {
    expect(fixed(text)).toEqual({ text, warnings: [] })
  })

  it("follows a move into a directory and out of it, and finds a directory's index", () => {
    expect(fixed('import a from "./sum.ts"', "sum", "checks/total").text).toBe(
      'import a from "./checks/total.ts"',
    )
    expect(fixed('import a from "./money"', "lib/money", "cash", "lib/index").text).toBe(
      'import a from "../cash"',
    )
    expect(fixed('import a from "./lib"', "lib/index", "lib/all").text).toBe('import a from "./lib/all"')
    expect(fixed('import a from "./lib"', "lib/money", "cash").text).toBe('import a from "./lib"')
  })

  it("updates the script's own imports, itself included, if it moves to another directory", () => {
    const own =
      'import a from "./pay"\nimport b from "./lib/money.ts"\nimport data from "./data.json"\nimport c from "./sum"\n'
    expect(fixed(own, "sum", "checks/deep/total", "sum").text).toBe(
      'import a from "../../pay"\nimport b from "../../lib/money.ts"\nimport data from "../../data.json"\nimport c from "./total"\n',
    )
    expect(fixed(own, "sum", "total", "sum").text).toBe(own.replace('"./sum"', '"./total"'))
  })

  it("reports a quoted path that would lead elsewhere, and leaves it unchanged", () => {
    const text = 'const at = [1]\n  new URL("./sum.ts", import.meta.url)\n'
    expect(fixed(text)).toEqual({
      text,
      warnings: [
        expect.objectContaining({
          file: `${folder}/pay.ts`,
          line: 2,
          column: 11,
          message: '"./sum.ts" may refer to the renamed script, but callsheet updates only imports',
        }),
      ],
    })
    expect(fixed('read("./data.json"); x.split(".")', "sum", "checks/total", "sum").warnings).toHaveLength(1)
  })

  it("switches quotes for a name that contains one", () => {
    expect(fixed("import a from './sum'", "sum", "it's").text).toBe('import a from "./it\'s"')
    expect(fixed("import(`./sum`)", "sum", "a${b}").text).toBe('import("./a${b}")')
  })

  it("handles 1 MB of quotes within two seconds", () => {
    const text = `${'"./'.repeat(100_000)}${"from ".repeat(140_000)}`
    const start = performance.now()
    expect(fixed(text).text).toBe(text)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe("importedScripts", () => {
  it("finds the scripts behind imports, and no other quoted paths", () => {
    const text = `import { sum } from "./sum.js"; export * from "../other/sum"; import "./lib"; f("./pay.ts")`
    expect([...importedScripts({ file: `${folder}/pay.ts`, text }, known)]).toEqual([
      `${folder}/sum.ts`,
      "apis/workflow/scripts/other/sum.ts",
      `${folder}/lib/index.ts`,
    ])
  })
})
