// What the server answers of runs: it starts them, stops them, asks before production, and keeps their reports.

import type { AppEvents } from "../events.ts"
import type { HandlersOf } from "../handlers.ts"
import type { KeptOutside } from "../secrets/kept-outside.ts"
import { Runs, type RunsOptions } from "./runs.ts"
import type { ScriptTrust } from "./script-trust.ts"

export type RunHandlersOptions = RunsOptions

export interface RunHandlers {
  readonly handlers: HandlersOf<"runs" | "requests">
  readonly events: AppEvents
  /** The person has written this text of a script: it is not asked about. `path` is from the root of the project. */
  readonly trustText: ScriptTrust["trustText"]
  /** The same, where they had said yes to the text before. */
  readonly trustMended: ScriptTrust["trustMended"]
  /** Reports, for who makes a secret of what they hold. */
  readonly keptOutside: KeptOutside
  /** Ends all runs as Ctrl-C does, and keeps their reports. */
  readonly close: () => Promise<void>
}

export function createRunHandlers(options: RunHandlersOptions): RunHandlers {
  const runs = new Runs(options)
  return {
    handlers: {
      "runs.prepare": ({ workflow }) => runs.prepare(workflow),
      "runs.start": (order) => runs.start(order),
      "requests.prepare": async ({ api }) => runs.prepareToSend(api),
      "requests.send": (order) => runs.send(order),
      "runs.stop": async ({ run }) => runs.stop(run),
      "runs.read": async ({ run }) => runs.read(run),
      "runs.list": async ({ workflow }) => ({
        runs: runs.kept().filter((kept) => kept.workflow === workflow),
      }),
      "runs.latest": async () => runs.latest(),
    },
    events: runs.events,
    trustText: runs.trustText,
    trustMended: runs.trustMended,
    keptOutside: runs.keptOutside,
    close: () => runs.close(),
  }
}
