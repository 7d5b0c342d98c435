// `callsheet baseline`: adds the violations of records to the baseline, compares it with records, and removes stale entries.

import {
  BASELINE_FILE,
  dayOf,
  isExpired,
  requireBaseline,
  violationKey,
  watchBaseline,
  type BaselineEntry,
} from "@callsheet/format"
import { changeBaseline, openProject, readBaseline } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { addViolations } from "../baseline/add-violations.ts"
import { readViolations } from "../baseline/read-violations.ts"
import { violationLines } from "../baseline/violation-lines.ts"
import { withInterrupts } from "../interrupts.ts"
import { notices } from "../messages.ts"
import { openRoot, reportRecovery } from "../open-root.ts"
import { printProblems } from "../report-error.ts"
import { jsonDocument } from "../text/json-document.ts"

/** Returns 2 if a record is incomplete. What it contains is added all the same. */
export const baselineUpdate: Command = async (call) => {
  const { err } = call.screen
  const root = await openRoot(call)
  const { found, missed, cuts } = await readViolations(call)
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    await addViolations({ root, found, missed }, err, { lock: { signal } })
    printProblems(cuts, err)
    return exitCode() ?? (cuts.length > 0 ? 2 : 0)
  })
}

interface BaselineStatus {
  /** The entries whose violations appeared. */
  readonly known: readonly BaselineEntry[]
  /** The entries whose operation was reached, but whose violation didn't appear. */
  readonly stale: readonly BaselineEntry[]
  readonly expired: readonly BaselineEntry[]
  /** The entries whose operation was not reached. */
  readonly unreached: readonly BaselineEntry[]
}

export const baselineStatus: Command = async (call) => {
  const { screen, options } = call
  const root = await openRoot(call)
  const status = await readStatus(call, entriesOf(root))
  if (options.has("json")) screen.out.write(jsonDocument(status))
  else screen.out.write(statusText(status))
  return 0
}

/** Compares the entries with the records. Each is in one list; an entry that is stale and expired is stale. */
async function readStatus(call: CommandCall, entries: readonly BaselineEntry[]): Promise<BaselineStatus> {
  const watch = watchBaseline(entries)
  await readViolations(call, watch)
  const today = dayOf(Date.now())
  const [seen, stale] = [new Set(watch.seen()), new Set(watch.stale())]
  const left = entries.filter((entry) => !stale.has(entry))
  const isOver = (entry: BaselineEntry): boolean => isExpired(entry, today)
  return {
    known: left.filter((entry) => seen.has(entry) && !isOver(entry)),
    stale: [...stale],
    expired: left.filter(isOver),
    unreached: left.filter((entry) => !seen.has(entry) && !isOver(entry)),
  }
}

function statusText(status: BaselineStatus): string {
  const { known, stale, expired, unreached } = status
  const counts = { known: known.length, stale: stale.length, expired: expired.length }
  const lines = [notices.baselineStatus(BASELINE_FILE, { ...counts, unreached: unreached.length })]
  for (const name of ["known", "stale", "expired", "unreached"] as const)
    if (status[name].length > 0) lines.push("", `${name}:`, ...violationLines(status[name]))
  return lines.map((line) => `${line}\n`).join("")
}

/** Removes the entries that the records prove stale. Keeps those that an entry of the same violation needs. */
export const baselinePrune: Command = async (call) => {
  const { err } = call.screen
  const root = await openRoot(call)
  const { stale } = await readStatus(call, entriesOf(root))
  const keys = new Set(stale.map((entry) => violationKey(entry, entry)))
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    let removed: readonly BaselineEntry[] = []
    const isStale = (entry: BaselineEntry): boolean => keys.has(violationKey(entry, entry))
    const change = (entries: readonly BaselineEntry[]) => {
      removed = entries.filter(isStale)
      return removed.length === 0 ? undefined : entries.filter((entry) => !isStale(entry))
    }
    const title = "remove stale violations from the baseline"
    const { recovery } = await changeBaseline({ root, title, change }, { lock: { signal } })
    reportRecovery(recovery, err)
    const lines = [notices.baselineRemoved(BASELINE_FILE, removed.length), ...violationLines(removed)]
    err.write(lines.map((line) => `${line}\n`).join(""))
    return exitCode() ?? 0
  })
}

/** Returns the entries of the baseline, none if the project has no baseline. Throws the errors of the file. */
function entriesOf(root: string): readonly BaselineEntry[] {
  const file = readBaseline(openProject(root))
  return file === undefined ? [] : requireBaseline(file).entries
}
