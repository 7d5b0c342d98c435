// What an editor shows above workflows and blocks, and what its commands do.

import { setTimeout as wait } from "node:timers/promises"
import type { RunEvent } from "@callsheet/format"
import type { CodeLens } from "vscode-languageserver-protocol"
import { describe, expect, it } from "vitest"
import { fullClient, type Editor, type EditorOptions } from "./editor.ts"
import { openShop } from "./project.ts"

const file = "apis/workflow/runs.json"
const text = `{
  "version": 1,
  "blocks": [
    { "id": "list", "type": "request", "request": { "api": "shop", "operation": "listProducts" } },
    {
      "id": "loop", "type": "loop", "mode": "times", "times": 2,
      "blocks": [{ "id": "say", "type": "script", "script": { "name": "say", "exportName": "say" } }]
    }
  ]
}
`

type Runs = NonNullable<NonNullable<EditorOptions["ports"]>["runs"]>

const noRuns: Runs = {
  run: () => Promise.resolve({ exitCode: 0, errors: "" }),
  send: () => Promise.reject(new Error("not asked")),
}

const lensesOf = async (editor: Editor, of = file): Promise<readonly CodeLens[]> =>
  (await editor.request("textDocument/codeLens", { textDocument: { uri: editor.uriOf(of) } })) as CodeLens[]

const shown = (lenses: readonly CodeLens[]): readonly string[] =>
  lenses.map(({ range, command }) => `${range.start.line + 1}: ${command?.title} ${command?.command}`)

const client = { ...fullClient, textDocument: { ...fullClient.textDocument, codeLens: {} } }

describe("code lenses", () => {
  it("run a workflow, and it up to each block, in the chosen environment", async () => {
    const { editor, root } = openShop(
      { [file]: text },
      { ports: { runs: noRuns }, settings: { environment: "staging" } },
    )
    const lenses = await lensesOf(editor)
    expect(shown(lenses)).toEqual([
      "3: Run (staging) callsheet.run",
      "4: Run to here (staging) callsheet.run",
      "5: Run to here (staging) callsheet.run",
      "7: Run to here (staging) callsheet.run",
    ])
    expect(lenses.at(-1)?.command?.arguments).toEqual([
      {
        project: editor.uriOf("").replace(/\/$/, ""),
        workflow: "runs",
        until: "say",
        environments: ["staging"],
      },
    ])
    expect(editor.uriOf("")).toContain(root)
  })

  it("debug scripts only if the client has a debugger", async () => {
    const options = { ports: { runs: noRuns }, clientCommands: ["callsheet.debugScript"] }
    const { editor } = openShop({ [file]: text }, options)
    expect(shown(await lensesOf(editor))).toContain("7: Debug script callsheet.debugScript")
  })

  it("name only commands that somebody runs", async () => {
    const { editor } = openShop({ [file]: text })
    expect(await lensesOf(editor)).toEqual([])
    const own = openShop({ [file]: text }, { clientCommands: ["callsheet.run"] }).editor
    expect((await lensesOf(own)).length).toBeGreaterThan(0)
  })

  it("send a saved request", async () => {
    const { editor } = openShop({}, { ports: { runs: noRuns } })
    const [lens, ...others] = await lensesOf(editor, "apis/shop/requests/orders/gift.json")
    expect(others).toEqual([])
    expect(lens?.command).toEqual({
      title: "Send",
      command: "callsheet.sendRequest",
      arguments: [{ uri: editor.uriOf("apis/shop/requests/orders/gift.json") }],
    })
  })

  it("are absent before trust, and in files without runs", async () => {
    const { editor } = openShop({ [file]: text }, { ports: { runs: noRuns }, isTrusted: false })
    expect(await lensesOf(editor)).toEqual([])
    const trusted = openShop({ [file]: text }, { ports: { runs: noRuns } }).editor
    expect(await lensesOf(trusted, "apis/shop/environments/schema.json")).toEqual([])
  })

  it("are announced to clients that show them, with the commands that they don't run themselves", () => {
    const { editor } = openShop({}, { ports: { runs: noRuns } })
    expect(editor.service.capabilities({})).not.toHaveProperty("codeLensProvider")
    const all = editor.service.capabilities(client)
    expect(all).toHaveProperty("codeLensProvider")
    expect(all.executeCommandProvider?.commands).toEqual(
      expect.arrayContaining(["callsheet.run", "callsheet.sendRequest"]),
    )
    const some = editor.service.capabilities(client, ["callsheet.run"])
    expect(some.executeCommandProvider?.commands).not.toContain("callsheet.run")
  })

  it("are asked for again after the environment changed", () => {
    const capabilities = { ...client, workspace: { codeLens: { refreshSupport: true } } }
    const { editor } = openShop({}, { capabilities, settings: { environment: "local" } })
    expect(editor.sent.map(({ method }) => method)).toEqual(["workspace/codeLens/refresh"])
  })
})

