// Adds violations to the baseline, and says what was added.

import {
  BASELINE_FILE,
  foldViolations,
  updateBaseline,
  type BaselineEntry,
  type EventOf,
  type FoundViolation,
  type Project,
  type RunEvent,
} from "@callsheet/format"
import type { LiveListener, MaskAgain } from "@callsheet/engine"
import { changeBaseline, type WriteOptions } from "@callsheet/project"
import { notices } from "../messages.ts"
import { reportRecovery } from "../open-root.ts"
import type { Output } from "../screen.ts"
import { violationLines } from "./violation-lines.ts"

interface Addition {
  readonly root: string
  readonly found: readonly FoundViolation[]
  /** The number of responses whose violations aren't known in full. */
  readonly missed: number
}

export async function addViolations(
  { root, found, missed }: Addition,
  output: Output,
  options: WriteOptions = {},
): Promise<void> {
  let added: readonly BaselineEntry[] = []
  let count = 0
  const change = (entries: readonly BaselineEntry[]): readonly BaselineEntry[] | undefined => {
    const updated = updateBaseline(entries, found)
    added = updated.added
    count = updated.entries.length
    return found.length === 0 ? undefined : updated.entries
  }
  const title = "add known violations to the baseline"
  const { recovery } = await changeBaseline({ root, title, change }, options)
  reportRecovery(recovery, output)
  const lines = [notices.baselineAdded(BASELINE_FILE, added.length, count), ...violationLines(added)]
  if (added.length > 0) lines.push(notices.baselineReasons())
  if (missed > 0) lines.push(notices.baselineMissed(missed))
  output.write(lines.map((line) => `${line}\n`).join(""))
}

/** Keeps the violations of a run, to add them at its end. */
export function keepViolations() {
  const kept = new Map<string, EventOf<"contract.checked">>()
  let maskAgain: MaskAgain = (event) => event
  let missed = 0
  const listen: LiveListener = (event: RunEvent, mask) => {
    if (event.type !== "contract.checked" || event.found === undefined) return
    maskAgain = mask
    const { isCut } = event.found
    if (isCut === true) missed++
    const key = JSON.stringify(event.found)
    const { type, run, block, found } = event
    if (!kept.has(key)) kept.set(key, { type, run, block, contract: nothing, found })
  }
  return {
    listen,
    add: async ({ root, workflows }: Project, output: Output): Promise<void> => {
      if (![...workflows.values()].some(({ workflow }) => workflow?.validateContracts === true)) {
        output.write(`${notices.baselineUnchecked()}\n`)
        return
      }
      const fold = foldViolations()
      // A value may have become secret since the response arrived.
      for (const event of kept.values()) fold.apply(maskAgain(event))
      await addViolations({ root, found: fold.found(), missed }, output)
    },
  }
}

const nothing = { status: "failed", problems: [] } as const
