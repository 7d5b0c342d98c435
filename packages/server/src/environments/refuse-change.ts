// Answers refused changes of environments with status codes and texts for the page.

import { CallsheetError, formatMessages } from "@callsheet/format"
import { messages } from "../messages.ts"
import { CallRefused } from "../handlers.ts"
import { maskProblems } from "../secrets/mask-json-text.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

/** Answers 409 without the current contents, which may be secret. */
export const environmentChanged = (): CallRefused =>
  new CallRefused(409, messages["file-changed"].environment())

export const unknownApi = (name: string, known: Iterable<string>): CallsheetError =>
  new CallsheetError(formatMessages["api-unknown"].unknown(name, [...known]))

export function refuseChange(error: unknown, masker: Masker): unknown {
  if (!(error instanceof CallsheetError) || error instanceof CallRefused) return error
  if (error.code === "file-changed") return environmentChanged()
  const { code } = error
  const message = masker.text(error.message)
  const hint = forPage(error.hint)
  if (error.problems.length === 0) return new CallsheetError({ code, message, hint })
  const problems = maskProblems(error.problems, masker).map((problem) => ({
    ...problem,
    hint: forPage(problem.hint),
  }))
  return new CallRefused(422, { code, message, hint }, { problems })
}

/** Drops hints about command line options, which don't help on the page. */
export const forPage = (hint: string | undefined): string | undefined =>
  hint === undefined || hint.includes("--") ? undefined : hint
