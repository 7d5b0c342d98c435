// `import --run`: runs what an import wrote, as `callsheet run` does, and says what is left to do.

import { createAnswerCount, describeAnswers, type Answers } from "@callsheet/format"
import { firstRunOf, type ImportChangeSet } from "@callsheet/interop"
import { Options } from "../args/options.ts"
import type { CommandCall } from "../args/command.ts"
import { runWorkflows } from "../commands/run.ts"
import { notices } from "../messages.ts"
import { reportError } from "../report-error.ts"
import type { Screen } from "../screen.ts"

export interface ImportedRun {
  readonly exitCode: number
  readonly answers: Answers
}

/**
 * Runs the workflows of an import, and the parts of a large one as their suite. An error of the run is printed: the files are
 * written nevertheless.
 */
export async function runImported(
  call: CommandCall,
  root: string,
  planned: ImportChangeSet,
): Promise<ImportedRun> {
  const count = createAnswerCount()
  // An OpenAPI document has no workflows.
  if (planned.workflows.length === 0) return { exitCode: 0, answers: count.found() }
  const { options } = call
  const { workflows, suites, validatesContracts } = firstRunOf(planned)
  const own = ["env", "yes", "debug"].flatMap((name) =>
    options.has(name) ? [[name, options.values(name)] as const] : [],
  )
  // A request that fails must not keep the others from being sent.
  const asked = [...own, ["on-failure", ["continue"]] as const]
  const screen = options.has("json") ? onStandardError(call.screen) : call.screen
  const run = (words: readonly string[], more: readonly (readonly [string, readonly string[]])[] = []) =>
    runWorkflows(
      { ...call, words, options: new Options(new Map([...asked, ...more])), screen },
      { root, listen: count.listen, validatesContracts },
    ).catch((error: unknown) => reportError(error, { output: call.screen.err, debug: options.has("debug") }))
  let exitCode = workflows.length === 0 ? 0 : await run(workflows)
  for (const suite of suites) exitCode = Math.max(exitCode, await run([], [["suite", [suite]]]))
  return { exitCode, answers: count.found() }
}

/** Standard output has only the result of the import. */
const onStandardError = (screen: Screen): Screen => ({
  out: screen.err,
  err: screen.err,
  get isInteractive() {
    return screen.isInteractive
  },
  get input() {
    return screen.input
  },
})

/** Returns how the requests were answered, and what the user has to finish. */
export const summaryOf = ({ answers }: ImportedRun, planned: ImportChangeSet): string =>
  notices.answers(describeAnswers(answers, planned))
