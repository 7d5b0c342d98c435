// Turns problems into diagnostics of the protocol.

import { lineEnd, replacementOf, stringEnd, type Problem } from "@callsheet/format"
import type { Diagnostic, Range } from "vscode-languageserver-protocol"
import type { EditorFile } from "../file/editor-file.ts"
import { dataOf } from "./diagnostic-data.ts"

const start: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** `file` is absent if the problem's file has no text, as a directory. */
export function toDiagnostic(problem: Problem, file: EditorFile | undefined): Diagnostic {
  const { code, severity, message, hint } = problem
  const replacement = replacementOf(problem)
  return {
    range: file === undefined ? start : rangeOf(problem, file),
    severity: severity === "error" ? 1 : 2,
    code,
    source: "callsheet",
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(replacement && { data: dataOf(replacement) }),
  }
}

/** Marks the string, or else the word, at the place of a problem. */
function rangeOf({ line, column = 1 }: Problem, file: EditorFile): Range {
  if (line === undefined) return start
  const { text } = file
  const from = file.offsetOf({ line, column })
  const end = text[from] === '"' && file.path.endsWith(".json") ? stringEnd(text, from) : wordEnd(text, from)
  return file.rangeOf(from, Math.max(from, Math.min(end, lineEnd(text, from))))
}

function wordEnd(text: string, from: number): number {
  const word = /[\w$.-]+|[^\r\n]/uy
  word.lastIndex = from
  return from + (word.exec(text)?.[0].length ?? 0)
}
