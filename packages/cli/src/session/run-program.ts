// Runs workflows for `run()` and for agents. Never prints and never exits.

import { runSession, SessionLog } from "@callsheet/engine"
import {
  createReportFold,
  integersAsText,
  memo,
  type Project,
  type Report,
  type RunEvent,
} from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import type { CommandCall } from "../args/command.ts"
import { guardListener } from "./guard-listener.ts"
import { readOptions, type GivenOptions } from "./read-options.ts"
import { withPorts } from "./with-ports.ts"

interface ProgramCaller extends Pick<CommandCall, "scriptEntry"> {
  readonly processEnvironment: CommandCall["environment"]
  /** Returns whether nothing that a run of these files decides may depend on a secret. By default, it may. */
  readonly withholdsSecrets?: (project: Project) => Promise<boolean>
}

/** Runs workflows as `run()` does, with the variables and the script process of the caller. */
export async function runProgram(
  options: GivenOptions,
  { withholdsSecrets, ...process }: ProgramCaller,
): Promise<Report> {
  const { onEvent, verifyNoLeak } = options
  const { root, asked, ...read } = await readOptions(options)
  // Ask about the files that were read, because a file may change before the run starts.
  const isWithholding = await withholdsSecrets?.(read.project)
  const log = new SessionLog()
  const guard = guardListener(onEvent)
  // The caller may write events and the report with `JSON.stringify`.
  const shown = memo((event: RunEvent) => integersAsText(event))
  const verifier =
    verifyNoLeak === true ? (await import("../leaks/verify-events.ts")).createEventVerifier() : undefined
  const snapshots =
    asked.snapshots === undefined
      ? undefined
      : (await import("../snapshots/open-snapshots.ts")).openSnapshots(asked.snapshots, {
          ...read,
          ...process,
          options: asked,
          force: options.force === true,
        })
  const world = { root, concurrency: asked.concurrency, ...process }
  await withPorts(world, (ports) =>
    runSession({
      ...read,
      ports: snapshots?.usePorts(ports) ?? ports,
      readAllEnvironments: () => readAllEnvironments(read.project),
      listen: [
        (event, maskAgain) => log.append(event, maskAgain),
        (event) => verifier?.hear(shown(event), onEvent !== undefined),
        (event) => guard.listen(shown(event)),
        ...(snapshots?.listen === undefined ? [] : [snapshots.listen]),
      ],
      options: {
        ...asked,
        confirm: options.yes === true ? true : undefined,
        onSecrets: verifier?.onSecrets,
        processEnvironment: process.processEnvironment,
        withholdsSecrets: isWithholding,
        exchanges: true,
        coverage: options.leftovers === true || snapshots?.options.coverage === true,
        signal: options.signal === undefined ? guard.signal : AbortSignal.any([options.signal, guard.signal]),
      },
    }),
  )
  guard.rethrow()
  if (options.signal?.aborted !== true) await snapshots?.store?.()
  const fold = createReportFold()
  for (const event of log) fold.apply(integersAsText(event))
  verifier?.verify(fold.report)
  return fold.report
}
