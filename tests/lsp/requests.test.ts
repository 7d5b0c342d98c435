// Each request that the server announces, for files that are half written: an answer in the shape of the protocol.

import { afterAll, beforeAll, expect, it } from "vitest"
import type { ServerCapabilities } from "vscode-languageserver-protocol"
import { pulls, startEditor, type Editor } from "./client.ts"

const file = "apis/workflow/checkout.json"
const saved = "apis/shop/requests/items/list.json"

/** Two blocks and a half. */
const text = `{
  "version": 1,
  "onFailure": "contine",
  "inputs": { "id": { "type": "string" } },
  "blocks": [
    { "id": "list", "type": "request", "request": { "api": "shop", "instance": "list" } },
    { "id": "check", "type": "assert", "assertions": [
      { "source": "list.response.status", "operator": "equals", "value": 200 },
      { "source": "list.response.body", "operator": "equ
`

const files = {
  [file]: text,
  [saved]: { version: 1, method: "GET", path: "/items" },
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: {
      "/items": { get: { tags: ["items"], summary: "List", responses: { 200: { description: "ok" } } } },
    },
  },
  "apis/shop/environments/schema.json": { version: 1, variables: {} },
  "apis/shop/environments/local.json": {},
}

const capabilities = {
  ...pulls,
  textDocument: {
    ...pulls.textDocument,
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [""] } } },
    codeLens: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
  },
  workspace: { ...pulls.workspace, workspaceEdit: { documentChanges: true } },
}

/** The position of a text in the file. */
function at(part: string, plus = 0): { readonly line: number; readonly character: number } {
  const before = text.slice(0, text.indexOf(part) + plus).split("\n")
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}

const position = { line: expect.any(Number), character: expect.any(Number) }
const range = { start: position, end: position }
const uri = expect.stringMatching(/^file:/)
const location = { uri, range }
const each = (shape: unknown) => expect.arrayContaining([shape])

/** An edit of files. */
const changes = {
  documentChanges: each({
    textDocument: { uri, version: expect.any(Number) },
    edits: each({ range, newText: expect.any(String) }),
  }),
}

interface Expected {
  readonly provider: keyof ServerCapabilities
  readonly params?: object
  readonly answer: unknown
}

const onList = { position: at("list.response.status", 2) }

const requests: Readonly<Record<string, Expected>> = {
  "textDocument/documentSymbol": {
    provider: "documentSymbolProvider",
    answer: each({
      name: "list",
      children: [],
      detail: expect.any(String),
      kind: expect.any(Number),
      range,
      selectionRange: range,
    }),
  },
  "workspace/symbol": {
    provider: "workspaceSymbolProvider",
    params: { query: "li" },
    answer: each(expect.objectContaining({ name: "list", kind: expect.any(Number), location })),
  },
  "textDocument/foldingRange": {
    provider: "foldingRangeProvider",
    answer: each(expect.objectContaining({ startLine: 4, endLine: expect.any(Number) })),
  },
  "textDocument/selectionRange": {
    provider: "selectionRangeProvider",
    params: { positions: [onList.position] },
    answer: [{ range, parent: expect.objectContaining({ range }) }],
  },
  "textDocument/documentLink": {
    provider: "documentLinkProvider",
    answer: each(expect.objectContaining({ range, target: uri })),
  },
  "textDocument/documentHighlight": {
    provider: "documentHighlightProvider",
    params: onList,
    answer: each(expect.objectContaining({ range })),
  },
  "textDocument/references": {
    provider: "referencesProvider",
    params: { ...onList, context: { includeDeclaration: true } },
    answer: each(location),
  },
  "textDocument/definition": { provider: "definitionProvider", params: onList, answer: each(location) },
  "textDocument/prepareRename": {
    provider: "renameProvider",
    params: onList,
    answer: { range, placeholder: "list" },
  },
  "textDocument/codeAction": {
    provider: "codeActionProvider",
    params: { range: { start: at("contine"), end: at("contine", 3) }, context: { diagnostics: [] } },
    answer: [expect.objectContaining({ title: 'Replace "contine" by "continue"', kind: "quickfix" })],
  },
  "textDocument/codeLens": {
    provider: "codeLensProvider",
    answer: each({
      range,
      command: expect.objectContaining({ title: expect.any(String), command: "callsheet.run" }),
    }),
  },
  "textDocument/hover": {
    provider: "hoverProvider",
    params: onList,
    answer: expect.objectContaining({ contents: { kind: expect.any(String), value: expect.any(String) } }),
  },
  "textDocument/completion": {
    provider: "completionProvider",
    params: { position: at('"equ\n', 4), context: { triggerKind: 1 } },
    answer: { isIncomplete: expect.any(Boolean), items: each(expect.objectContaining({ label: "equals" })) },
  },
  "completionItem/resolve": {
    provider: "completionProvider",
    params: { label: "equals" },
    answer: expect.objectContaining({ label: "equals" }),
  },
  "workspace/executeCommand": {
    provider: "executeCommandProvider",
    params: { command: "callsheet.run", arguments: [{ project: "", workflow: "checkout" }] },
    answer: expect.objectContaining({ status: "error", message: expect.any(String) }),
  },
  "textDocument/diagnostic": {
    provider: "diagnosticProvider",
    answer: {
      kind: "full",
      resultId: expect.any(String),
      items: each(expect.objectContaining({ range, source: "callsheet", message: expect.any(String) })),
    },
  },
  "workspace/diagnostic": {
    provider: "diagnosticProvider",
    params: { previousResultIds: [] },
    answer: { items: each(expect.objectContaining({ uri, kind: "full" })) },
  },
}

let editor: Editor

beforeAll(async () => {
  editor = await startEditor({ files, capabilities })
  await editor.open(file)
})

afterAll(() => editor.dispose())

it.each(Object.entries(requests))("%s answers for a file that is half written", async (method, one) => {
  const params = JSON.parse(
    JSON.stringify({ textDocument: { uri: editor.uri(file) }, ...one.params }).replace(
      '"project":""',
      `"project":"${editor.uri("")}"`,
    ),
  )
  expect(editor.initialized.capabilities[one.provider]).toBeTruthy()
  if (method === "textDocument/codeAction") params.context.diagnostics = await editor.pull(file)
  expect(await editor.request(method, params)).toEqual(one.answer)
  expect(editor.errors()).toBe("")
})

it("refuses to rename until the file is complete", async () => {
  const params = { textDocument: { uri: editor.uri(file) }, ...onList, newName: "items" }
  await expect(editor.request("textDocument/rename", params)).rejects.toThrow(/is not valid JSON\ncorrect it/)
  await editor.change(file, `${text.trimEnd()}als", "value": [] }\n    ] }\n  ]\n}\n`)
  expect(await editor.request("textDocument/rename", params)).toEqual(changes)
  await editor.change(file, text)
})

it("announces no request that has no test", () => {
  const announced = Object.keys(editor.initialized.capabilities).filter((name) => name.endsWith("Provider"))
  expect(announced.sort()).toEqual(
    [...new Set(Object.values(requests).map(({ provider }) => provider))].sort(),
  )
})

it("refuses with the message and the hint, each on its own line", async () => {
  const run = { project: editor.uri(""), workflow: "chekout" }
  await expect(
    editor.request("workspace/executeCommand", { command: "callsheet.run", arguments: [run] }),
  ).rejects.toThrow(/^the project has no workflow "chekout"\ndid you mean "checkout"\?$/)
})
