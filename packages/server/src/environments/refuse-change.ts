// Why an environment was not changed, with the status that says it to the page, and in words that fit there.

import type { Masker } from "@callsheet/engine"
import { CallsheetError, type Problem } from "@callsheet/format"
import { CallRefused } from "../call-refused.ts"
import { maskProblems } from "../secrets/mask-problems.ts"

/** 409, without what stands there now: that may be secrets. */
export const environmentChanged = (): CallRefused =>
  new CallRefused(409, "file-changed", "another program has changed the environment since it was read", {
    hint: "nothing was written",
  })

/** What a change of `packages/project` has thrown, as the page hears it. */
export function refuseChange(error: unknown, masker: Masker | undefined): unknown {
  if (!(error instanceof CallsheetError) || error instanceof CallRefused) return error
  if (error.code === "file-changed") return environmentChanged()
  const { code } = error
  const message = masker?.text(error.message) ?? error.message
  const hint = forPage(error.hint)
  if (error.problems.length === 0) return new CallsheetError(code, message, { hint })
  const problems = maskProblems(error.problems, masker).map(withoutFlags)
  return new CallRefused(422, code, message, { hint, problems })
}

function withoutFlags({ hint, ...problem }: Problem): Problem {
  const kept = forPage(hint)
  return { ...problem, ...(kept === undefined ? {} : { hint: kept }) }
}

/** A hint that names options of the command helps nobody on the page. */
const forPage = (hint: string | undefined): string | undefined =>
  hint === undefined || hint.includes("--") ? undefined : hint
