// `callsheet.run` and `callsheet.sendRequest` by the built server: requests reach a real API, production is refused.

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ClientCapabilities } from "vscode-languageserver-protocol"
import { expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { startEditor, type Editor, type EditorOptions } from "../lsp/client.ts"

const secret = "canary-run-41c7e2"

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const request = (id: string, path: string): object => ({
  id,
  type: "request",
  request: { api: "demo", instance: path },
})

const saved = (path: string): string =>
  json({ version: 1, method: "GET", path, params: { header: { "x-key": "{{key}}" } } })

function filesFor(url: string): Readonly<Record<string, string>> {
  const check = { source: "first.response.status", operator: "equals", value: 201 }
  return {
    "apis/demo/openapi.json": json({ openapi: "3.1.0", info: { title: "demo", version: "1" }, paths: {} }),
    "apis/demo/environments/schema.json": json({
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        key: { type: "string", required: true, secret: true },
      },
    }),
    "apis/demo/environments/local.json": json({ level: "local", baseUrl: url }),
    "apis/demo/environments/local.secrets.env": `key=${secret}\n`,
    "apis/demo/environments/live.json": json({ level: "production", baseUrl: url }),
    "apis/demo/environments/live.secrets.env": `key=${secret}\n`,
    "apis/demo/requests/things/one.json": saved("/one"),
    "apis/demo/requests/things/slow.json": saved("/slow"),
    "apis/workflow/things.json": json({
      version: 1,
      blocks: [
        request("first", "one"),
        { id: "check", type: "assert", assertions: [check] },
        request("last", "slow"),
      ],
    }),
    ".gitignore": "*.secrets.env\n",
  }
}

const capabilities: ClientCapabilities = {
  textDocument: { codeLens: {}, diagnostic: {} },
  window: { workDoneProgress: true },
}

async function open(options: EditorOptions = {}) {
  const api = await startApi({
    "*": ({ headers }) => ({ body: { key: headers["x-key"] ?? null, late: 12 } }),
    // Never answers.
    "GET /slow": () => undefined,
  })
  const editor = await startEditor({ files: filesFor(api.url), capabilities, ...options })
  onTestFinished(async () => {
    await editor.dispose()
    await api.close()
  })
  return { paths: () => api.requests.map(({ path }) => path), editor }
}

const execute = (editor: Editor, command: string, argument: object, signal?: AbortSignal): Promise<unknown> =>
  editor.request("workspace/executeCommand", { command, arguments: [argument] }, signal)

it("runs a workflow to a block, and tells where it failed", async () => {
  const { editor, paths } = await open()
  const run = { project: editor.uri(""), workflow: "things", environments: ["local"] }
  const first = await execute(editor, "callsheet.run", { ...run, until: "first" })
  expect(first).toMatchObject({ status: "passed", exitCode: 0 })
  expect(paths()).toEqual(["/one"])
  const failed = await execute(editor, "callsheet.run", { ...run, until: "check" })
  expect(failed).toMatchObject({ status: "failed", exitCode: 1, failed: { block: "check", line: 16 } })
  const shown = editor.received.filter(({ method }) => method === "window/showMessage")
  expect(shown.map(({ params }) => String(params.message))).toEqual([
    expect.stringMatching(/^things passed in /),
    expect.stringMatching(/^things failed at "check": .*\(apis\/workflow\/things\.json:16\)$/),
  ])
  // The connection of this client keeps progress to itself.
  expect(editor.output()).toContain('{"kind":"begin","title":"Run things to first","cancellable":true}')
  expect(editor.output()).toContain('{"kind":"report","message":"check"}')
  expect(editor.output()).not.toContain(secret)
})

it("stops a run that the user cancels in its progress", async () => {
  const { editor, paths } = await open()
  const files = { project: editor.uri(""), workflow: "things", environments: ["local"] }
  await editor.open("apis/workflow/things.json")
  const running = execute(editor, "callsheet.sendRequest", {
    uri: editor.uri("apis/demo/requests/things/slow.json"),
    environment: "local",
  })
  const created = await editor.until(() => editor.received.find(({ method }) => method.endsWith("/create")))
  await expect.poll(paths).toContain("/slow")
  await editor.notify("window/workDoneProgress/cancel", { token: created.params.token })
  expect(await running).toMatchObject({ message: "things/slow was cancelled" })
  const controller = new AbortController()
  const second = execute(editor, "callsheet.run", files, controller.signal)
  controller.abort()
  expect(await second).toMatchObject({ status: "cancelled" })
})

it("shows the values of its runs on hover, later secrets masked, and keeps them in memory only", async () => {
  const { editor } = await open()
  const hovered = async (path: string): Promise<string> => {
    const text = readFileSync(join(editor.folder, "apis/workflow/things.json"), "utf8").replace(
      "first.response.status",
      path,
    )
    await editor.open("apis/workflow/things.json", text)
    const before = text.slice(0, text.indexOf(path) + path.length - 1).split("\n")
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
    const textDocument = { uri: editor.uri("apis/workflow/things.json") }
    const hover = await editor.request("textDocument/hover", { textDocument, position })
    await editor.close("apis/workflow/things.json")
    return String((hover as { readonly contents: { readonly value: string } } | null)?.contents.value)
  }
  expect(await hovered("first.response.status")).not.toContain("In the last run")
  const run = { project: editor.uri(""), workflow: "things", environments: ["local"] }
  await execute(editor, "callsheet.run", { ...run, until: "first" })
  expect(await hovered("first.response.status")).toContain("In the last run:\n\n200")
  expect(await hovered("first.response.body.key")).toContain('In the last run:\n\n"***"')
  expect(await hovered("first.response.body.late")).toContain("In the last run:\n\n12")
  expect(editor.output()).not.toContain(secret)
})

