// For tests: an editor with a project on disk, whose documents have a `|` as the caret.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type {
  ClientCapabilities,
  CompletionItem,
  CompletionList,
  Hover,
} from "vscode-languageserver-protocol"
import { afterAll } from "vitest"
import { createEditorService } from "../index.ts"

export interface EditorSetup {
  /** The contents by path. */
  readonly files: Readonly<Record<string, unknown>>
  readonly hasSnippets?: boolean
  readonly environment?: Readonly<Record<string, string>>
  /** The directories of another editor. By default, new ones. */
  readonly at?: { readonly root: string; readonly state: string }
}

const textOf = (content: unknown): string =>
  typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`

export function editorOf({ files, hasSnippets = false, environment = {}, at }: EditorSetup) {
  const root = at?.root ?? mkdtempSync(join(tmpdir(), "callsheet-editor-"))
  const state = at?.state ?? mkdtempSync(join(tmpdir(), "callsheet-state-"))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), textOf(content))
  }
  const service = createEditorService({
    scriptEntry: new URL("file:///nowhere"),
    processEnvironment: { XDG_STATE_HOME: state, ...environment },
    findSurrounding: () => Promise.resolve([]),
    mask: (_, problems) => Promise.resolve(problems),
  })
  const capabilities: ClientCapabilities = {
    textDocument: {
      completion: { completionItem: { snippetSupport: hasSnippets, documentationFormat: ["markdown"] } },
      hover: { contentFormat: ["markdown"] },
    },
  }
  const start = { capabilities, folders: [pathToFileURL(root).href], isTrusted: false, clientWatches: true }
  service.start(start, {
    problemsChanged: () => undefined,
    request: () => Promise.resolve(),
    notify: () => undefined,
  })
  afterAll(async () => {
    await service.dispose()
    for (const folder of [root, state]) rmSync(folder, { recursive: true, force: true })
  })
  const ask = async (method: string, params: unknown): Promise<unknown> =>
    service.requests[method]?.(params as never, new AbortController().signal)
  const askAt = async (method: string, { path, marked, more = {} }: Asked) => {
    const offset = marked.indexOf("|")
    const text = marked.slice(0, offset) + marked.slice(offset + 1)
    const uri = pathToFileURL(join(root, path)).href
    service.change({ uri, text, version: 1 })
    const before = text.slice(0, offset).split("\n")
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
    const answer = await ask(method, { textDocument: { uri }, position, ...more })
    service.close(uri)
    return { text, answer }
  }
  return {
    root,
    state,
    ask,
    /** `trigger` is the character that the user has just typed. */
    complete: async (path: string, marked: string, trigger?: string) => {
      const more = trigger === undefined ? {} : { context: { triggerKind: 2, triggerCharacter: trigger } }
      const { text, answer } = await askAt("textDocument/completion", { path, marked, more })
      const { items } = answer as CompletionList
      return {
        items,
        labels: items.map(({ label }) => label),
        take: (label: string) => taken(text, items, label),
      }
    },
    hover: async (path: string, marked: string): Promise<string | undefined> => {
      const { answer } = await askAt("textDocument/hover", { path, marked })
      const hover = answer as Hover | null
      return hover === null ? undefined : (hover.contents as { readonly value: string }).value
    },
  }
}

interface Asked {
  readonly path: string
  readonly marked: string
  /** More members of the request. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** Returns the text after taking an item. */
function taken(text: string, items: readonly CompletionItem[], label: string): string {
  const item = items.find((one) => one.label === label)
  if (item?.textEdit === undefined || !("range" in item.textEdit)) throw new Error(`not offered: ${label}`)
  const offsetOf = ({ line, character }: { readonly line: number; readonly character: number }): number =>
    text.split("\n").slice(0, line).join("\n").length + (line === 0 ? 0 : 1) + character
  return [item.textEdit, ...(item.additionalTextEdits ?? [])]
    .map(({ range, newText }) => ({ from: offsetOf(range.start), to: offsetOf(range.end), newText }))
    .sort((one, other) => other.from - one.from)
    .reduce((now, { from, to, newText }) => now.slice(0, from) + newText + now.slice(to), text)
}
