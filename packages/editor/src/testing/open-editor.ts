// For tests: an editor with a project of these files, asked by the text around the caret.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { onTestFinished } from "vitest"
import type {
  ClientCapabilities,
  Location,
  Position,
  Range,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol"
import { createLineFinder, createOffsetFinder } from "@callsheet/format"
import { createEditorService } from "../index.ts"

/** Marks the caret in texts of tests. */
const CARET = "‸"

const scriptEntry = new URL("../../../engine/src/node/script/script-entry.ts", import.meta.url)

/** Writes files by path and returns the directory. It is removed after the test. */
export function writeProject(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "callsheet-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

export function openEditor(files: Readonly<Record<string, string>>, capabilities: ClientCapabilities = {}) {
  const texts = Object.entries(files).map(([file, text]) => [file, text.replaceAll(CARET, "")] as const)
  const root = writeProject(Object.fromEntries(texts))
  const service = createEditorService({
    scriptEntry,
    processEnvironment: {},
    findSurrounding: () => Promise.resolve([]),
    mask: (_, problems) => Promise.resolve(problems),
  })
  const notified: { readonly method: string; readonly params: unknown }[] = []
  service.start(
    { capabilities, folders: [pathToFileURL(root).href], isTrusted: false, clientWatches: true },
    {
      problemsChanged: () => undefined,
      request: () => Promise.resolve(null),
      notify: (method, params) => void notified.push({ method, params }),
    },
  )
  onTestFinished(() => service.dispose())
  const uriOf = (file: string): string => pathToFileURL(join(root, file)).href
  const textOf = (file: string): string => service.textOf(uriOf(file)) ?? ""
  const ask = (method: string, params: object): Promise<unknown> => {
    const answer = service.requests[method] as
      | ((params: object, signal: AbortSignal) => Promise<unknown>)
      | undefined
    if (answer === undefined) throw new Error(`no answer to ${method}`)
    return answer(params, new AbortController().signal)
  }
  const [caretFile, marked] = Object.entries(files).find(([, text]) => text.includes(CARET)) ?? []
  return {
    root,
    service,
    notified,
    uriOf,
    textOf,
    ask,
    /** Asks at the caret. */
    askAtCaret: (method: string, more: object = {}): Promise<unknown> =>
      ask(method, {
        textDocument: { uri: uriOf(caretFile ?? "") },
        position: positionIn(marked?.replaceAll(CARET, "") ?? "", marked?.indexOf(CARET) ?? 0),
        ...more,
      }),
    /** Returns `file: text` of each location, sorted. */
    shown: (locations: unknown): readonly string[] =>
      (locations as readonly Location[])
        .map(({ uri, range }) => {
          const file = decodeURIComponent(uri).slice(pathToFileURL(root).href.length + 1)
          return `${file}:${range.start.line + 1}: ${textIn(textOf(file), range)}`
        })
        .toSorted(),
    /** Returns the texts of all files after an edit, under their new names. */
    edited: (edit: unknown): ReadonlyMap<string, string> =>
      applyEdit(edit as WorkspaceEdit, { root, files: texts.map(([file]) => file) }),
  }
}

function positionIn(text: string, offset: number): Position {
  const { line, column } = createLineFinder(text)(offset)
  return { line: line - 1, character: column - 1 }
}

function offsetIn(text: string, { line, character }: Position): number {
  return createOffsetFinder(text)({ line: line + 1, column: character + 1 })
}

const textIn = (text: string, { start, end }: Range): string =>
  text.slice(offsetIn(text, start), offsetIn(text, end))

interface ProjectOnDisk {
  readonly root: string
  readonly files: readonly string[]
}

function applyEdit(edit: WorkspaceEdit, { root, files }: ProjectOnDisk): ReadonlyMap<string, string> {
  const base = `${pathToFileURL(root).href}/`
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]))
  const nameOf = (uri: string): string => decodeURIComponent(uri).slice(base.length)
  const change = (uri: string, edits: readonly TextEdit[]): void => {
    const text = texts.get(nameOf(uri)) ?? ""
    const sorted = edits.toSorted((a, b) => offsetIn(text, b.range.start) - offsetIn(text, a.range.start))
    texts.set(
      nameOf(uri),
      sorted.reduce(
        (now, { range, newText }) =>
          now.slice(0, offsetIn(text, range.start)) + newText + now.slice(offsetIn(text, range.end)),
        text,
      ),
    )
  }
  for (const [uri, edits] of Object.entries(edit.changes ?? {})) change(uri, edits)
  for (const part of edit.documentChanges ?? []) {
    if ("edits" in part) change(part.textDocument.uri, part.edits as readonly TextEdit[])
    else if (part.kind === "rename") {
      const [from, to] = [nameOf(part.oldUri), nameOf(part.newUri)]
      for (const [file, text] of texts)
        if (file === from || file.startsWith(`${from}/`)) {
          texts.delete(file)
          texts.set(to + file.slice(from.length), text)
        }
    }
  }
  return texts
}
