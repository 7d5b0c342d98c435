// `verifyNoLeak` of `run()`: searches each event, and then the report, for secrets.

import type { RunSecret } from "@callsheet/engine"
import { CallsheetError, stringifyJson, type Report, type RunEvent } from "@callsheet/format"
import { messages } from "../messages.ts"
import { reportPieces } from "../reporters/json.ts"
import { createLeakSearch, lookedFor, type LookedFor } from "./leak-search.ts"
import { createOwnWords } from "./own-words.ts"
import { createSpool } from "./spool.ts"

export function createEventVerifier() {
  const own = createOwnWords()
  const secrets: LookedFor[] = []
  const search = createLeakSearch(() => secrets, createSpool())
  return {
    /** Adds the secrets that the run resolves, and later those that it captures. */
    onSecrets: (more: readonly RunSecret[]): void => {
      for (const secret of lookedFor(more)) secrets.push(secret)
    },
    /** Searches an event. `isHeard` is true if the caller receives it too. */
    hear: (event: RunEvent, isHeard: boolean): void => {
      own.hear(event)
      if (isHeard) search.push(stringifyJson(event))
    },
    /** Throws `secret-leaked` if secrets were found. The error contains their names. */
    verify: (report: Report): void => {
      for (const piece of reportPieces(report)) search.push(piece)
      const { found, isWhole } = search.end()
      const leaked = [...found].filter(({ value }) => !own.has(value)).map(({ name }) => name)
      if (leaked.length > 0)
        throw new CallsheetError(messages["secret-leaked"].inEvents([...new Set(leaked)]))
      if (!isWhole) throw new CallsheetError(messages["report-failed"].notBuffered("the event stream"))
    },
  }
}
