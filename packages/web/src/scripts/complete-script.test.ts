import { CompletionContext } from "@codemirror/autocomplete"
import { javascript } from "@codemirror/lang-javascript"
import { EditorState } from "@codemirror/state"
import { describe, expect, it } from "vitest"
import type { NamedField, ScriptTypesView } from "@callsheet/server/calls"
import { completeScript } from "./complete-script.ts"

const text = (name: string, more: Partial<NamedField> = {}): NamedField => ({
  name,
  words: "string",
  kinds: ["string"],
  ...more,
})
const object = (name: string, fields: readonly NamedField[]): NamedField => ({
  name,
  words: "object",
  kinds: ["object"],
  fields,
})

const order = object("body", [
  text("status", { values: ["open", "paid"], description: "How far it has come." }),
  text("odd name"),
  {
    name: "items",
    words: "array of Item",
    kinds: ["array"],
    items: { words: "Item", kinds: ["object"], fields: [text("sku")] },
  },
  object("total", [{ name: "amount", words: "number", kinds: ["number"] }]),
])

const types: ScriptTypesView = {
  names: [
    object("order", [object("response", [order, { name: "status", words: "integer", kinds: ["number"] }])]),
    object("later", [text("id")]),
    text("sku"),
  ],
  inputs: [text("sku")],
  environments: [object("shop", [text("baseUrl")])],
  calls: [
    {
      context: "AssertContext",
      block: "check",
      script: "checks",
      exportName: "check",
      names: ["order", "sku"],
    },
  ],
}

/** Returns the completions at the `|` in a text. */
function offered(marked: string): readonly string[] {
  const pos = marked.indexOf("|")
  const state = EditorState.create({
    doc: marked.replace("|", ""),
    extensions: javascript({ typescript: true }),
  })
  const result = completeScript(new CompletionContext(state, pos, true), { types, script: "checks" })
  const typed = result === null ? "" : state.sliceDoc(result.from, pos)
  return (result?.options ?? []).map(({ label }) => label).filter((label) => label.startsWith(typed))
}

const inCheck = (body: string): string => `export function check(ctx: AssertContext) {\n  ${body}\n}\n`

describe("completion in a script", () => {
  it("offers the members of the context by its kind", () => {
    expect(offered(inCheck("ctx.|"))).toEqual(expect.arrayContaining(["assert", "get", "inputs", "env"]))
    expect(offered("export const f = (ctx: ConditionContext) => ctx.|")).not.toContain("assert")
    expect(offered("export const f = (other: Order) => other.|")).toEqual([])
    expect(offered(inCheck("ctx.inputs.|"))).toEqual(["sku"])
    expect(offered(inCheck("ctx.block.|"))).toEqual(["id", "type", "description"])
  })

  it("offers the steps of a path by the documents", () => {
    expect(offered(inCheck(`ctx.get("|")`))).toEqual(["order", "sku"])
    expect(offered(inCheck(`ctx.get("or|`))).toEqual(["order"])
    expect(offered(inCheck(`ctx.has('order.response.|')`))).toEqual(["body", "status"])
    expect(offered(inCheck("ctx.get<string>(`order.response.body.st|`)"))).toEqual(["status"])
    expect(offered(inCheck(`ctx.get("order.response.body.items[|")`))).toEqual(["0"])
    expect(offered(inCheck(`ctx.get("order.response.body.items[0].|")`))).toEqual(["sku"])
    expect(offered(inCheck(`ctx.get("order.nothing.|")`))).toEqual([])
    expect(offered(inCheck(`ctx.log("|")`))).toEqual([])
    expect(offered(inCheck(`ctx.log("x", "|")`))).toEqual([])
  })

  it("offers earlier blocks if blocks call the function, and everything if none does", () => {
    expect(offered(`export const unused = (ctx: AssertContext) => ctx.get("|")`)).toEqual([
      "order",
      "later",
      "sku",
    ])
  })

  it("offers APIs and their variables", () => {
    expect(offered(inCheck(`ctx.env("|")`))).toEqual(["shop"])
    expect(offered(inCheck(`ctx.env("shop").|`))).toEqual(["baseUrl"])
    expect(offered(inCheck(`ctx.env("shop")["|"]`))).toEqual(["baseUrl"])
    expect(offered(inCheck(`ctx.inputs["|"]`))).toEqual(["sku"])
  })

  it("follows variables that refer to a part of a value", () => {
    expect(offered(inCheck(`const body = ctx.get("order.response.body")\n  body.t|`))).toEqual(["total"])
    expect(offered(inCheck(`const total = ctx.get("order.response.body")!.total\n  total?.|`))).toEqual([
      "amount",
    ])
    expect(offered(inCheck(`const { total: sum } = ctx.get("order.response.body") ?? {}\n  sum.|`))).toEqual([
      "amount",
    ])
    expect(
      offered(inCheck(`const shop = ctx.env("shop")\n  if (true) { const url = shop\n  url.| }`)),
    ).toEqual(["baseUrl"])
    expect(
      offered(`export const check = ({ get, inputs }: AssertContext) => get("order.response.body").total.|`),
    ).toEqual(["amount"])
    expect(offered(`export const check = ({ inputs }: AssertContext) => inputs.|`)).toEqual(["sku"])
    expect(offered(inCheck(`const first = ctx.get("order.response.body.items")[0]\n  first.|`))).toEqual([
      "sku",
    ])
  })

  it("stops if variables form a cycle or are shadowed", () => {
    expect(offered(inCheck(`const a = a.b\n  a.|`))).toEqual([])
    expect(offered(inCheck(`const a = b\n  const b = a\n  a.|`))).toEqual([])
    expect(offered(inCheck(`const f = (ctx: Other) => ctx.|`))).toEqual([])
  })

  it("shows the type, the description and the values", () => {
    const state = EditorState.create({
      doc: inCheck(`ctx.get("order.response.body.")`),
      extensions: javascript({ typescript: true }),
    })
    const pos = state.doc.toString().indexOf('body."') + 5
    const result = completeScript(new CompletionContext(state, pos, true), { types, script: "checks" })
    expect(result?.options[0]).toMatchObject({
      label: "status",
      detail: "string",
      info: 'How far it has come.\nOne of: "open", "paid"',
    })
  })

  it("offers the contexts in a parameter declaration", () => {
    expect(offered("export const f = (ctx: Ass|) => 1")).toEqual(["AssertContext"])
  })
})
