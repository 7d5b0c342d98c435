// Says which violations of a response the baseline lists. They don't fail the block.

import { knownProblems, type BlockReport, type ContractProblem } from "@callsheet/format"
import { shorten } from "../text/preview.ts"

/** The maximum number of violations to show per block. The report contains more. */
const MAX_SHOWN = 5

/** Formats each violation: `known violation: /body/total: expected number, received string` */
export function knownTexts(report: Pick<BlockReport, "contract">): readonly string[] {
  const problems = knownProblems(report)
  if (problems.length === 0) return nothing
  const lines = problems.slice(0, MAX_SHOWN).map(textOf)
  const more = problems.length - MAX_SHOWN
  return more > 0 ? [...lines, `known violation: … ${more} more in the report`] : lines
}

function textOf({ path, message, file, line }: ContractProblem): string {
  const what = path === "" ? "" : `${shorten(path, 100)}: `
  const place = file === undefined ? "" : ` (${shorten(`${file}:${line}`, 100)})`
  return `known violation: ${what}${shorten(message, 300)}${place}`
}

const nothing: readonly string[] = []