it("refuses production, because this client can't ask for it by its name", async () => {
  const { editor, paths } = await open()
  const run = { project: editor.uri(""), workflow: "things", environments: ["live"] }
  const refused = await execute(editor, "callsheet.run", run)
  expect(refused).toMatchObject({ status: "error", exitCode: 2 })
  expect(JSON.stringify(refused)).toContain("a run against production (demo=live) requires confirmation")
  const uri = editor.uri("apis/demo/requests/things/one.json")
  const unsent = await execute(editor, "callsheet.sendRequest", { uri, environment: "live" })
  expect(JSON.stringify(unsent)).toContain("requires confirmation")
  expect(paths()).toEqual([])
})

const shown = ({ received }: Editor): readonly string[] =>
  received
    .filter(({ method }) => method === "window/showMessage")
    .map(({ params }) => `${String(params.type)}: ${String(params.message)}`)

it("says why a run did not start, the first problem as a message and all in the log", async () => {
  const { editor, paths } = await open()
  const broken = `{ "level": "local", "baseUrl": "http://127.0.0.1:9", "key": 5, "other": "${secret}" }`
  writeFileSync(join(editor.folder, "apis/demo/environments/local.json"), broken)
  const run = { project: editor.uri(""), workflow: "things", environments: ["local"] }
  const refused = await execute(editor, "callsheet.run", run)
  expect(refused).toMatchObject({ status: "error", exitCode: 2 })
  const [message] = shown(editor)
  expect(message).toMatch(
    /^1: things did not run: apis\/demo\/environments\/local\.json:1:\d+: .*\n1 more in the log$/s,
  )
  const log = editor.received.find(({ method }) => method === "window/logMessage")
  expect(String(log?.params.message).match(/local\.json:1:/g)).toHaveLength(2)
  expect(editor.output() + editor.errors()).not.toContain(secret)
  expect(paths()).toEqual([])
})

it("says why a run did not start that reported no event, and keeps its secrets", async () => {
  const { editor } = await open()
  const run = { project: editor.uri(""), workflow: "things", environments: ["local"] }
  const refused = await execute(editor, "callsheet.run", { ...run, until: "frist" })
  expect(refused).toMatchObject({ status: "error", exitCode: 2 })
  await execute(editor, "callsheet.run", { ...run, until: secret })
  expect(shown(editor)).toEqual([
    '1: things did not run: the workflow has no block "frist" (block-unknown)\n  hint: did you mean "first"?',
    '1: things did not run: the workflow has no block "***" (block-unknown)',
  ])
})

it("says which unsaved changes are not part of the run", async () => {
  const { editor } = await open()
  const [workflow, request] = ["apis/workflow/things.json", "apis/demo/requests/things/one.json"]
  await editor.open(workflow)
  await editor.open("notes.md", "of no meaning to callsheet")
  const run = { project: editor.uri(""), workflow: "things", environments: ["local"], until: "first" }
  await execute(editor, "callsheet.run", run)
  expect(shown(editor)).toEqual([expect.stringMatching(/^3: things passed/)])
  await editor.change(workflow, "{}")
  await editor.open(request, saved("/unsaved"))
  await execute(editor, "callsheet.run", run)
  expect(shown(editor).slice(1)).toEqual([
    `2: Unsaved changes in ${workflow}, ${request} are not part of this run`,
    expect.stringMatching(/^3: things passed/),
  ])
})

it("sends a saved request as it is in the editor, and hides its secrets", async () => {
  const { editor, paths } = await open()
  const file = "apis/demo/requests/things/one.json"
  await editor.open(file, saved("/unsaved"))
  const sent = await execute(editor, "callsheet.sendRequest", { uri: editor.uri(file), environment: "local" })
  expect(sent).toMatchObject({ status: "passed", response: { status: 200 } })
  expect(paths()).toEqual(["/unsaved"])
  expect(editor.output()).not.toContain(secret)
})

it("announces no command that the client runs itself, and runs nothing before trust", async () => {
  const { editor, paths } = await open({ initializationOptions: { commands: ["callsheet.run"] } })
  const commands = editor.initialized.capabilities.executeCommandProvider?.commands
  expect(commands).toContain("callsheet.sendRequest")
  expect(commands).not.toContain("callsheet.run")
  const lenses = await editor.request("textDocument/codeLens", {
    textDocument: { uri: editor.uri("apis/workflow/things.json") },
  })
  expect(lenses).toEqual([])
  const run = { project: editor.uri(""), workflow: "things", environments: ["local"] }
  await expect(execute(editor, "callsheet.run", run)).rejects.toThrow("not trusted")
  expect(paths()).toEqual([])
})
