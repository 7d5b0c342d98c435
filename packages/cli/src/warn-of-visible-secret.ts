// A secret among the words of a command: every user of the machine can read them while it runs, and they stay in the shell's history.

import type { Output } from "./screen.ts"
import { printProblems } from "./report-error.ts"

/** `word` is what stands before the value: `--var shop.key`. */
export function warnOfVisibleSecret(word: string, output: Output): void {
  const message = `${word}=…: a secret on the command line can be seen by others`
  const hint = `${word}=- reads it from standard input`
  printProblems([{ code: "usage", severity: "warning", message, hint }], output)
}
