// Prints caught errors and problems, and chooses the exit code.

import { CallsheetError, formatProblem, suggest, toProblem, type Problem } from "@callsheet/format"
import type { CommandCall } from "./args/command.ts"
import { messages, notices, seeHelp } from "./messages.ts"
import { otherToolHint, workflowHint } from "./args/other-tools.ts"
import type { Misuse } from "./args/parse-arguments.ts"
import type { Output, Style } from "./screen.ts"
import { printable } from "./text/printable.ts"

export function misuse({ explain, unknown, about }: Misuse): CallsheetError {
  const finding = explain(messages.usage)
  const suggestion =
    unknown === undefined
      ? undefined
      : (otherToolHint(unknown.word, about) ??
        suggest(unknown.word, unknown.known) ??
        workflowHint(unknown.word, about))
  return new CallsheetError({ ...finding, hint: suggestion ?? finding.hint ?? seeHelp(about) })
}

/** Prints an error or its problems, and returns 2. Never prints the message of a bug, which may contain a secret. */
export function reportError(
  error: unknown,
  { output, debug }: { readonly output: Output; readonly debug: boolean },
): number {
  if (error instanceof CallsheetError) {
    const { code, message, hint, problems } = error
    printProblems(problems.length > 0 ? problems : [{ code, severity: "error", message, hint }], output)
  } else {
    const name = error instanceof Error ? error.name : typeof error
    output.write(`${output.style("red", notices.bug())} (${printable(name)}): ${notices.reportBug(debug)}\n`)
  }
  if (debug && error instanceof Error) output.write(`${printable(stackOf(error), "lines")}\n`)
  return 2
}

/** Creates the error for a working directory that was deleted or can't be read. */
export const noDirectory = (error: unknown): CallsheetError =>
  new CallsheetError(messages.usage.noDirectory(codeOf(error)), { cause: error })

/** Says why standard output is incomplete. */
export const reportUnwritten = (error: Error, output: Output): void =>
  printProblems([toProblem(messages["report-failed"].standardOutput(codeOf(error)))], output)

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined

/** The maximum number of bugs of a session whose stacks are printed. */
const MAX_BUGS = 10

/** Returns how to print the bugs of a session: the first one or, with `--debug`, each with its stack. */
export function printBugs({ screen, options }: Pick<CommandCall, "screen" | "options">) {
  const debug = options.has("debug")
  const shown = new Set<string>()
  return (error: unknown): void => {
    const key = debug && error instanceof Error ? stackOf(error) : ""
    if (shown.has(key) || shown.size === MAX_BUGS) return
    shown.add(key)
    reportError(error, { output: screen.err, debug })
  }
}

/** Returns the stack without the message, where Node and libraries may quote a secret. */
function stackOf(error: Error): string {
  const stack = error.stack ?? ""
  if (error instanceof CallsheetError) return stack
  const frames = stack
    .replace(error.message, () => "")
    .split("\n")
    .filter((line) => /^ {4}at /.test(line))
  return [error.name, ...frames].join("\n")
}

/** Prints each problem as `file:line:column: message (code)`, with its hint below. */
export function printProblems(problems: readonly Problem[], output: Output): void {
  let text = ""
  for (const problem of problems) {
    if (problem.severity === "warning") text += `${output.style("yellow", "warning:")} `
    text += `${printable(formatProblem(problem))}\n`
    text += hintLine(problem, output.style)
  }
  output.write(text)
}

/** Returns the lines below a problem: the code that it is about, and the hint. */
export const hintLine = ({ hint, excerpt }: Problem, style: Style): string => {
  const code = excerpt === undefined ? "" : `${printable(excerpt, "lines").replaceAll(/^/gm, "  ")}\n`
  return hint === undefined ? code : `${code}  ${style("cyan", "hint:")} ${printable(hint)}\n`
}

/**
 * Warns about a secret on the command line, where every user can read it. `word` precedes the value: `--var shop.key`.
 */
export function warnOfVisibleSecret(word: string, output: Output): void {
  printProblems([toProblem(messages.usage.visibleSecret(word))], output)
}

/** Matches `name=value` and `api.name=value`, but not a path with `=`. */
const assignment = /^([A-Za-z0-9_.-]+=)./s

/** Shows assignments on the command line only by name (`shop.key=…`), because a misplaced value may be a secret. */
export function hideValues(output: Output, words: readonly string[]): Output {
  const assignments = words.flatMap((word) => {
    const shown = assignment.exec(word)?.[1]
    return shown === undefined ? [] : [{ quoted: JSON.stringify(word), shown: `"${shown}…"` }]
  })
  if (assignments.length === 0) return output
  return {
    ...output,
    write: (text, as) =>
      output.write(
        assignments.reduce((rest, { quoted, shown }) => rest.replaceAll(quoted, () => shown), text),
        as,
      ),
  }
}
