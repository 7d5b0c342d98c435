// `verifyNoLeak` of `run()`: what it hands out, looked through for secrets: events as they come, and the report.

import type { RunSecret } from "@callsheet/engine"
import { CallsheetError, stringifyJson, type Report, type RunEvent } from "@callsheet/format"
import { reportPieces } from "../reporters/json.ts"
import { createLeakSearch, lookedFor, type LookedFor } from "./leak-search.ts"
import { createOwnWords } from "./own-words.ts"
import { createSpool } from "./spool.ts"

export interface EventVerifier {
  /** Takes the secrets that the run resolves, and then those that it finds out while it goes on. */
  readonly onSecrets: (secrets: readonly RunSecret[]) => void
  /** Takes an event; `isHeard` where somebody else gets it too. */
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
      const names = [...new Set(leaked)].join(", ")
      if (names !== "") {
        throw new CallsheetError("secret-leaked", `events or report hold the value of ${names}`, {
          hint: "a value that becomes secret while the run goes on cannot be masked in earlier events; all else is a bug in callsheet: please report it, without the value",
        })
      }
      if (isWhole) return
      throw new CallsheetError(
        "report-failed",
        "the events could not be kept, so nobody knows whether they hold a secret that came later",
        { hint: "the folder for temporary files takes none" },
      )
    },
  }
}
