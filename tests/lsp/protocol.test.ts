// The protocol of `callsheet lsp`: how it starts and ends, the order of messages, and broken ones.

import { spawnSync } from "node:child_process"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { pulls, startEditor, type Editor, type EditorOptions } from "./client.ts"

const file = "apis/workflow/checkout.json"
const broken = { version: 2, blocks: [] }

async function edit(options: EditorOptions = {}): Promise<Editor> {
  const editor = await startEditor({ files: { [file]: broken }, ...options })
  onTestFinished(editor.dispose)
  return editor
}

/** A process that has ended. */
const deadProcess = (): number => spawnSync(process.execPath, ["--version"]).pid

describe("the end of callsheet lsp", () => {
  it("exits with 0 after shutdown and exit", async () => {
    const editor = await edit()
    expect(editor.initialized.serverInfo?.name).toBe("callsheet")
    expect(await editor.quit()).toBe(0)
    expect(editor.errors()).toBe("")
  })

  it("exits with 1 without shutdown", async () => {
    const editor = await edit()
    await editor.notify("exit")
    expect(await editor.exited).toBe(1)
  })

  it("exits with 1 before initialize", async () => {
    const editor = await edit({ initializes: false })
    await editor.notify("exit")
    expect(await editor.exited).toBe(1)
  })

  it("exits with 1 when standard input ends", async () => {
    const editor = await edit()
    editor.endInput()
    expect(await editor.exited).toBe(1)
    expect(editor.errors()).toBe("")
  })

  it("exits with 0 when standard input ends after shutdown", async () => {
    const editor = await edit()
    await editor.request("shutdown")
    editor.endInput()
    expect(await editor.exited).toBe(0)
  })

  it.each([
    ["in the arguments", (pid: number) => ({ args: ["--stdio", "--clientProcessId", String(pid)] })],
    ["in one argument", (pid: number) => ({ args: ["--stdio", `--clientProcessId=${pid}`] })],
    ["in initialize", (pid: number) => ({ params: { processId: pid } })],
  ])("exits with 1 after the death of the client's process %s", async (_, options) => {
    const editor = await edit(options(deadProcess()))
    expect(await editor.exited).toBe(1)
  })
})

describe("problems", () => {
  it("are pushed to an editor that can't pull", async () => {
    const editor = await edit()
    expect(editor.initialized.capabilities.diagnosticProvider).toBeUndefined()
    const [problem] = await editor.until(() => editor.pushed.get(editor.uri(file)))
    expect(problem).toMatchObject({ source: "callsheet", severity: 1, range: { start: { line: 1 } } })
  })

  it("are pushed again, and only where they changed", async () => {
    const editor = await edit({ files: { [file]: broken, "apis/workflow/other.json": broken } })
    await editor.until(() => (editor.pushed.size === 2 ? true : undefined))
    const before = editor.received.length
    await editor.open(file, JSON.stringify({ version: 1, blocks: [] }))
    await editor.until(() => (editor.pushed.get(editor.uri(file))?.length === 0 ? true : undefined))
    expect(editor.received.slice(before).map(({ params }) => params.uri)).toEqual([editor.uri(file)])
  })

  it("are never pushed to an editor that pulls", async () => {
    const editor = await edit({ capabilities: pulls })
    await editor.open(file)
    const pulled = await editor.pull(file)
    expect(pulled).toHaveLength(1)
    expect(await editor.pullAll()).toEqual(new Map([[editor.uri(file), pulled]]))
    await editor.quit()
    expect(editor.pushed.size).toBe(0)
  })

  it("are unchanged for an editor that knows them", async () => {
    const editor = await edit({ capabilities: pulls })
    const textDocument = { uri: editor.uri(file) }
    const { resultId } = await editor.request("textDocument/diagnostic", { textDocument })
    const again = await editor.request("textDocument/diagnostic", {
      textDocument,
      previousResultId: resultId,
    })
    expect(again).toEqual({ kind: "unchanged", resultId })
    const previousResultIds = [{ uri: editor.uri(file), value: resultId }]
    const { items } = await editor.request("workspace/diagnostic", { previousResultIds })
    expect(items).toEqual([{ kind: "unchanged", uri: editor.uri(file), version: null, resultId }])
  })
})

