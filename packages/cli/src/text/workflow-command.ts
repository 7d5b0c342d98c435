// Workflow commands of GitHub Actions (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).

import type { Problem, Severity } from "@callsheet/format"
import { breakCommands } from "./log-commands.ts"
import { plural } from "./measures.ts"
import { printable } from "./printable.ts"

/** GitHub shows this many annotations of each kind per step. Its log contains the others. */
const SHOWN_PER_KIND = 10

export interface Annotation {
  readonly kind: "error" | "warning" | "notice"
  readonly title: string
  readonly message: string
  /** A path in the repository, with a 1-based line and column. */
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Formats one annotation with its line break. Escapes everything that isn't part of the command. */
export function annotation({ kind, title, message, file, line = 1, column = 1 }: Annotation): string {
  const place =
    file === undefined
      ? []
      : [`file=${escapeProperty(printable(file, "lines"))}`, `line=${line}`, `col=${column}`]
  const properties = [...place, `title=${escapeProperty(title)}`].join(",")
  return `::${kind} ${properties}::${escapeData(message)}\n`
}

/** Returns the annotation of a problem. `pathOf` maps the problem's file to a path in the repository. */
export function problemAnnotation(problem: Problem, pathOf: (file: string) => string): Annotation {
  const { file, line, column, code, severity, message, hint } = problem
  return {
    kind: severity,
    title: code,
    message: printable(message) + (hint === undefined ? "" : `\nhint: ${printable(hint)}`),
    file: file === undefined ? undefined : pathOf(file),
    line,
    column,
  }
}

/** Formats a notice about the annotations that GitHub doesn't show. Empty if it shows all of them. */
export function hiddenNotice(
  title: string,
  counts: { readonly errors: number; readonly warnings: number },
): string {
  const hidden = [...hiddenOf(counts.errors, "error"), ...hiddenOf(counts.warnings, "warning")]
  if (hidden.length === 0) return ""
  const message = `${hidden.join(" and ")} in the log of this step: GitHub shows ${SHOWN_PER_KIND} annotations of each kind`
  return annotation({ kind: "notice", title, message })
}

const hiddenOf = (count: number, severity: Severity): readonly string[] =>
  count > SHOWN_PER_KIND ? [plural(count - SHOWN_PER_KIND, `more ${severity}`)] : []

// Escape "%" first, so that no escape is escaped again (https://github.com/actions/toolkit).
const escapeData = (text: string): string =>
  breakCommands(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"))

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
