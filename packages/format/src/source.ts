// A text file of the project with the way from an offset in it to a problem's line and column.

import { createJsonLocator } from "./json/locate.ts"
import type { JsonPointer } from "./json/pointer.ts"
import { createLineFinder, lineColumnAt, type LineColumn } from "./text/line-column.ts"
import type { Finding, Problem } from "./problems.ts"

export interface SourceFile {
  /** Path from the project root, with `/`. */
  readonly file: string
  /** The text without a byte order mark. */
  readonly text: string
  /** The text in UTF-8, where it has not been decoded yet: `text` then does so when it is first read. */
  readonly bytes?: Uint8Array
}

/** Reads a text file of the project by its path from the root, and never one outside of it. */
export type ReadFile = (path: string) => ReadFileResult

export type ReadFileResult =
  | { readonly ok: true; readonly value: SourceFile }
  | { readonly ok: false; readonly problem: Finding }

/** Makes the problem that `finding` is at `offset` (UTF-16 code units) of the file. */
export function problemAtOffset(source: SourceFile, offset: number, finding: Finding): Problem {
  return problemAt(source, lineColumnAt(source.text, offset), finding)
}

/** `problemAtOffset` for several findings; reads the positions once. */
export function problemsAtOffsets(
  source: SourceFile,
  findings: readonly (Finding & { readonly offset: number })[],
): readonly Problem[] {
  const lineColumn = createLineFinder(source.text)
  return findings.map((finding) => problemAt(source, lineColumn(finding.offset), finding))
}

const problemAt = ({ file }: SourceFile, { line, column }: LineColumn, finding: Finding): Problem => {
  const { code, severity = "error", message, hint } = finding
  return { code, severity, message, hint, file, line, column }
}

/** Makes problems at JSON pointers of one file; reads the positions once, at the first problem. */
export function createProblemMaker(
  source: SourceFile,
): (pointer: JsonPointer, at: "key" | "value", finding: Finding) => Problem {
  let locate: ReturnType<typeof createJsonLocator> | undefined
  const lineColumn = createLineFinder(source.text)
  return (pointer, at, finding) => {
    locate ??= createJsonLocator(source.text)
    return problemAt(source, lineColumn(locate(pointer, at)), finding)
  }
}
