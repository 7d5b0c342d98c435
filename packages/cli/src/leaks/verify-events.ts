// `verifyNoLeak` of `run()`: searches events as they are emitted, and the report, for secrets.

import type { RunSecret } from "@callsheet/engine"
import { CallsheetError, stringifyJson, type Report, type RunEvent } from "@callsheet/format"
import { messages } from "../messages.ts"
import { reportPieces } from "../reporters/json.ts"
import { createLeakSearch, lookedFor, type LookedFor } from "./leak-search.ts"
import { createOwnWords } from "./own-words.ts"
import { createSpool } from "./spool.ts"

export interface EventVerifier {
  /** Takes the secrets that the run resolves, and later those that it finds. */
  readonly onSecrets: (secrets: readonly RunSecret[]) => void
  /** Takes an event; `isHeard` if the caller receives it too. */
  readonly hear: (event: RunEvent, isHeard: boolean) => void
  /** Throws `secret-leaked` with the names of the secrets that were found. */
  readonly verify: (report: Report) => void
}

export function createEventVerifier(): EventVerifier {
  const own = createOwnWords()
  const secrets: LookedFor[] = []
  const search = createLeakSearch(() => secrets, createSpool())
  return {
    onSecrets: (more) => {
      for (const secret of lookedFor(more)) secrets.push(secret)
    },
    hear: (event, isHeard) => {
      own.hear(event)
      if (isHeard) search.push(stringifyJson(event))
    },
    verify: (report) => {
      for (const piece of reportPieces(report)) search.push(piece)
      const { found, isWhole } = search.end()
      const leaked = [...found].filter(({ value }) => !own.has(value)).map(({ name }) => name)
      if (leaked.length > 0)
        throw new CallsheetError(messages["secret-leaked"].inEvents([...new Set(leaked)]))
      if (!isWhole) throw new CallsheetError(messages["report-failed"].notBuffered("the event stream"))
    },
  }
}
