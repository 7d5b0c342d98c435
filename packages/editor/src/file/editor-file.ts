// A file in an editor: which kind it is, and how positions of the protocol become offsets in its text.

import { createLineFinder, createOffsetFinder, lineEnd, once, type LineColumn } from "@callsheet/format"
import { fileAt, type FileName } from "@callsheet/server"
import type { Position, Range } from "vscode-languageserver-protocol"

export type FileKind =
  | FileName
  | { readonly kind: "secrets"; readonly api: string; readonly environment: string }
  | { readonly kind: "other" }

export interface EditorFile {
  readonly uri: string
  /** The path from the project's root, with `/`. */
  readonly path: string
  readonly is: FileKind
  /** The text without a byte order mark. */
  readonly text: string
  readonly offsetAt: (position: Position) => number
  /** Converts the place of a problem. */
  readonly offsetOf: (place: LineColumn) => number
  readonly positionAt: (offset: number) => Position
  readonly rangeOf: (from: number, to: number) => Range
}

export function kindOf(path: string): FileKind {
  const [, api, environment] = /^apis\/([^/]+)\/environments\/([^/]+)\.secrets\.env$/.exec(path) ?? []
  if (api !== undefined && environment !== undefined) return { kind: "secrets", api, environment }
  return fileAt(path) ?? { kind: "other" }
}

interface Texts {
  readonly uri: string
  readonly path: string
  /** As the client sent it. Its columns count a byte order mark. */
  readonly sent: string
}

export const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text)

export function createEditorFile({ uri, path, sent }: Texts): EditorFile {
  const text = withoutMark(sent)
  const mark = sent.length - text.length
  const lineColumn = createLineFinder(text)
  const offset = once(() => createOffsetFinder(text))
  const shift = (line: number): number => (line === 0 ? mark : 0)
  const positionAt = (at: number): Position => {
    const { line, column } = lineColumn(at)
    return { line: line - 1, character: column - 1 + shift(line - 1) }
  }
  return {
    uri,
    path,
    is: kindOf(path),
    text,
    offsetOf: (place) => offset()(place),
    offsetAt: ({ line, character }) => {
      const start = offset()({ line: line + 1, column: 1 })
      // A character behind the line's end is its end (LSP, "Position").
      return Math.min(start + Math.max(0, character - shift(line)), lineEnd(text, start))
    },
    positionAt,
    rangeOf: (from, to) => ({ start: positionAt(from), end: positionAt(to) }),
  }
}
