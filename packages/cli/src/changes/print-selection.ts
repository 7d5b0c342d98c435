// `run --changed-since <ref> --list`: prints what would run, and which changes select it.

import type { CommandCall } from "../args/command.ts"
import { notices } from "../messages.ts"
import type { ReadSession } from "../session/read-workflows.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printable } from "../text/printable.ts"
import { tableText } from "../text/table.ts"
import type { ChangedSelection } from "./changed-since.ts"

/** Prints the selected entries of a session with the changed files that they read. Returns the exit code. */
export function printSelection(
  { workflows, schedule }: Pick<ReadSession, "workflows" | "schedule">,
  { since, commit, everything, reasons }: ChangedSelection,
  { screen, options }: CommandCall,
): 0 {
  const names = schedule?.main.map(({ name }) => name) ?? workflows
  const selected = names.map((name) => ({ name, reasons: reasons.get(name) ?? [] }))
  if (options.has("json")) {
    const reason = everything === undefined ? {} : { reason: notices.changedReason(everything) }
    const isAll = everything !== undefined
    screen.out.write(jsonDocument({ since, commit, everything: isAll, ...reason, workflows: selected }))
    return 0
  }
  const rows = selected.map(({ name, reasons: files }) => [
    name,
    files.map((file) => printable(file)).join(", "),
  ])
  if (rows.length > 0) screen.out.write(tableText(["WORKFLOW", "CHANGED"], rows, screen.out.style))
  return 0
}

/** Says on standard error what a run is limited to. */
export function sayChanged(
  { since, everything, reasons, known }: ChangedSelection,
  { screen }: CommandCall,
): void {
  const text =
    everything === undefined
      ? notices.changedSince(since, reasons.size, known)
      : notices.changedEverything(since, everything)
  screen.err.write(`${printable(text)}\n`)
}
