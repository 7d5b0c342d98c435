// What a caught error says to the person at the terminal, and the exit code that it means.

import { CallsheetError, formatProblem, suggest, type Problem } from "@callsheet/format"
import type { Misuse } from "./parse-arguments.ts"
import type { Output } from "./screen.ts"
import { printable } from "./text/printable.ts"

export function misuse({ message, hint, unknown, about }: Misuse): CallsheetError {
  const near = unknown === undefined ? undefined : suggest(unknown.word, unknown.known)
  const help = `see callsheet ${about === "" ? "" : `${about} `}--help`
  return new CallsheetError("usage", message, { hint: near ?? hint ?? help })
}

/** Prints an error, or the problems that it carries, and returns 2. A bug keeps its values to itself: they may be secrets. */
export function reportError(
  error: unknown,
  { output, debug }: { readonly output: Output; readonly debug: boolean },
): number {
  if (error instanceof CallsheetError) {
    printProblems(problemsOf(error), output)
  } else {
    const name = error instanceof Error ? error.name : typeof error
    output.write(
      `${output.style("red", "a bug in callsheet")} (${printable(name)}): please report it${
        debug ? "" : ", with what the same command prints under --debug"
      }\n`,
    )
  }
  if (debug && error instanceof Error) output.write(`${printable(stackOf(error), "lines")}\n`)
  return 2
}

/** The stack, without a message that may hold a secret: those of libraries, of Node and of the engine quote values. */
function stackOf(error: Error): string {
  const stack = error.stack ?? ""
  if (error instanceof CallsheetError) return stack
  const frames = stack
    .replace(error.message, () => "")
    .split("\n")
    .filter((line) => /^ {4}at /.test(line))
  return [error.name, ...frames].join("\n")
}

const problemsOf = ({ code, message, hint, problems }: CallsheetError): readonly Problem[] =>
  problems.length > 0 ? problems : [{ code, severity: "error", message, hint }]

/** One line a problem, `file:line:column: message (code)`, and its hint below. */
export function printProblems(problems: readonly Problem[], output: Output): void {
  let text = ""
  for (const problem of problems) {
    if (problem.severity === "warning") text += `${output.style("yellow", "warning:")} `
    text += `${printable(formatProblem(problem))}\n`
    if (problem.hint !== undefined) text += `  ${output.style("cyan", "hint:")} ${printable(problem.hint)}\n`
  }
  output.write(text)
}

/** Every user of the machine can read the words of a command. `word` is what stands before the value: `--var shop.key`. */
export function warnOfVisibleSecret(word: string, output: Output): void {
  const message = `${word}=…: a secret on the command line can be seen by others`
  const hint = `${word}=- reads it from standard input`
  printProblems([{ code: "usage", severity: "warning", message, hint }], output)
}

/** `name=value` and `api.name=value`; a path holds its own `=`. */
const assignment = /^([A-Za-z0-9_.-]+=)./s

/** Shows only the name of each assignment of the command line, `shop.key=…`: a value in the wrong place may be a secret. */
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
