// A copy of the sample project for an editor, with changed files.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Diagnostic, Range } from "vscode-languageserver-protocol"
import { onTestFinished } from "vitest"
import { copyProject } from "../mistakes/seed-mistake.ts"
import { openEditor, type EditorOptions } from "./editor.ts"

/** Opens a copy of the shop, with these files added or replaced. */
export function openShop(files: Readonly<Record<string, string>> = {}, options: EditorOptions = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "callsheet-editor-")))
  copyProject("shop", root)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const editor = openEditor(root, options)
  onTestFinished(async () => {
    await editor.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { root, editor }
}

export const codeOf = ({ code }: Diagnostic): string => String(code)

/** The place of a text, which must be in the file. */
export function rangeAt(text: string, wanted: string): Range {
  const at = text.indexOf(wanted)
  if (at === -1) throw new Error(`the text does not contain ${wanted}`)
  const lines = text.slice(0, at).split("\n")
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
  return { start: position, end: position }
}