describe("messages in another order", () => {
  it("are refused before initialize, which works afterward", async () => {
    const editor = await edit({ initializes: false })
    await editor.open(file)
    await expect(editor.pull(file)).rejects.toMatchObject({ code: -32002 })
    await expect(editor.request("shutdown")).rejects.toMatchObject({ code: -32002 })
    const { capabilities } = await editor.request("initialize", {
      processId: null,
      rootUri: editor.uri(""),
      capabilities: pulls,
    })
    expect(capabilities.diagnosticProvider).toBeDefined()
    await editor.notify("initialized", {})
    expect(await editor.pull(file)).toHaveLength(1)
  })

  it("are refused after shutdown", async () => {
    const editor = await edit({ capabilities: pulls })
    await editor.request("shutdown")
    await expect(editor.pull(file)).rejects.toMatchObject({ code: -32600 })
    await editor.change(file, "{")
    await editor.notify("exit")
    expect(await editor.exited).toBe(0)
  })

  it("are refused if initialize comes twice", async () => {
    const editor = await edit({ capabilities: pulls })
    await expect(editor.request("initialize", { capabilities: {} })).rejects.toMatchObject({ code: -32600 })
    expect(await editor.pull(file)).toHaveLength(1)
  })

  it("are ignored for documents that aren't open", async () => {
    const editor = await edit({ capabilities: pulls })
    await editor.change(file, "{")
    await editor.close(file)
    expect(await editor.pull(file)).toHaveLength(1)
    expect(editor.errors()).toBe("")
  })

  it("have no answer but an error once they are cancelled", async () => {
    const editor = await edit({ capabilities: pulls })
    const cancelled = AbortSignal.timeout(0)
    const request = editor.request("workspace/diagnostic", { previousResultIds: [] }, cancelled)
    await Promise.race([
      expect(request).rejects.toMatchObject({ code: -32800 }),
      request.catch(() => undefined),
    ])
    await editor.notify("$/cancelRequest", { id: 12_345 })
    expect(await editor.pull(file)).toHaveLength(1)
  })
})

const framed = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

describe("broken messages", () => {
  it.each([
    ["no JSON", framed("{ canary-71")],
    ["an empty body", framed("")],
    ["a text", framed('"canary-71"')],
    ["null", framed("null")],
    ["a batch", framed('[{"jsonrpc":"2.0","id":"canary-71","method":"shutdown"}]')],
    ["an object that isn't a message", framed('{"canary-71":1}')],
    ["a method that is a number", framed('{"jsonrpc":"2.0","id":7,"method":71,"params":{"a":"canary-71"}}')],
    ["an id that is null", framed('{"jsonrpc":"2.0","id":null,"method":"canary-71"}')],
    ["an answer to no request", framed('{"jsonrpc":"2.0","id":"canary-71","result":"canary-71"}')],
    [
      "an error without an id",
      framed('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"canary-71"}}'),
    ],
    ["a cancellation without parameters", framed('{"jsonrpc":"2.0","method":"$/cancelRequest"}')],
    [
      "an unknown notification",
      framed('{"jsonrpc":"2.0","method":"canary-71/x","params":{"a":"canary-71"}}'),
    ],
    [
      "a document that was opened without a text",
      framed(
        '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"canary-71"}}}',
      ),
    ],
    [
      "a change that is none",
      framed('{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"contentChanges":["canary-71"]}}'),
    ],
    [
      "changes on disk that are none",
      framed('{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":"canary-71"}}'),
    ],
    [
      "folders that are none",
      framed('{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":["canary-71"]}'),
    ],
    [
      "settings that are none",
      framed(
        '{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":"canary-71"}}',
      ),
    ],
  ])("don't end the server, and aren't repeated: %s", async (_, bytes) => {
    const editor = await edit({ capabilities: pulls })
    await editor.open(file)
    editor.write(bytes)
    expect(await editor.pull(file)).toHaveLength(1)
    expect(editor.output() + editor.errors()).not.toContain("canary-71")
    expect(await editor.quit()).toBe(0)
  })
})

describe("requests with wrong parameters", () => {
  let editor: Editor
  beforeAll(async () => {
    editor = await startEditor({ files: { [file]: broken }, capabilities: pulls })
  })
  afterAll(() => editor.dispose())

  it.each([
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/documentLink",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/diagnostic",
    "workspace/diagnostic",
    "workspace/symbol",
    "workspace/executeCommand",
    "workspace/willRenameFiles",
    "completionItem/resolve",
    "codeAction/resolve",
    "callsheet/nothing",
  ])("get an answer: %s", async (method) => {
    const wrong: readonly object[] = [
      {},
      [],
      { textDocument: null },
      { textDocument: { uri: 7 } },
      { textDocument: { uri: "canary-71:" }, position: { line: -1, character: "x" } },
      { textDocument: { uri: editor.uri(file) }, position: { line: 1e9, character: 1e9 } },
      { textDocument: { uri: editor.uri("apis/workflow") }, position: { line: 0, character: 0 } },
      { textDocument: { uri: editor.uri("nowhere/x.json") }, positions: [7], range: "x", context: 7 },
    ]
    const answers = wrong.map((params) =>
      editor.request(method, params).then(
        () => "answer",
        () => "error",
      ),
    )
    expect((await Promise.all(answers)).every((answer) => answer !== undefined)).toBe(true)
    expect(await editor.pull(file)).toHaveLength(1)
    expect(editor.errors()).toBe("")
  })
})
