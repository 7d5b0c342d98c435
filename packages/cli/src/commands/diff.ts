// `callsheet diff`: compares the responses of two records, block by block.

import { attempt } from "@callsheet/format"
import { createContractFinder } from "@callsheet/server"
import type { Command } from "../args/command.ts"
import { compareSides } from "../diff/compare-sides.ts"
import type { SideName } from "../diff/pair-blocks.ts"
import { printJson, printText } from "../diff/print-comparison.ts"
import { openSide, type Side } from "../diff/read-side.ts"
import { notices } from "../messages.ts"
import { findRoot } from "../open-root.ts"
import { printProblems } from "../report-error.ts"

/** Returns 0 if all differences are noise, 1 if one isn't, 2 if a record is incomplete. */
export const diff: Command = async ({ words, options, cwd, screen }) => {
  const [left = "", right = ""] = words
  const named = { left, right, baseline: options.value("baseline") }
  const project = options.value("project")
  const root = project === undefined ? attempt(() => findRoot(cwd)) : findRoot(cwd, project)
  const sides = new Map<SideName, Side>()
  try {
    for (const [name, shown] of Object.entries(named) as [SideName, string | undefined][])
      if (shown !== undefined) sides.set(name, await openSide(cwd, shown))
    const comparison = await compareSides(sides, createContractFinder(root))
    const { real, lacksContract, problems } = comparison
    if (options.has("json")) printJson(comparison, screen.out)
    else {
      printText(comparison, screen.out)
      if (real > 0 && !sides.has("baseline")) screen.err.write(`${notices.noBaseline()}\n`)
    }
    if (lacksContract) screen.err.write(`${notices.noContract()}\n`)
    printProblems(problems, screen.err)
    return problems.length > 0 ? 2 : Math.min(real, 1)
  } finally {
    for (const side of sides.values()) await side.close()
  }
}
