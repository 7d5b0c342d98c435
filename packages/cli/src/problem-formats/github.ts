// Formats problems as workflow commands of GitHub Actions, which GitHub shows at their lines.

import type { Problem, Severity } from "@callsheet/format"
import { plural } from "../text/measures.ts"
import { printable } from "../text/printable.ts"
import { annotation, SHOWN_PER_KIND } from "../text/workflow-command.ts"
import type { FormatProblems } from "./index.ts"
import { createRepositoryPath } from "./repository-path.ts"
import { summarize } from "./text.ts"

export const formatGithub: FormatProblems = function* ({ problems, counts }, context) {
  const pathOf = createRepositoryPath(context)
  const errors = problems.filter(({ severity }) => severity === "error")
  const warnings = problems.filter(({ severity }) => severity === "warning")
  for (const problem of [...errors, ...warnings]) yield problemAnnotation(problem, pathOf)
  const hidden = [...rest(errors.length, "error"), ...rest(warnings.length, "warning")]
  if (hidden.length > 0) {
    const message = `${hidden.join(" and ")} in the log of this step: GitHub shows ${SHOWN_PER_KIND} annotations of each kind`
    yield annotation({ kind: "notice", title: "callsheet validate", message })
  }
  yield `${summarize(counts)}\n`
}

const rest = (count: number, severity: Severity): readonly string[] =>
  count > SHOWN_PER_KIND ? [plural(count - SHOWN_PER_KIND, `more ${severity}`)] : []

function problemAnnotation(problem: Problem, pathOf: (file: string) => string): string {
  const { file, line, column, code, severity, message, hint } = problem
  return annotation({
    kind: severity,
    title: code,
    message: printable(message) + (hint === undefined ? "" : `\nhint: ${printable(hint)}`),
    file: file === undefined ? undefined : pathOf(file),
    line,
    column,
  })
}
