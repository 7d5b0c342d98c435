// Actions that declare variables, create files, assert and extract. Each is applied, and the project is checked again.

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { CodeAction, Position } from "vscode-languageserver-protocol"
import { describe, expect, it } from "vitest"
import { fullClient, type Editor } from "./editor.ts"
import { codeOf, openShop, rangeAt } from "./project.ts"

const file = "apis/workflow/fresh.json"
const schema = "apis/shop/environments/schema.json"

const workflow = (block: object, more: readonly object[] = []): string =>
  `${JSON.stringify({ version: 1, blocks: [block, ...more] }, null, 2)}\n`

const request = (members: object): object => ({
  id: "first",
  type: "request",
  request: { api: "shop", ...members },
})

const status = { source: "first.response.status", operator: "exists" }
const seen = { id: "seen", type: "assert", assertions: [status] }

async function offersFor(editor: Editor, of: string, position?: Position): Promise<readonly CodeAction[]> {
  const diagnostics = await editor.diagnose(of)
  const at = position ?? diagnostics[0]?.range.start ?? { line: 0, character: 0 }
  return editor.actions(of, { range: { start: at, end: at }, diagnostics })
}

const find = (actions: readonly CodeAction[], title: string | RegExp): CodeAction | undefined =>
  actions.find((each) => (typeof title === "string" ? each.title === title : title.test(each.title)))

describe("declare a variable", () => {
  it.each([
    ["env.shop.region", "region"],
    ["region", "region"],
  ])("that a workflow reads as {{%s}}", async (path, name) => {
    const text = workflow(
      request({ operation: "listProducts", overrides: { params: { header: { "x-a": `a{{${path}}}` } } } }),
      [seen],
    )
    const { editor } = openShop({ [file]: text })
    expect((await editor.diagnose(file)).map(codeOf)).toEqual(["token-unresolved"])
    const action = find(await offersFor(editor, file), `Declare the variable "${name}" of shop`)
    expect(action?.kind).toBe("quickfix")
    editor.apply(action?.edit)
    expect(await editor.diagnose(file)).toEqual([])
    expect(JSON.parse(editor.textOf(schema))).toMatchObject({
      variables: { region: { type: "string", required: false } },
    })
  })

  it("that a value file sets, with the type of its values", async () => {
    const values = "apis/shop/environments/local.json"
    const { editor, root } = openShop()
    const text = readFileSync(join(root, values), "utf8")
    editor.type(values, text.replace("{", '{ "pageSize": 5,'))
    const action = find(await offersFor(editor, values), 'Declare the variable "pageSize" of shop')
    editor.apply(action?.edit)
    expect(await editor.diagnose(values)).toEqual([])
    expect(JSON.parse(editor.textOf(schema))).toMatchObject({ variables: { pageSize: { type: "number" } } })
  })

  it("is not offered for a name that is not a variable", async () => {
    const { editor } = openShop({
      [file]: workflow({ id: "a", type: "transform", transforms: { b: "nothing.here" } }),
    })
    expect(find(await offersFor(editor, file), /Declare/)).toBeUndefined()
  })
})

