// Positions count what the client counts, in the text that the client sent.

import { describe, expect, it, onTestFinished } from "vitest"
import type { Diagnostic, PositionEncodingKind } from "vscode-languageserver-protocol"
import { pulls, startEditor } from "./client.ts"

const file = "apis/workflow/checkout.json"
/** The misspelled field is behind emojis and accents. */
const line = `  "description": "🎉🎉 é", "blcks": []`
const textWith = (lineBreak: string): string => ["{", `  "version": 1,`, line, "}", ""].join(lineBreak)

async function edit(encodings?: readonly PositionEncodingKind[]) {
  const editor = await startEditor({
    files: { [file]: textWith("\n") },
    capabilities: { ...pulls, general: { positionEncodings: [...(encodings ?? [])] } },
  })
  onTestFinished(editor.dispose)
  return editor
}

const misspelled = (found: readonly Diagnostic[]) =>
  found.find(({ message }) => JSON.stringify(message).includes("blcks"))?.range

const columns = {
  "utf-8": Buffer.byteLength(line.slice(0, line.indexOf(`"blcks"`))),
  "utf-16": line.indexOf(`"blcks"`),
  "utf-32": Array.from(line.slice(0, line.indexOf(`"blcks"`))).length,
}

describe("the encoding of positions", () => {
  it.each([
    ["utf-16", undefined],
    ["utf-16", ["utf-8", "utf-16"]],
    ["utf-16", ["utf-32", "utf-16", "utf-8"]],
    ["utf-8", ["utf-8"]],
    ["utf-8", ["utf-32", "utf-8"]],
    ["utf-32", ["utf-32"]],
    ["utf-16", ["utf-7"]],
  ] as const)("is %s if the client offers %s", async (encoding, offered) => {
    const editor = await edit(offered)
    expect(editor.initialized.capabilities.positionEncoding).toBe(encoding)
    await editor.open(file)
    const start = { line: 2, character: columns[encoding] }
    const end = { line: 2, character: columns[encoding] + 7 }
    expect(misspelled(await editor.pull(file))).toEqual({ start, end })
    expect(misspelled((await editor.pullAll()).get(editor.uri(file)) ?? [])).toEqual({ start, end })
  })

  it("is the client's in documents that aren't open", async () => {
    const editor = await edit(["utf-8"])
    const found = (await editor.pullAll()).get(editor.uri(file)) ?? []
    expect(misspelled(found)?.start).toEqual({ line: 2, character: columns["utf-8"] })
  })
})

describe("lines", () => {
  it.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("end with %s", async (_, lineBreak) => {
    const editor = await edit()
    await editor.open(file, textWith(lineBreak))
    expect(misspelled(await editor.pull(file))?.start).toEqual({ line: 2, character: columns["utf-16"] })
  })

  it("change by ranges that count UTF-16 units", async () => {
    const editor = await edit()
    await editor.open(file, textWith("\r\n"))
    expect(misspelled(await editor.pull(file))).toBeDefined()
    const start = { line: 2, character: columns["utf-16"] + 1 }
    await editor.notify("textDocument/didChange", {
      textDocument: { uri: editor.uri(file), version: 9 },
      contentChanges: [
        { range: { start, end: { ...start, character: start.character + 5 } }, text: "blocks" },
      ],
    })
    expect(misspelled(await editor.pull(file))).toBeUndefined()
    // The other problem of the line.
    expect(await editor.pull(file)).toHaveLength(1)
  })
})

describe("a byte order mark", () => {
  const oneLine = `{ "version": 1, "blcks": [] }`

  it("counts if the client sent it", async () => {
    const editor = await edit()
    await editor.open(file, `\uFEFF${oneLine}`)
    const at = oneLine.indexOf(`"blcks"`)
    expect(misspelled(await editor.pull(file))?.start.character).toBe(at + 1)
    await editor.change(file, oneLine)
    expect(misspelled(await editor.pull(file))?.start.character).toBe(at)
  })
})
