// Lets a live reporter write the file of a session that is over.

import { breakCommands } from "../text/log-commands.ts"
import type { CreateLive, FileReporter } from "./reporter.ts"

export const writeAfterward = (create: CreateLive): FileReporter =>
  function* (events, { end, ...context }) {
    const texts: string[] = []
    const write = (text: string, as?: "exact"): void =>
      void texts.push(as === "exact" ? text : breakCommands(text))
    const reporter = create({ ...context, output: { ...context.output, write } })
    for (const event of events) {
      reporter.onEvent(event, (same) => same)
      yield* texts.splice(0)
    }
    reporter.finish(end)
    yield* texts
  }
