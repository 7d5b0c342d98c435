// Writes every event as a line of JSON, as it happens, and then how the session ended.

import { stringifyJson, worstStatus, type SessionStatus } from "@callsheet/format"
import { createJsonOutput } from "./json-output.ts"
import type { Reporter, ReporterContext } from "./reporter.ts"

export function createNdjson({ output, isFile }: ReporterContext): Reporter {
  const { write, flush } = createJsonOutput(output)
  let status: SessionStatus = "passed"
  const writeLine = (value: object): void => {
    write(`${stringifyJson(value)}\n`)
    // Another program may wait for this line.
    if (!isFile) flush()
  }
  return {
    onEvent: (event) => {
      if (event.type === "run.finished") status = worstStatus(status, event)
      writeLine(event)
    },
    finish: (verdict, end) => {
      // Like every line, this one has a type. `end` was its only member before.
      writeLine({ type: "session.finished", end: { status, verdict, ...end } })
      flush()
    },
  }
}
