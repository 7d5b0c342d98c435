// Converts the problems of a file to diagnostics of the editor. Pure.

import type { Diagnostic } from "@codemirror/lint"
import type { Text } from "@codemirror/state"
import type { Problem } from "@callsheet/format"
import { visibleLines } from "../../ui/visible-text.ts"

/** The maximum number of diagnostics. More would be slow to draw and hard to read. */
const MAX_SHOWN = 500

/** A problem, or a finding without a code. */
export type Mark = Omit<Problem, "code"> & { readonly code?: string }

/** Marks each problem to the end of its placeholder, word, string or line. A problem without a position is on the first line. */
export function diagnosticsOf(problems: readonly Mark[], doc: Text): readonly Diagnostic[] {
  return problems
    .slice(0, MAX_SHOWN)
    .map((problem): Diagnostic => {
      const { from, to } = rangeOf(problem, doc)
      const hint = problem.hint === undefined ? "" : `\n${problem.hint}`
      const code = problem.code === undefined ? "" : ` (${problem.code})`
      return {
        from,
        to,
        severity: problem.severity,
        message: visibleLines(`${problem.message}${code}${hint}`),
      }
    })
    .sort((a, b) => a.from - b.from || a.to - b.to)
}

export function rangeOf(
  { line = 1, column = 1 }: Pick<Problem, "line" | "column">,
  doc: Text,
): { readonly from: number; readonly to: number } {
  const { from: start, to: end } = doc.line(Math.max(1, Math.min(line, doc.lines)))
  const from = Math.max(start, Math.min(start + column - 1, end))
  const [found] = /^(?:"(?:[^"\\]|\\.)*"|\{\{(?:(?!\}\}).)+\}\}|[\w$.-]+|\S)/.exec(
    doc.sliceString(from, Math.min(end, from + 200)),
  ) ?? [""]
  return { from, to: from + found.length }
}