const inRun = { run: 0 } as const
const failedRun: readonly RunEvent[] = [
  {
    ...inRun,
    type: "run.started",
    workflow: "runs",
    startedAt: "2026-01-01T00:00:00Z",
    environments: {},
    inputs: {},
  },
  { ...inRun, type: "block.started", block: 0, id: "group", kind: "group" },
  { ...inRun, type: "block.started", block: 1, id: "check", kind: "assert", parent: 0 },
  {
    ...inRun,
    type: "assertions.checked",
    block: 1,
    assertions: [
      { source: "list.response.status", operator: "equals", status: "passed" },
      {
        source: "list.response.status",
        operator: "equals",
        status: "failed",
        message: "expected 200, received 500",
        file,
        line: 9,
      },
    ],
  },
  { ...inRun, type: "block.finished", block: 1, status: "failed", durationMs: 1 },
  { ...inRun, type: "block.finished", block: 0, status: "failed", durationMs: 1 },
  { ...inRun, type: "run.finished", status: "failed", durationMs: 2 },
]

describe("callsheet.run", () => {
  const execute = async (editor: Editor, argument: object, signal?: AbortSignal): Promise<unknown> =>
    editor.request("workspace/executeCommand", { command: "callsheet.run", arguments: [argument] }, signal)

  const argumentFor = (editor: Editor, more: object = {}) => ({
    project: editor.uriOf(""),
    workflow: "runs",
    environments: [],
    ...more,
  })

  it("tells the first block that failed, with its line, and shows progress", async () => {
    const orders: unknown[] = []
    const runs: Runs = {
      ...noRuns,
      run: (order, { onEvent }) => {
        orders.push(order)
        for (const event of failedRun) onEvent(event)
        return Promise.resolve({ exitCode: 1, errors: "" })
      },
    }
    const capabilities = { ...client, window: { workDoneProgress: true } }
    const { editor, root } = openShop({ [file]: text }, { ports: { runs }, capabilities })
    const result = await execute(editor, argumentFor(editor, { until: "list", environments: ["shop=local"] }))
    expect(orders).toEqual([{ root, workflow: "runs", until: "list", environments: ["shop=local"] }])
    const message = `runs failed at "check": expected 200, received 500 (${file}:9)`
    expect(result).toMatchObject({
      status: "failed",
      exitCode: 1,
      message,
      failed: { block: "check", file, line: 9 },
    })
    expect(editor.sent.map(({ method }) => method)).toEqual([
      "window/workDoneProgress/create",
      ...Array.from({ length: 4 }, () => "$/progress"),
      "window/showMessage",
    ])
    expect(editor.sent.at(-1)?.params).toEqual({ type: 1, message })
  })

  it("ends if the user cancels it in the progress, or the client its request", async () => {
    const runs: Runs = {
      ...noRuns,
      run: async (_, { signal }) => {
        await wait(60_000, undefined, { signal }).catch(() => undefined)
        return { exitCode: undefined, errors: "" }
      },
    }
    const { editor } = openShop({ [file]: text }, { ports: { runs } })
    const params = { command: "callsheet.run", arguments: [argumentFor(editor)], workDoneToken: "mine" }
    const running = editor.request("workspace/executeCommand", params)
    await expect.poll(() => editor.sent.length).toBe(1)
    editor.service.cancelProgress("mine")
    expect(await running).toMatchObject({ status: "cancelled", message: "runs was cancelled" })
    const controller = new AbortController()
    const second = execute(editor, argumentFor(editor), controller.signal)
    controller.abort()
    expect(await second).toMatchObject({ status: "cancelled" })
  })

  it("refuses what is not a project, a workflow or an environment, and words that would be options", async () => {
    const { editor } = openShop({ [file]: text }, { ports: { runs: noRuns } })
    for (const more of [
      { project: "file:///nowhere" },
      { workflow: "--yes" },
      { workflow: "run" },
      { environments: ["--yes"] },
      { environments: ["shop=--yes"] },
      { environments: "local" },
      { until: 5 },
    ])
      await expect(execute(editor, argumentFor(editor, more)), JSON.stringify(more)).rejects.toThrow()
    await expect(editor.request("workspace/executeCommand", { command: "rm" })).rejects.toThrow(
      'no command "rm"',
    )
    await expect(editor.request("workspace/executeCommand", { command: "callsheet.run" })).rejects.toThrow(
      "expected {",
    )
  })

  it("runs nothing before trust", async () => {
    const { editor } = openShop({ [file]: text }, { ports: { runs: noRuns }, isTrusted: false })
    await expect(execute(editor, argumentFor(editor))).rejects.toThrow("not trusted")
  })
})
