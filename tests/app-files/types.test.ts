// Types of scripts in the app: the project's own compiler checks unsaved text, within bounds, after the user allowed it.

import { mkdir, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { FileHandlersOptions } from "@callsheet/server"
import { makeFolder } from "../app-project/open-project.ts"
import { openFiles, type FileName } from "./open-files.ts"

const order = {
  type: "object",
  required: ["id", "lines"],
  properties: {
    id: { type: "string" },
    lines: {
      type: "array",
      items: { type: "object", required: ["sku"], properties: { sku: { type: "string" } } },
    },
  },
}
const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/orders": {
        post: {
          operationId: "createOrder",
          responses: { "201": { description: "made", content: { "application/json": { schema: order } } } },
        },
      },
    },
  },
  "apis/workflow/checkout.json": {
    version: 1,
    blocks: [
      { id: "create", type: "request", request: { api: "shop", operation: "createOrder" } },
      { id: "check", type: "assert", script: { name: "checks", exportName: "isRight" } },
    ],
  },
  "apis/workflow/scripts/checkout/checks.ts": "",
  "apis/workflow/scripts/checkout/lib/names.ts":
    "const unused = 1\n/** Joins names. */\nexport const joined = (names: string[]): string => names.join()\nvoid joined\n",
}
const id = { workflow: "checkout", script: "checks" }
const checks: FileName = { kind: "script", ...id }
const compiler = dirname(fileURLToPath(import.meta.resolve("typescript/package.json")))

async function open(options: Partial<FileHandlersOptions> = {}) {
  const project = await openFiles(files, options)
  await mkdir(project.path("node_modules"))
  await symlink(compiler, project.path("node_modules/typescript"), "junction")
  const allow = (isAllowed: boolean) => project.calls["types.allow"]({ isAllowed })
  /** Where `|` is in the text. */
  const at = (marked: string) => {
    const lines = marked.slice(0, marked.indexOf("|")).split("\n")
    return { script: id, text: marked.replace("|", ""), line: lines.length, column: lines.at(-1)!.length + 1 }
  }
  return {
    ...project,
    allow,
    complete: async (marked: string) => (await project.calls["types.complete"](at(marked))).names,
    describe: async (marked: string, entry?: string) =>
      (await project.calls["types.describe"]({ ...at(marked), entry })).meaning,
    checkText: async (text: string) =>
      (await project.check(checks, text)).map(({ line, column, message }) => `${line}:${column} ${message}`),
  }
}

const scriptOf = (body: string): string =>
  `import type { AssertContext } from "@callsheet/sdk"\n` +
  `import { joined } from "./lib/names.ts"\n` +
  `export function isRight(ctx: AssertContext) {\n${body}\n}\nvoid joined\n`