describe("create what a block names", () => {
  it("a saved request, with an operation of its name", async () => {
    const text = workflow(request({ resource: "orders", instance: "create-order" }), [seen])
    const { editor, root } = openShop({ [file]: text })
    const action = find(await offersFor(editor, file), "Create the saved request orders/create-order")
    editor.apply(action?.edit)
    const created = readFileSync(join(root, "apis/shop/requests/orders/create-order.json"), "utf8")
    expect(JSON.parse(created)).toEqual({ version: 1, operation: "createOrder" })
    expect((await editor.diagnose(file)).map(codeOf)).not.toContain("instance-unknown")
  })

  it("a script with the function", async () => {
    const script = { name: "checks/total", exportName: "total" }
    const { editor, root } = openShop({ [file]: workflow({ id: "check", type: "assert", script }) })
    editor.apply(find(await offersFor(editor, file), "Create the script checks/total with total")?.edit)
    const path = "apis/workflow/scripts/fresh/checks/total.ts"
    expect(readFileSync(join(root, path), "utf8")).toContain(
      "export function total(ctx: AssertContext): void {",
    )
    expect(await editor.diagnose(file)).toEqual([])
    // The same script without a second function.
    editor.type(file, editor.textOf(file).replace('"exportName": "total"', '"exportName": "other"'))
    editor.apply(find(await offersFor(editor, file), "Add other to the script checks/total")?.edit)
    expect(await editor.diagnose(file)).toEqual([])
  })

  it("only if the client can create files", async () => {
    const capabilities = { ...fullClient, workspace: { workspaceEdit: { documentChanges: true } } }
    const script = { name: "total", exportName: "total" }
    const { editor, root } = openShop(
      { [file]: workflow({ id: "check", type: "assert", script }) },
      { capabilities },
    )
    expect(find(await offersFor(editor, file), /Create/)).toBeUndefined()
    expect(existsSync(join(root, "apis/workflow/scripts/fresh"))).toBe(false)
  })

  it("never for a name that leads elsewhere or is code", async () => {
    for (const script of [
      { name: "../../x", exportName: "total" },
      { name: "total", exportName: "a(){}//" },
    ]) {
      const { editor } = openShop({ [file]: workflow({ id: "check", type: "assert", script }) })
      expect(find(await offersFor(editor, file), /script/)).toBeUndefined()
    }
    const elsewhere = workflow(request({ resource: "..", instance: "../../x" }))
    const { editor } = openShop({ [file]: elsewhere })
    expect(find(await offersFor(editor, file), /Create/)).toBeUndefined()
  })
})

describe("assert the status", () => {
  const text = workflow(request({ operation: "addLine" }), [{ id: "check-first", type: "group", blocks: [] }])

  it("in a new block after the request, with the documented status", async () => {
    const { editor } = openShop({ [file]: text })
    const actions = await offersFor(editor, file, rangeAt(text, '"first"').start)
    editor.apply(find(actions, 'Assert that "first" receives 201')?.edit)
    expect(JSON.parse(editor.textOf(file))).toMatchObject({
      blocks: [
        { id: "first" },
        {
          id: "check-first-2",
          type: "assert",
          assertions: [{ source: "first.response.status", operator: "equals", value: 201 }],
        },
        { id: "check-first" },
      ],
    })
    // Now the workflow reads it.
    expect(find(await offersFor(editor, file, rangeAt(text, '"first"').start), /Assert/)).toBeUndefined()
  })

  it("in the assert block that follows", async () => {
    const after = { ...seen, assertions: [{ source: "first.response.body", operator: "exists" }] }
    const own = workflow(request({ operation: "listProducts" }), [after])
    const { editor } = openShop({ [file]: own })
    editor.apply(find(await offersFor(editor, file, rangeAt(own, '"first"').start), /Assert/)?.edit)
    const { blocks } = JSON.parse(editor.textOf(file)) as { blocks: { assertions?: unknown[] }[] }
    expect(blocks).toHaveLength(2)
    expect(blocks[1]?.assertions).toHaveLength(2)
  })
})

