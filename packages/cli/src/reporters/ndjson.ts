// Writes every event as a line of JSON, as it happens, and then how the session ended.

import { stringifyJson, worstStatus, type SessionStatus } from "@callsheet/format"
import { breakCommandsInJson } from "../text/log-commands.ts"
import type { LiveReporter, ReporterContext } from "./reporter.ts"

export function createNdjson({ output }: ReporterContext): LiveReporter {
  let status: SessionStatus = "passed"
  const writeLine = (value: object): void =>
    output.write(breakCommandsInJson(`${stringifyJson(value)}\n`), "exact")
  return {
    onEvent: (event) => {
      if (event.type === "run.finished") status = worstStatus(status, event)
      writeLine(event)
    },
    // Like every line, this one has a type. `end` was its only member before.
    finish: ({ verdict, ...end }) =>
      writeLine({ type: "session.finished", end: { status, verdict, ...end } }),
  }
}
