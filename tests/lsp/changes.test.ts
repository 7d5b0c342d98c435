// After thousands of changes in a row, the server knows what a fresh server reads.

import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { createFolder } from "../harness/callsheet.ts"
import { pulls, startEditor, type Editor } from "./client.ts"
import { diagnosticsByUri } from "./same-problems.ts"

const editors: Editor[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(editors.splice(0).map((editor) => editor.dispose()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const files = {
  "apis/workflow/checkout.json": {
    version: 1,
    description: "🎉 naïve",
    inputs: { id: { type: "string" } },
    blocks: [
      {
        id: "a",
        type: "request",
        api: "shop",
        operation: "GET /items/{id}",
        overrides: { path: { id: "{{inputs.id}}" } },
      },
      {
        id: "b",
        type: "assert",
        assertions: [{ source: "a.response.status", operator: "equals", value: 200 }],
      },
      { id: "c", type: "script", file: "apis/workflow/scripts/checkout/total.ts", export: "total" },
    ],
  },
  "apis/workflow/other.json": { version: 1, blocks: [] },
  "apis/workflow/scripts/checkout/total.ts": "export const total = () => 1\n",
  "apis/shop/openapi.yaml":
    "openapi: 3.0.3\ninfo: { title: Shop, version: '1' }\nservers: [{ url: https://shop.example }]\npaths:\n  /items/{id}:\n    get:\n      tags: [items]\n      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]\n      responses: { '200': { description: ok } }\n",
  "apis/shop/environments/schema.json": { variables: { token: { type: "string", secret: true } } },
  "apis/shop/environments/local.json": { values: {} },
  "apis/shop/environments/local.secrets.env": "token=canary-4711\n",
  "apis/shop/requests/items/get.json": { version: 1, operation: "GET /items/{id}" },
  "callsheet.json": { version: 1 },
}
const paths = Object.keys(files)

/** Mulberry32. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

const pieces = [
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\n",
  "\r\n",
  "\r",
  "🎉",
  "é",
  "\uFEFF",
  " ",
  "0",
  "x",
  "{{a.",
  '"id": ',
  "null",
]

/** Keeps the texts that an editor shows, with changes at random places. */
function createTyping(editor: Editor, random: (below: number) => number) {
  const open = new Map<string, string>()
  let version = 1
  const toggle = async (path: string): Promise<void> => {
    if (open.delete(path)) return editor.close(path)
    const text = textOf(path)
    open.set(path, text)
    return editor.open(path, text)
  }
  const change = async (path: string, before: string): Promise<void> => {
    const from = random(before.length + 1)
    const to = Math.min(before.length, from + (random(3) === 0 ? random(40) : 0))
    const inserted = random(4) === 0 ? "" : (pieces[random(pieces.length)] ?? "")
    const text = before.slice(0, from) + inserted + before.slice(to)
    const range = { start: positionAt(before, from), end: positionAt(before, to) }
    const isWhole = splitsPair(before, from) || splitsPair(before, to)
    open.set(path, text)
    await editor.notify("textDocument/didChange", {
      textDocument: { uri: editor.uri(path), version: version++ },
      contentChanges: [isWhole ? { text } : { range, text: inserted }],
    })
  }
  return {
    open,
    step: async (): Promise<void> => {
      const path = paths[random(paths.length)] ?? ""
      const before = open.get(path)
      if (before === undefined || random(50) === 0) return toggle(path)
      // Sometimes starts again, so that files don't stay broken.
      if (random(60) !== 0) return change(path, before)
      open.set(path, textOf(path))
      return editor.change(path, textOf(path))
    },
  }
}

function textOf(path: string): string {
  const content = (files as Readonly<Record<string, unknown>>)[path]
  return typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`
}

/** Inside a pair of CR and LF, or of surrogates, a position would mean another place. */
const splitsPair = (text: string, at: number): boolean =>
  (text[at - 1] === "\r" && text[at] === "\n") || /[\uDC00-\uDFFF]/.test(text[at] ?? "")

function positionAt(text: string, offset: number) {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}

async function start(folder: string): Promise<Editor> {
  const editor = await startEditor({ folder, capabilities: pulls })
  editors.push(editor)
  return editor
}

describe("changes in a row", () => {
  it.each([1, 2])("leave the state of a fresh server (seed %d)", { timeout: 240_000 }, async (seed) => {
    const folder = await createFolder(files)
    folders.push(folder)
    const editor = await start(folder)
    const random = randomFrom(seed)
    const typing = createTyping(editor, random)
    for (let step = 1; step <= 5000; step++) {
      await typing.step()
      // Answers in between read states that are soon outdated.
      if (random(200) === 0) void editor.pull(paths[random(paths.length)] ?? "").catch(() => undefined)
      if (step % 1250 === 0) await isLikeFresh(folder, editor, typing.open)
    }
    expect(editor.errors()).toBe("")
    expect(editor.output()).not.toContain("canary-4711")
  })

  it("leave the state of a fresh server when files change on disk too", async () => {
    const folder = await createFolder(files)
    folders.push(folder)
    const editor = await start(folder)
    const random = randomFrom(3)
    const typing = createTyping(editor, random)
    for (let step = 1; step <= 300; step++) {
      await typing.step()
      if (random(20) !== 0) continue
      const path = paths[random(paths.length)] ?? ""
      writeFileSync(join(folder, path), textOf(path).slice(0, random(400)))
      await editor.notify("workspace/didChangeWatchedFiles", {
        changes: [{ uri: editor.uri(path), type: 2 }],
      })
    }
    await isLikeFresh(folder, editor, typing.open)
  })

  async function isLikeFresh(
    folder: string,
    editor: Editor,
    open: ReadonlyMap<string, string>,
  ): Promise<void> {
    const fresh = await start(folder)
    for (const [path, text] of open) await fresh.open(path, text)
    const expected = diagnosticsByUri(await fresh.pullAll())
    expect(diagnosticsByUri(await editor.pullAll())).toEqual(expected)
    for (const path of paths) expect(await editor.pull(path), path).toEqual(await fresh.pull(path))
    await fresh.dispose()
  }
})
