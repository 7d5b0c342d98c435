// The protocol of `callsheet lsp`: how it starts and ends, and how problems reach an editor.

import { describe, expect, it, onTestFinished } from "vitest"
import { pulls, startEditor, type EditorOptions } from "./client.ts"

const file = "apis/workflow/checkout.json"
const broken = { version: 2, blocks: [] }

async function edit(options: EditorOptions = {}) {
  const editor = await startEditor({ files: { [file]: broken }, ...options })
  onTestFinished(editor.dispose)
  return editor
}

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
})

describe("problems", () => {
  it("are pushed to an editor that can't pull", async () => {
    const editor = await edit()
    expect(editor.initialized.capabilities.diagnosticProvider).toBeUndefined()
    const [problem] = await editor.until(() => editor.pushed.get(editor.uri(file)))
    expect(problem).toMatchObject({ source: "callsheet", severity: 1, range: { start: { line: 1 } } })
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
})
