// A text file of the project, and the conversion of offsets in it to a problem's line and column.

import { createJsonLocator } from "./json/locate.ts"
import type { JsonPointer } from "./json/pointer.ts"
import { createLineFinder, lineColumnAt, type LineColumn } from "./text/line-column.ts"
import type { Finding, Problem } from "./problems.ts"

export interface SourceFile {
  /** Path from the project root, with `/`. */
  readonly file: string
  /** The text without a byte order mark. */
  readonly text: string
  /** The text as UTF-8, if it is not decoded yet: `text` decodes it when first read. */
  readonly bytes?: Uint8Array
}

/** Reads a text file by its path from the project root, and never one outside the project. */
export type ReadFile = (path: string) => ReadFileResult

export type ReadFileResult =
  | { readonly ok: true; readonly value: SourceFile }
  | { readonly ok: false; readonly problem: Finding }

/** Makes the problem of a finding at `offset` (UTF-16 code units) of the file. */
export function problemAtOffset(source: SourceFile, offset: number, finding: Finding): Problem {
  return problemAt(source, lineColumnAt(source.text, offset), finding)
}

/** Makes several problems like `problemAtOffset`, but computes line positions once. */
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

/** Returns a function that makes problems at JSON pointers of one file. Computes positions once, at the first problem. */
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
