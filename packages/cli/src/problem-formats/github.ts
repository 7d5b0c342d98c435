// Formats problems as workflow commands of GitHub Actions, which GitHub shows at their lines.

import type { Problem, Severity } from "@callsheet/format"
import { plural } from "../text/measures.ts"
import { breakCommands } from "../text/log-commands.ts"
import { printable } from "../text/printable.ts"
import type { FormatProblems } from "./index.ts"
import { createRepositoryPath } from "./repository-path.ts"
import { summarize } from "./text.ts"

/** GitHub shows this many annotations of each kind per step. Its log contains the others. */
const SHOWN_PER_KIND = 10

export const formatGithub: FormatProblems = function* ({ problems, counts }, context) {
  const pathOf = createRepositoryPath(context)
  const errors = problems.filter(({ severity }) => severity === "error")
  const warnings = problems.filter(({ severity }) => severity === "warning")
  for (const problem of [...errors, ...warnings]) yield annotation(problem, pathOf)
  const hidden = [...rest(errors.length, "error"), ...rest(warnings.length, "warning")]
  if (hidden.length > 0) {
    const message = `${hidden.join(" and ")} in the log of this step: GitHub shows ${SHOWN_PER_KIND} annotations of each kind`
    yield `::notice title=callsheet validate::${escapeData(message)}\n`
  }
  yield `${summarize(counts)}\n`
}

const rest = (count: number, severity: Severity): readonly string[] =>
  count > SHOWN_PER_KIND ? [plural(count - SHOWN_PER_KIND, `more ${severity}`)] : []

function annotation(problem: Problem, pathOf: (file: string) => string): string {
  const { file, line = 1, column = 1, code, severity, message, hint } = problem
  const place =
    file === undefined
      ? []
      : [`file=${escapeProperty(printable(pathOf(file), "lines"))}`, `line=${line}`, `col=${column}`]
  const properties = [...place, `title=${escapeProperty(code)}`].join(",")
  const text = printable(message) + (hint === undefined ? "" : `\nhint: ${printable(hint)}`)
  return `::${severity} ${properties}::${escapeData(text)}\n`
}

// Escape "%" first, so that no escape is escaped again (https://github.com/actions/toolkit).
const escapeData = (text: string): string =>
  breakCommands(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"))

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