describe("extract a value", () => {
  const own = (value: unknown, key = "page"): string =>
    workflow(request({ operation: "listProducts", overrides: { params: { query: { [key]: value } } } }), [
      seen,
    ])

  it("to a declared variable with the value in each environment that others extend", async () => {
    const text = own(7)
    const { editor } = openShop({ [file]: text })
    const actions = await offersFor(editor, file, rangeAt(text, "7").start)
    editor.apply(find(actions, 'Extract the value to the variable "page" of shop')?.edit)
    expect(editor.textOf(file)).toBe(text.replace("7", '"{{page}}"'))
    expect(JSON.parse(editor.textOf(schema))).toMatchObject({ variables: { page: { type: "number" } } })
    expect(JSON.parse(editor.textOf("apis/shop/environments/base.json"))).toMatchObject({ page: 7 })
    expect([...(await editor.diagnoseAll())]).toEqual([])
  })

  it("by its full name if something else has the name", async () => {
    const text = own(7).replace(
      '"version": 1,',
      '"version": 1, "inputs": { "page": { "type": "number", "default": 1 } },',
    )
    const { editor } = openShop({ [file]: text })
    editor.apply(find(await offersFor(editor, file, rangeAt(text, "7").start), /Extract/)?.edit)
    expect(editor.textOf(file)).toContain('"{{env.shop.page}}"')
  })

  it("not for a placeholder, a key, an id or an assertion", async () => {
    const text = own("{{$uuid}}")
    const { editor } = openShop({ [file]: text })
    for (const wanted of ["{{$uuid}}", '"page"', "first", "listProducts", "exists"])
      expect(
        find(await offersFor(editor, file, rangeAt(text, wanted).start), /Extract/),
        wanted,
      ).toBeUndefined()
  })
})

/** The text with a member of the last block that isn't finished. */
const halfWritten = (text: string): string => text.replace(/\}\s*\]\s*\}\s*$/, ', "timeoutMs": \n')

describe("in a file with a syntax error elsewhere", () => {
  it.each([
    [
      "a variable is declared",
      request({ operation: "listProducts", overrides: { params: { query: { a: "{{env.shop.region}}" } } } }),
      "token-unresolved",
      'Declare the variable "region" of shop',
    ],
    [
      "a saved request is created",
      request({ resource: "orders", instance: "create-order" }),
      "instance-unknown",
      "Create the saved request orders/create-order",
    ],
    [
      "a script is created",
      { id: "first", type: "assert", script: { name: "total", exportName: "total" } },
      "script-missing",
      "Create the script total with total",
    ],
  ])("%s, because the edit is one of another file", async (_, block, code, title) => {
    const text = halfWritten(workflow(block, [{ id: "last", type: "group", blocks: [] }]))
    const { editor } = openShop({ [file]: text })
    const diagnostics = await editor.diagnose(file)
    expect(diagnostics.map(codeOf).toSorted()).toEqual(["json-syntax", code].toSorted())
    const at = diagnostics.find((each) => each.code === code)?.range.start
    const action = find(await offersFor(editor, file, at), title)
    editor.apply(action?.edit)
    expect(editor.textOf(file)).toBe(text)
    expect((await editor.diagnose(file)).map(codeOf)).toEqual(["json-syntax"])
  })

  it("a variable is not declared whose name may be that of something in the rest of the file", async () => {
    const sent = request({ operation: "listProducts", overrides: { params: { query: { a: "{{region}}" } } } })
    const text = halfWritten(workflow(sent, [{ id: "last", type: "group", blocks: [] }]))
    const { editor } = openShop({ [file]: text })
    expect(find(await offersFor(editor, file, rangeAt(text, "{{region").start), /Declare/)).toBeUndefined()
  })

  it("a declaration is not edited if that file is half written", async () => {
    const sent = request({ operation: "listProducts", overrides: { params: { query: { a: "{{region}}" } } } })
    const { editor } = openShop({ [file]: workflow(sent) })
    editor.type(schema, editor.textOf(schema).replace(/\}\s*$/, ', "x": '))
    expect(find(await offersFor(editor, file), /Declare/)).toBeUndefined()
  })

  it("nothing of this file is edited but a misspelled name", async () => {
    const text = halfWritten(workflow(request({ operation: "listProducts" }), [seen]))
    const { editor } = openShop({ [file]: text })
    const offers = await offersFor(editor, file, rangeAt(text, '"listProducts"').start)
    expect(offers.map(({ title }) => title)).toEqual([])
  })
})
