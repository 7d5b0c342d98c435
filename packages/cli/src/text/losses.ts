// Prints what an import or an export loses: grouped by cause, the most important first, on at most one screen.

import { groupLosses, type LossGroup, type ReportedLoss } from "@callsheet/interop"
import { notices } from "../messages.ts"
import type { Output } from "../screen.ts"
import { printable } from "./printable.ts"

/** The rows that the list may have. A terminal shows 24, of which the summary takes some. */
const MAX_ROWS = 18
const MAX_EXAMPLES = 3

/** Prints the losses, if there are any, below the title that `titleOf` returns for their number. */
export function printLosses(
  output: Output,
  losses: readonly ReportedLoss[],
  titleOf: (count: number) => string,
): void {
  if (losses.length === 0) return
  output.write(`${output.style("yellow", titleOf(losses.length))}\n`)
  const { lines, isWhole } = linesOf(groupLosses(losses), output)
  output.write(lines.map((line) => `${line}\n`).join(""))
  if (!isWhole) output.write(`${notices.allLosses()}\n`)
}

/** Lists every cause, if that fits, and then examples, as long as they fit: those of the first causes first. */
function linesOf(groups: readonly LossGroup[], output: Output) {
  const columns = output.columns()
  const heads = groups.map((group, index) => headsOf(group, groups[index - 1], output))
  let shown = groups.length
  while (shown > 1 && rowsOf(heads.slice(0, shown).flat(), columns) > MAX_ROWS) shown--
  const hidden = groups.slice(shown).reduce((sum, { losses }) => sum + losses.length, 0)
  let left = MAX_ROWS - rowsOf(heads.slice(0, shown).flat(), columns)
  let isWhole = hidden === 0
  const lines = groups.slice(0, shown).flatMap((group, index) => {
    const examples = fittingExamples(group, left, columns)
    left -= rowsOf(examples, columns)
    isWhole &&= examples.length === group.losses.length
    return [...(heads[index] ?? []), ...examples]
  })
  return { lines: hidden === 0 ? lines : [...lines, `  … ${notices.moreLosses(hidden)}`], isWhole }
}

const rowsOf = (lines: readonly string[], columns: number): number =>
  lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0)

/** The line of a cause, after the title of its severity if it is the first one. */
function headsOf(
  { severity, group, reason, losses }: LossGroup,
  before: LossGroup | undefined,
  { style }: Output,
): readonly string[] {
  const title = severity === before?.severity ? [] : [style("bold", notices.lossSeverity(severity))]
  const count = losses.length.toLocaleString("en")
  return [...title, `  ${group} (${count})${reason === undefined ? "" : `: ${printable(reason)}`}`]
}

function fittingExamples(group: LossGroup, rows: number, columns: number): readonly string[] {
  for (let count = Math.min(MAX_EXAMPLES, group.losses.length); count > 0; count--) {
    const examples = examplesOf(group, count)
    if (rowsOf(examples, columns) <= rows) return examples
  }
  return []
}

function examplesOf({ losses, reason: shared }: LossGroup, count: number): readonly string[] {
  const rest = losses.length - count
  const examples = losses
    .slice(0, count)
    .map(({ where, what, reason }) =>
      printable(`${where}: ${what}${shared === undefined ? `: ${reason}` : ""}`),
    )
  return [...examples, ...(rest > 0 ? [`… ${notices.moreLosses(rest)}`] : [])].map((line) => `      ${line}`)
}
