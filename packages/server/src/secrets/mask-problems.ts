// Problems as the page may see them: a message may repeat what stands in a file.

import { typeHint, type Problem } from "@callsheet/format"
import { isFormatWord } from "./format-words.ts"
import type { Masker } from "./secrets-masker.ts"

/** Where they are stays as it is: the names of files are no values. */
export const maskProblems = (problems: readonly Problem[], masker: Masker): readonly Problem[] =>
  problems.map((problem) => ({
    ...problem,
    message: maskText(problem.message, masker),
    ...(problem.hint === undefined ? {} : { hint: maskText(problem.hint, masker) }),
  }))

/** Words of the format at the end stay: a secret that happens to be one of them is not told by them. */
function maskText(text: string, masker: Masker): string {
  const end = text.length - ownWords(text).length
  return masker.text(text.slice(0, end)) + text.slice(end)
}

/** How a type is written, or what a field may be: `; expected "halt" or "continue"`. */
function ownWords(text: string): string {
  const [list = ""] = /; expected (?:(?:, | or )?"[A-Za-z]+")+$/.exec(text) ?? []
  const words = [...list.matchAll(/"([A-Za-z]+)"/g)]
  if (words.length > 0) return words.every(([, word = ""]) => isFormatWord(word)) ? list : ""
  return Object.values(typeHint).find((each) => text.endsWith(each)) ?? ""
}
