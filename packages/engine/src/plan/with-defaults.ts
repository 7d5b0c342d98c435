// Applies the defaults of `callsheet.json` to the options of a run.

import { runOptionNames, runOptionsIn, type Project } from "@callsheet/format"
import type { SessionOptions } from "../session/session-options.ts"

/** Returns the options with the values of `defaults` where the call sets none. */
export function withDefaults(session: SessionOptions, { settingsFile }: Project): SessionOptions {
  const { defaults } = settingsFile?.settings ?? {}
  if (defaults === undefined) return session
  const inFile = runOptionsIn(defaults)
  return {
    ...session,
    ...Object.fromEntries(runOptionNames.map((name) => [name, session[name] ?? inFile[name]])),
    defaultEnvironments: { ...defaults.env, ...session.defaultEnvironments },
  }
}
