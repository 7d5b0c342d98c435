// Edits name the version of a document that they change, and are never made from an older text.

import { expect, it, onTestFinished } from "vitest"
import type {
  ClientCapabilities,
  CodeAction,
  TextDocumentEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol"
import { startEditor, type Editor } from "./client.ts"

const workflow = "apis/workflow/checkout.json"
const saved = "apis/shop/requests/items/list.json"
const schema = "apis/shop/environments/schema.json"
const values = "apis/shop/environments/local.json"

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const list = { id: "list", type: "request", request: { api: "shop", instance: "list" } }
const texts = {
  [workflow]: json({ version: 1, blocks: [list] }),
  [saved]: json({
    version: 1,
    operation: "listItems",
    params: { query: { owner: "{{owner}}", password: "canary-5f21" } },
  }),
  [schema]: json({ version: 1, variables: { owner: { type: "string", required: false } } }),
  [values]: json({ owner: "me" }),
}

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: { "/items": { get: { operationId: "listItems", responses: { 200: { description: "ok" } } } } },
}

const capabilities: ClientCapabilities = {
  textDocument: {
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [""] } } },
    diagnostic: {},
  },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } },
}

async function open(applies = true): Promise<Editor> {
  const editor = await startEditor({
    files: { ...texts, "apis/shop/openapi.json": document, ".gitignore": "*.secrets.env\n" },
    capabilities,
    answers: { "workspace/applyEdit": () => ({ applied: applies }) },
  })
  onTestFinished(editor.dispose)
  return editor
}

const openAs = (editor: Editor, file: string, { version, text }: { version: number; text: string }) =>
  editor.notify("textDocument/didOpen", {
    textDocument: { uri: editor.uri(file), languageId: "json", version, text },
  })

const changeTo = (editor: Editor, file: string, { version, text }: { version: number; text: string }) =>
  editor.notify("textDocument/didChange", {
    textDocument: { uri: editor.uri(file), version },
    contentChanges: [{ text }],
  })

function positionOf(text: string, part: string) {
  const before = text.slice(0, text.indexOf(part)).split("\n")
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}

/** Returns the version in the edit of each file. */
const versionsIn = (editor: Editor, edit: WorkspaceEdit | undefined) =>
  Object.fromEntries(
    ((edit?.documentChanges ?? []) as readonly TextDocumentEdit[]).map(
      ({ textDocument: { uri, version } }) => [uri.slice(editor.uri("").length + 1), version],
    ),
  )

it("has the version of each open document in a rename, and null for a closed one", async () => {
  const editor = await open()
  await openAs(editor, saved, { version: 7, text: texts[saved] })
  await openAs(editor, schema, { version: 40, text: "{}" })
  await changeTo(editor, schema, { version: 43, text: texts[schema] })
  await openAs(editor, workflow, { version: 2, text: texts[workflow] })
  const rename = () =>
    editor.request("textDocument/rename", {
      textDocument: { uri: editor.uri(saved) },
      position: positionOf(texts[saved], "owner}}"),
      newName: "user",
    })
  expect(versionsIn(editor, await rename())).toEqual({ [saved]: 7, [schema]: 43, [values]: null })
  await editor.close(schema)
  expect(versionsIn(editor, await rename())).toEqual({ [saved]: 7, [schema]: null, [values]: null })
})

const actionsOn = async (editor: Editor, text: string, part: string): Promise<readonly CodeAction[]> => {
  const position = positionOf(text, part)
  return editor.request("textDocument/codeAction", {
    textDocument: { uri: editor.uri(saved) },
    range: { start: position, end: position },
    context: { diagnostics: await editor.pull(saved) },
  })
}

it("has the versions in code actions, of other files too", async () => {
  const editor = await open()
  const text = texts[saved].replace("{{owner}}", "{{buyer}}")
  await openAs(editor, saved, { version: 3, text })
  await openAs(editor, values, { version: 8, text: texts[values] })
  const declares = (await actionsOn(editor, text, "{{buyer}}")).find(({ title }) =>
    title.startsWith("Declare"),
  )
  expect(versionsIn(editor, declares?.edit)).toEqual({ [schema]: null })
  const literal = text.replace("{{buyer}}", "someone")
  await changeTo(editor, saved, { version: 4, text: literal })
  const extracts = (await actionsOn(editor, literal, "someone")).find(({ title }) =>
    title.startsWith("Extract"),
  )
  expect(versionsIn(editor, extracts?.edit)).toEqual({ [saved]: 4, [schema]: null, [values]: 8 })
})

const extractSecret = (editor: Editor): Promise<unknown> =>
  editor.request("workspace/executeCommand", {
    command: "callsheet.extractSecret",
    arguments: [{ uri: editor.uri(saved), offset: texts[saved].indexOf("canary-5f21") }],
  })

const shown = ({ received }: Editor): readonly string[] =>
  received.filter(({ method }) => method === "window/showMessage").map(({ params }) => String(params.message))

it.each([
  [true, "password is a secret variable of shop now"],
  [false, "password is a secret variable of shop now, but the file has changed: replace the value yourself"],
])("has the version in the edit of a command, which the client applies: %s", async (applies, message) => {
  const editor = await open(applies)
  await openAs(editor, saved, { version: 12, text: texts[saved] })
  await extractSecret(editor)
  const applied = editor.received.find(({ method }) => method === "workspace/applyEdit")
  expect(versionsIn(editor, applied?.params.edit)).toEqual({ [saved]: 12 })
  expect(shown(editor)).toEqual([message])
})

it("answers that the content was modified, instead of an edit from an older text", async () => {
  const editor = await open()
  const text = texts[saved].replace("listItems", "listItem")
  await openAs(editor, saved, { version: 1, text })
  const start = { line: 0, character: 0 }
  const fixAll = () =>
    editor.request("textDocument/codeAction", {
      textDocument: { uri: editor.uri(saved) },
      range: { start, end: start },
      context: { diagnostics: [], only: ["source.fixAll"] },
    })
  // Waits for git, so that the change comes before the answer.
  const answer = fixAll()
  await changeTo(editor, saved, { version: 2, text: text.replace("{{owner}}", "{{owner}}s") })
  await expect(answer).rejects.toMatchObject({ code: -32801 })
  const [action] = (await fixAll()) as readonly CodeAction[]
  expect(versionsIn(editor, action?.edit)).toEqual({ [saved]: 2 })
})
