// Prints what `callsheet generate` wrote, kept and skipped.

import type { GenerationResult } from "@callsheet/server"
import { notices } from "../messages.ts"
import type { Output } from "../screen.ts"
import { foldPaths } from "../text/fold-paths.ts"
import { printable } from "../text/printable.ts"

/** The lines that a list may have. `--dry-run` lists all files, and `--json` everything. */
const MAX_LINES = 12

export function printGenerated(result: GenerationResult, isDryRun: boolean, out: Output): void {
  const { workflows, suites, files, kept, skipped, added, removed } = result
  const list = (heading: string, all: readonly string[], max = MAX_LINES): void => {
    if (all.length === 0) return
    const lines = all.slice(0, max)
    if (lines.length < all.length) lines.push(notices.more(all.length - lines.length))
    out.write(`${heading}\n${lines.map((line) => `  ${printable(line)}\n`).join("")}`)
  }
  out.write(`${notices.generated(workflows.length, suites)}\n`)
  out.write(`${notices.importedFiles(files.length, isDryRun)}\n`)
  const listed = isDryRun ? files : foldPaths(files, MAX_LINES)
  out.write(listed.map((file) => `  ${printable(file)}\n`).join(""))
  list(notices.operationsAdded(added.length), added)
  list(notices.operationsRemoved(removed.length), removed)
  list(
    notices.keptEdits(kept.length),
    kept.map(({ file, block, reason }) =>
      [file, block, reason].filter((part) => part !== undefined).join(": "),
    ),
    Infinity,
  )
  list(
    notices.skipped(skipped.length),
    skipped.map(({ operation, reason }) => `${operation}: ${reason}`),
  )
  const [suite] = suites
  if (suite !== undefined && !isDryRun) out.write(`\n${notices.runGenerated(suite)}\n`)
}
