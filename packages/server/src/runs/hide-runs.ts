// Removes reports that contain a value that became secret later. Removes whole reports: a part of one is useless.

import type { AppEvent } from "../calls/index.ts"
import { isFormatWord, isPlainWord, literalsOf } from "../secrets/mask-json-text.ts"
import { noSecrets, type KeptOutside, type Masker, type NewSecrets } from "../secrets/secrets-masker.ts"
import type { DoneRun } from "./going-run.ts"
import { writeReport, type RunHistory } from "./run-history.ts"
import { notes } from "../messages.ts"

type Emit = (event: AppEvent) => void

export function createRunHiding(
  history: RunHistory,
  memory: readonly Map<string, DoneRun>[],
  emit: Emit,
): KeptOutside {
  const inMemory = (holds: Holds) =>
    memory.flatMap((runs) =>
      [...runs.values()].filter((done) => holds(writeReport(done.report))).map((done) => ({ runs, done })),
    )
  return {
    notes: async ({ masker }) => {
      if (masker === noSecrets) return []
      const holds = holdsValueOf(masker)
      const count = (await history.holding(holds)).length + inMemory(holds).length
      return count === 0 ? [] : [notes.reports(count)]
    },
    hide: async ({ masker }: NewSecrets) => {
      if (masker === noSecrets) return
      const holds = holdsValueOf(masker)
      for (const { runs, done } of inMemory(holds)) {
        runs.delete(done.summary.run)
        emitDone(done.summary, emit)
      }
      for (const summary of await history.holding(holds)) {
        history.remove(summary.run)
        emitDone(summary, emit)
      }
    },
  }
}

const emitDone = ({ run, workflow }: DoneRun["summary"], emit: Emit): void =>
  emit({ type: "run.changed", run, workflow, isDone: true })

/** Returns whether a report may contain a secret. `text` is undefined if the report is too long for a string. */
type Holds = (text: string | undefined) => boolean

/** The minimum length of a number to search for. Shorter ones are usually counts and statuses. */
const SHORTEST_NUMBER = 4

function holdsValueOf(masker: Masker): Holds {
  // A short secret is recognized only as a whole value, which may also be part of a URL or of credentials.
  const masks = [masker.text, masker.url, masker.header]
  return (text) => {
    if (text === undefined) return true
    for (const { from, to } of literalsOf(text)) {
      const written = text.slice(from, to)
      const isText = written.startsWith('"')
      if (!isText && (written.length < SHORTEST_NUMBER || isPlainWord(written))) continue
      const value = isText ? (JSON.parse(written) as string) : written
      if (!isFormatWord(value) && masks.some((mask) => mask(value) !== value)) return true
    }
    return false
  }
}
