// `run --verify-no-leak`: a run, and then a search of everything that it wrote.

import type { CommandCall } from "../command.ts"
import { printProblems, reportError } from "../report-error.ts"
import { createLeakWatch, type LeakWatch } from "./leak-watch.ts"

/** Returns what `perform` returns, or 2 if a secret was written. */
export async function runVerified(
  call: CommandCall,
  perform: (call: CommandCall, watch: LeakWatch) => Promise<number>,
): Promise<number> {
  const watch = createLeakWatch(call.screen)
  const { screen } = watch
  // Printed here, so that it is searched too.
  const code = await perform({ ...call, screen }, watch).catch((error: unknown) =>
    reportError(error, { output: screen.err, debug: call.options.has("debug") }),
  )
  const problems = watch.verify()
  printProblems(problems, call.screen.err)
  return problems.some(({ severity }) => severity === "error") ? 2 : code
}
