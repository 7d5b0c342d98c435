// `verifyNoLeak` of `run()`: the events, looked through for secrets as they come. The report is made of nothing else.

import type { RunSecret } from "@callsheet/engine"
import { CallsheetError, stringifyJson, type JsonValue, type RunEvent } from "@callsheet/format"
import { createLeakSearch, lookedFor, type LookedFor } from "./leak-search.ts"
import { createOwnWords } from "./own-words.ts"

export interface EventVerifier {
  readonly onSecrets: (secrets: readonly RunSecret[]) => void
  readonly hear: (event: RunEvent) => void
  /** Throws `secret-leaked` with the names of the secrets that were found. */
  readonly verify: () => void
}

export function createEventVerifier(): EventVerifier {
  const own = createOwnWords()
  let secrets: readonly LookedFor[] | undefined
  const search = createLeakSearch(() => secrets)
  return {
    onSecrets: (more) => {
      secrets = [...(secrets ?? []), ...lookedFor(more)]
    },
    hear: (event) => {
      own.hear(event)
      search.push(stringifyJson(event as unknown as JsonValue))
    },
    verify: () => {
      const found = search.end()
      const leaked = (secrets ?? []).filter(({ name, value }) => found.has(name) && !own.has(value))
      if (leaked.length === 0) return
      throw new CallsheetError(
        "secret-leaked",
        `the events hold the value of ${leaked.map(({ name }) => name).join(", ")}`,
        { hint: "this is a bug in callsheet: please report it, without the value" },
      )
    },
  }
}
