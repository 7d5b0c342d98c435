// What an editor gets as code actions: edits that are small, right in every text, and never based on an old text.

import { describe, expect, it } from "vitest"
import { applyEdits, fullClient } from "./editor.ts"
import { codeOf, openShop, rangeAt } from "./project.ts"

const file = "apis/workflow/typo.json"
const anywhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

const typo = `{
  "version": 1,
  "blocks": [
    { "id": "list", "type": "request", "description": "😀", "request": { "api": "shop", "operation": "listProduct" } },
    {
      "id": "check",
      "type": "assert",
      "assertions": [{ "source": "list.response.status", "operator": "equals", "value": 200 }]
    }
  ]
}
`

const valid = typo.replace("listProduct", "listProducts")
const assertion = valid.replace("list.response", "lst.response")

describe("the action of a misspelled name", () => {
  it("changes only the name, in a document with emoji, CRLF and a byte order mark", async () => {
    const text = `\uFEFF${typo.replaceAll("\n", "\r\n")}`
    const { editor } = openShop({ [file]: text })
    editor.type(file, text)
    const [diagnostic] = await editor.diagnose(file)
    const [action] = await editor.actions(file, {
      range: rangeAt(text, "listProduct"),
      diagnostics: diagnostic === undefined ? [] : [diagnostic],
    })
    expect(action).toMatchObject({
      title: 'Replace "listProduct" by "listProducts"',
      kind: "quickfix",
      isPreferred: true,
      edit: { documentChanges: [{ textDocument: { version: 1 }, edits: [{ newText: "s" }] }] },
    })
    editor.apply(action?.edit)
    expect(editor.textOf(file)).toBe(text.replace("listProduct", "listProducts"))
    expect(await editor.diagnose(file)).toEqual([])
  })

  it("repairs an assertion, because a person chose it", async () => {
    const { editor } = openShop({ [file]: assertion })
    const diagnostics = await editor.diagnose(file)
    const [action] = await editor.actions(file, { range: anywhere, diagnostics })
    expect(action?.title).toBe('Replace "lst" by "list"')
    editor.apply(action?.edit)
    expect(editor.textOf(file)).toBe(assertion.replace("lst.", "list."))
  })

  it("is not offered for a text that has changed, and for data of another kind", async () => {
    const { editor } = openShop({ [file]: typo })
    const diagnostics = await editor.diagnose(file)
    const strange = [
      undefined,
      null,
      5,
      "x",
      {},
      { replacement: { is: "key", from: "a", to: "b", pointer: 5, within: 0 } },
    ]
    for (const data of strange) {
      const changed = diagnostics.map((each) => ({ ...each, data }))
      expect(await editor.actions(file, { range: anywhere, diagnostics: changed })).toEqual([])
    }
    editor.type(file, typo.replace("listProduct", "other"))
    expect(await editor.actions(file, { range: anywhere, diagnostics })).toEqual([])
  })

  it("is not offered for problems of other servers, or if the client asks for another kind", async () => {
    const { editor } = openShop({ [file]: typo })
    const diagnostics = await editor.diagnose(file)
    const foreign = diagnostics.map((each) => ({ ...each, source: "json" }))
    expect(await editor.actions(file, { range: anywhere, diagnostics: foreign })).toEqual([])
    expect(await editor.actions(file, { range: anywhere, diagnostics, only: ["refactor"] })).toEqual([])
  })

  it("is an edit by document for a client without documentChanges", async () => {
    const { editor } = openShop({ [file]: typo }, { capabilities: { ...fullClient, workspace: {} } })
    const diagnostics = await editor.diagnose(file)
    const [action] = await editor.actions(file, { range: anywhere, diagnostics })
    const edits = action?.edit?.changes?.[editor.uriOf(file)] ?? []
    expect(applyEdits(typo, edits)).toBe(valid)
  })

  it("is not announced to a client that shows only commands", async () => {
    const { editor } = openShop({ [file]: typo }, { capabilities: {} })
    expect(editor.service.capabilities({})).not.toHaveProperty("codeActionProvider")
    const diagnostics = await editor.diagnose(file)
    expect(await editor.actions(file, { range: anywhere, diagnostics })).toEqual([])
  })

  it("never carries a secret in its data", async () => {
    const secret = "customer-list"
    const text = valid.replace('"list"', '"customer-lists"').replace("list.", `${secret}.`)
    const files = { [file]: text, "apis/shop/environments/local.secrets.env": `password=${secret}\n` }
    const { editor } = openShop(files)
    expect(JSON.stringify([...(await editor.diagnoseAll())])).not.toContain(secret)
    const diagnostics = await editor.diagnose(file)
    expect(await editor.actions(file, { range: anywhere, diagnostics })).toEqual([])
    // Another password, and the same mistake: now it is only a name.
    editor.type("apis/shop/environments/local.secrets.env", "password=other-than-this\n")
    const named = await editor.diagnose(file)
    expect(await editor.actions(file, { range: anywhere, diagnostics: named })).toHaveLength(1)
  })
})

describe("source.fixAll.callsheet", () => {
  const second =
    '{ "id": "again", "type": "request", "request": { "api": "shop", "operation": "getProducts" } },'
  const two = typo
    .replace('    {\n      "id": "check"', `    ${second}\n    {\n      "id": "check"`)
    .replace("list.resp", "lst.resp")

  it("makes the repairs of validate --fix as one edit with a change per place", async () => {
    const { editor } = openShop({ [file]: two })
    const [action] = await editor.actions(file, { range: anywhere, only: ["source.fixAll"] })
    expect(action).toMatchObject({ kind: "source.fixAll.callsheet" })
    const [change] = action?.edit?.documentChanges ?? []
    expect(change && "edits" in change ? change.edits : []).toHaveLength(2)
    editor.apply(action?.edit)
    // An assertion says what is tested, so only a person changes it.
    expect(editor.textOf(file)).toBe(
      two.replace("listProduct", "listProducts").replace("getProducts", "getProduct"),
    )
    expect((await editor.diagnose(file)).map(codeOf)).toContain("source-unresolved")
  })

  it("is offered only if the client asks for it, and if there is something to repair", async () => {
    const { editor } = openShop({ [file]: two })
    const all = await editor.actions(file, { range: anywhere })
    expect(all.map(({ kind }) => kind)).not.toContain("source.fixAll.callsheet")
    const none = await editor.actions("apis/workflow/catalog.json", { range: anywhere, only: ["source"] })
    expect(none).toEqual([])
  })
})
