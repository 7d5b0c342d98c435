// Opens the sample project in an editor with only callsheet installed, and checks the types that a user gets.

import { cp, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callsheet, createFolder, writeFiles } from "../harness/callsheet.ts"
import { LanguageServer } from "./language-server.ts"

const sample = fileURLToPath(new URL("../../examples/shop", import.meta.url))
const file = "apis/workflow/scripts/returns/new.ts"
let folder: string
let server: LanguageServer

beforeAll(async () => {
  folder = await createFolder()
  await cp(sample, folder, { recursive: true, filter: (path) => !path.includes("node_modules") })
  const { exitCode, stderr } = await callsheet(["types"], { folder })
  expect(exitCode, stderr).toBe(0)
  server = await LanguageServer.open(folder)
}, 60_000)

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns a script whose function receives a context. */
const scriptOf = (context: string, body: string): string =>
  `import type { ${/^\w+/.exec(context)?.[0]} } from "@callsheet/sdk"\n` +
  `type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false\n` +
  `const is = <A, B>(same: Is<A, B>): unknown => same\n` +
  `export function made(ctx: ${context}) {\n${body}\n}\nvoid is\n`

describe("in the sample project", () => {
  it.each([
    ["", ["order", "shipment", "plan", "return", "approval", "env", "minimum"]],
    ["order.", ["order.response"]],
    ["order.response.", ["order.response.status", "order.response.headers", "order.response.body"]],
    ["order.response.body.", ["order.response.body.id", "order.response.body.lines"]],
    ["order.response.body.lines[0].", ["order.response.body.lines[0].sku"]],
    ["order.response.body.lines.0.total.", ["order.response.body.lines.0.total.amount"]],
    ["plan.", ["plan.lines", "plan.refund"]],
    ["env.shop.", ["env.shop.currency", "env.shop.baseUrl"]],
  ])("%j is completed with valid paths", async (begun, wanted) => {
    const text = scriptOf("AssertContext", `return ctx.get("${begun}|")`)
    expect(await server.completions(file, text)).toEqual(expect.arrayContaining(wanted))
  })

  it.each<[string, string, string]>([
    ["AssertContext", `ctx.get("order.response.body.id")`, "string"],
    ["AssertContext", `ctx.get("order.response.body.total.amount")`, "number"],
    ["AssertContext", `ctx.get("order.response.body.lines.0.sku")`, "string | undefined"],
    ["AssertContext", `ctx.get("order.response.body.lines").length`, "number"],
    ["AssertContext", `ctx.get("order.response.status")`, "number"],
    ["AssertContext", `ctx.get("order.response.headers.set-cookie")`, "string[] | undefined"],
    ["AssertContext", `ctx.get("order.response.body.title")`, "string | undefined"],
    ["AssertContext", `ctx.get("plan.refund")`, "number"],
    ["ConditionContext", `ctx.get("plan.refund")`, "number"],
    ["ConditionContext", `ctx.get("approval.response.body.id")`, "string | undefined"],
    [`ConditionContext<"isApproved">`, `ctx.get("approval.response.body.id")`, "string"],
    [`ConditionContext<"isApproved">`, `ctx.iteration?.value`, "number | undefined"],
    ["TransformContext", `ctx.get("shipment.response.body.status")`, `"pending" | "packed" | "shipped"`],
    ["TransformContext", `ctx.inputs.minimum`, "number"],
    ["TransformContext", `ctx.get("minimum")`, "number"],
    ["ScriptContext", `ctx.env("shop").baseUrl`, "string"],
    ["ScriptContext", `ctx.env("shop").currency`, "string | undefined"],
    ["ScriptContext", `ctx.secret(ctx.get("order.response.body.id"))`, "string"],
    ["ScriptContext", `ctx.env("payments").sandbox`, "boolean | undefined"],
    ["ScriptContext", "ctx.get(`order.${String(ctx)}`)", "unknown"],
    ["ScriptContext", `ctx.get<string>("whatever")`, "string | undefined"],
    ["BaseContext", `ctx.get("order.response.body.id")`, "string"],
  ])("with %s, %s is of type %s", async (context, expression, type) => {
    const text = scriptOf(context, `const value = ${expression}\nis<typeof value, ${type}>(true)`)
    expect(await server.diagnostics(file, text)).toEqual([])
  })

  it("needs no annotation for the documented type", async () => {
    const right = scriptOf("AssertContext", `const id: string = ctx.get("order.response.body.id")\nreturn id`)
    expect(await server.diagnostics(file, right)).toEqual([])
    const wrong = scriptOf("AssertContext", `const id: number = ctx.get("order.response.body.id")\nreturn id`)
    expect(await server.diagnostics(file, wrong)).toMatchObject([
      { at: "id", message: "Type 'string' is not assignable to type 'number'." },
    ])
  })

  it.each<[string, string, string, string]>([
    [
      "AssertContext",
      `ctx.get("order.response.body.idd")`,
      `"order.response.body.idd"`,
      `"order.response.body.id"`,
    ],
    ["AssertContext", `ctx.get("ordr.response.body.id")`, `"ordr.response.body.id"`, `"order"`],
    [
      "AssertContext",
      `ctx.get("order.response.body.id.first")`,
      `"order.response.body.id.first"`,
      `"order.response.body.id"`,
    ],
    [
      "AssertContext",
      `ctx.get("order.response.body.lines.first")`,
      `"order.response.body.lines.first"`,
      `.lines.0"`,
    ],
    [
      "TransformContext",
      `ctx.get("return.response.body.id")`,
      `"return.response.body.id"`,
      "runs later and has no result yet",
    ],
    ["ScriptContext", `ctx.get("plan.refund")`, `"plan.refund"`, "runs later and has no result yet"],
    ["ConditionContext", `ctx.env("shp")`, `"shp"`, `"shop"`],
    ["ScriptContext", `ctx.env("shop").currencyy`, "currencyy", "currency"],
    ["ScriptContext", `ctx.secret(ctx.env("shop").currency)`, `ctx.env("shop").currency`, "undefined"],
    ["ScriptContext", `ctx.inputs.maximum`, "maximum", "does not exist"],
    [`AssertContext<"nobodyCallsThis">`, `ctx.log()`, `"nobodyCallsThis"`, "refundIsRight"],
  ])("with %s, %s is an error", async (context, expression, at, said) => {
    const found = await server.diagnostics(file, scriptOf(context, expression))
    expect(found).toMatchObject([{ at }])
    expect(found[0]?.message).toContain(said)
  })

  it("finds no error in the existing scripts, which declare their types", async () => {
    const { readFile } = await import("node:fs/promises")
    for (const name of ["checks", "money", "plan-return", "unpack"]) {
      const path = `apis/workflow/scripts/returns/${name}.ts`
      expect(await server.diagnostics(path, await readFile(join(folder, path), "utf8"))).toEqual([])
    }
  })

  it.each([
    "workflow",
    "block",
    "inputs",
    "iteration",
    "get",
    "has",
    "env",
    "log",
    "signal",
    "sleep",
    "assert",
  ])("describes ctx.%s", async (member) => {
    const shown = await server.hover(file, scriptOf("AssertContext", `return ctx.${member}`), `${member}\n}`)
    expect(shown).toMatch(/[A-Z][a-z]+ .*\./)
  })

  it("accepts a context in a helper that several workflows share", async () => {
    const helper = `import type { AssertContext, BaseContext } from "@callsheet/sdk"\nexport const first = (ctx: BaseContext) => ctx.get("a.b")\nexport const second = (ctx: AssertContext) => ctx.assert(first(ctx))\n`
    await writeFiles(folder, { "apis/workflow/scripts/shared/helper.ts": helper })
    const body = `const { first, second } = ctx.get<typeof import("../shared/helper.ts")>("any")!\nfirst(ctx)\nsecond(ctx)`
    expect(await server.diagnostics(file, scriptOf("AssertContext", body))).toEqual([])
    expect(await server.diagnostics(file, scriptOf("ScriptContext", body))).toMatchObject([{ at: "ctx" }])
  })

  it("accepts a function's context in a general helper", async () => {
    const body = `const help = (any: import("@callsheet/sdk").BaseContext) => any.get("order.response.body.id")\nreturn help(ctx)`
    expect(await server.diagnostics(file, scriptOf(`AssertContext<"refundIsRight">`, body))).toEqual([])
  })
})
