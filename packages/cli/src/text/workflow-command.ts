// Workflow commands of GitHub Actions (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).

import { breakCommands } from "./log-commands.ts"
import { printable } from "./printable.ts"

/** GitHub shows this many annotations of each kind per step. Its log contains the others. */
export const SHOWN_PER_KIND = 10

interface Annotation {
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

// Escape "%" first, so that no escape is escaped again (https://github.com/actions/toolkit).
const escapeData = (text: string): string =>
  breakCommands(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"))

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
