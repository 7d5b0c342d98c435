// Reads the violations of records, and what their responses show about the baseline.

import { resolve } from "node:path"
import {
  CallsheetError,
  foldViolations,
  type BaselineWatch,
  type FoundViolation,
  type Problem,
  toProblem,
} from "@callsheet/format"
import type { CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"
import { refuseMismatch } from "../record/merge-records.ts"
import { openRecord, type ReadRecord } from "../record/read-record.ts"

interface RecordedViolations {
  readonly found: readonly FoundViolation[]
  /** The number of responses whose violations the records don't contain in full. */
  readonly missed: number
  /** The records that were cut. */
  readonly cuts: readonly Problem[]
}

/**
 * Reads records. With `watch`, they must be complete, because something that they don't contain counts as gone. Throws
 * `record-invalid`.
 */
export async function readViolations(
  { words, cwd }: Pick<CommandCall, "words" | "cwd">,
  watch?: BaselineWatch,
): Promise<RecordedViolations> {
  const fold = foldViolations(watch)
  const records: ReadRecord[] = []
  const cuts: Problem[] = []
  try {
    for (const shown of words) records.push(await openRecord(resolve(cwd, shown), shown))
    const shards = records.filter(({ header }) => header.shard !== undefined)
    if (watch !== undefined) refuseMismatch(shards, { partial: false })
    for (const record of records) {
      let runs = 0
      for (let next = await record.next(); next !== undefined; next = await record.next()) {
        if (next.event.type === "run.finished") runs++
        fold.apply(next.event)
      }
      if (record.end() === undefined)
        cuts.push(record.damage() ?? toProblem(messages["record-invalid"].cut(record.shown, runs)))
    }
  } finally {
    for (const record of records) await record.close()
  }
  const [cut] = cuts
  if (watch !== undefined && cut !== undefined) throw new CallsheetError(cut, { problems: cuts })
  return { found: fold.found(), missed: fold.missed(), cuts }
}