describe("types of a script", () => {
  it("are checked, completed and described with the documented types of earlier blocks", async () => {
    const { allow, checkText, complete, describe: meaning } = await open()
    expect(await allow(true)).toMatchObject({ state: "on" })
    expect(
      await checkText(scriptOf(`const id: number = ctx.get("create.response.body.id")\nvoid id`)),
    ).toEqual(["4:7 TS2322: Type 'string' is not assignable to type 'number'."])
    expect(await checkText(scriptOf(`ctx.get("create.response.body.ids")`))).toEqual([
      expect.stringContaining("4:9 TS2345"),
    ])
    expect(await checkText(scriptOf(`return ctx.get("create.response.body.id").length`))).toEqual([])
    expect(await complete(scriptOf(`ctx.get("create.response.body.lines")[0].|`))).toEqual(["sku"])
    expect(await complete(scriptOf(`ctx.get("create.response.body.|")`))).toContain(
      "create.response.body.lines",
    )
    const lines = scriptOf(`const l|ines = ctx.get("create.response.body.lines")\nvoid lines`)
    expect((await meaning(lines))?.type).toMatch(/^lines: .*\[\]$/)
    expect(await meaning(scriptOf(`ctx.l|`), "log")).toMatchObject({
      type: expect.stringContaining("log: ("),
      documentation: expect.stringContaining("Secrets are masked."),
    })
  })

  it("lead to a declaration in another script, and have its documentation", async () => {
    const { allow, describe: meaning } = await open()
    await allow(true)
    expect(await meaning(scriptOf(`return joi|ned(["é"])`))).toEqual({
      type: "joined: (names: string[]) => string",
      documentation: "Joins names.",
      definition: { workflow: "checkout", script: "lib/names", line: 3, column: 14 },
    })
    expect((await meaning(scriptOf(`ctx.l|og()`)))?.definition).toBeUndefined()
  })

  it("follow unsaved texts of the workflow and of other scripts", async () => {
    const { allow, checkText, load, keep } = await open()
    await allow(true)
    const script = scriptOf(`ctx.get("other.response.body.id")\nreturn joined(1)`)
    expect(await checkText(script)).toHaveLength(2)
    const workflow: FileName = { kind: "workflow", workflow: "checkout" }
    const before = await load(workflow)
    await keep(workflow, before.etag, before.text.replace(`"create"`, `"other"`))
    const names: FileName = { kind: "script", workflow: "checkout", script: "lib/names" }
    const { etag } = await load(names)
    await keep(names, etag, "export const joined = (count: number): number => count\n")
    expect(await checkText(script)).toEqual([])
  })

  it("never come from files outside the project", async () => {
    const { allow, checkText, path } = await open()
    await allow(true)
    const outside = await makeFolder({ "keys.json": { key: "k" }, "keys.ts": "export const key = 1\n" })
    await symlink(join(outside, "keys.ts"), path("apis/workflow/scripts/checkout/link.ts"))
    await writeFile(path("apis/workflow/scripts/checkout/here.json"), "{}")
    const texts = [
      `import keys from "${outside}/keys.json"\nvoid keys\nexport {}\n`,
      `import { key } from "${outside}/keys.ts"\nvoid key\n`,
      `import { key } from "./link.ts"\nvoid key\n`,
      `/// <reference path="${outside}/keys.ts" />\nexport {}\n`,
      `import passwd from "/etc/passwd"\nvoid passwd\n`,
    ]
    for (const text of texts)
      expect(await checkText(text), text).toEqual([expect.stringMatching(/TS(?:2307|6053|2882)/)])
    expect(await checkText(`import here from "./here.json"\nvoid here\n`)).toEqual([])
  })

  it("stop being computed after the limit, and the next question is answered", async () => {
    const { allow, checkText } = await open({ typeLimitMs: 1_000 })
    await allow(true)
    const digits = `type Tree<D extends 0[], P extends string> = D extends [0, ...infer R extends 0[]] ? Tree<R, \`\${P}0\`> | Tree<R, \`\${P}1\`> : P\n`
    const zeros = Array.from({ length: 17 }, () => "0").join(", ")
    const slow = Array.from({ length: 40 }, (_, at) => `export type T${at} = Tree<[${zeros}], "${at}">\n`)
    expect(await checkText(digits + slow.join(""))).toEqual([
      "1:1 TypeScript did not check the types of this script within 1 seconds",
    ])
    expect(await checkText("export const n: number = ''\n")).toHaveLength(1)
  })
})

describe("the project's compiler", () => {
  it("never runs before the user allows it, or while other machines can reach the app", async () => {
    const wrong = "export const n: number = ''\n"
    const project = await open()
    expect(await project.calls["types.read"]({})).toMatchObject({ state: "off" })
    expect(await project.checkText(wrong)).toEqual([])
    expect(await project.complete("const a = [1]\na.|")).toEqual([])
    await project.allow(true)
    expect(await project.checkText(wrong)).toHaveLength(1)
    // The permission is kept for the next start, and can be taken back.
    const again = await openFiles(project.root, { state: project.state })
    expect(await again.calls["types.read"]({})).toMatchObject({ state: "on" })
    expect(await project.allow(false)).toMatchObject({ state: "off" })
    expect(await project.checkText(wrong)).toEqual([])
    const remote = await open({ isRemote: () => true })
    expect(await remote.allow(true)).toEqual({ state: "remote" })
    expect(await remote.checkText(wrong)).toEqual([])
  })

  it("may be missing or too old", async () => {
    const { calls, path, allow } = await openFiles(files).then((project) => ({
      ...project,
      allow: () => project.calls["types.allow"]({ isAllowed: true }),
    }))
    expect(await calls["types.read"]({})).toEqual({ state: "missing" })
    await mkdir(path("node_modules/typescript"), { recursive: true })
    await writeFile(path("node_modules/typescript/package.json"), `{ "version": "5.9.2" }`)
    expect(await calls["types.read"]({})).toEqual({ state: "old", version: "5.9.2" })
    expect(await allow()).toEqual({ state: "old", version: "5.9.2" })
  })
})
