// Applies the defaults of `callsheet.json` to the options of a run.

import { parseSize, type Project } from "@callsheet/format"
import type { SessionOptions } from "../session/session-options.ts"

/** Returns the options with the values of `defaults` where the call sets none. */
export function withDefaults(session: SessionOptions, { settingsFile }: Project): SessionOptions {
  const { defaults } = settingsFile?.settings ?? {}
  if (defaults === undefined) return session
  const { env, concurrency, jobs, timeoutMs, retries, maxResponseSize, seed } = defaults
  return {
    ...session,
    defaultEnvironments: { ...env, ...session.defaultEnvironments },
    concurrency: session.concurrency ?? concurrency,
    jobs: session.jobs ?? jobs,
    timeoutMs: session.timeoutMs ?? timeoutMs,
    retries: session.retries ?? retries,
    maxResponseBytes:
      session.maxResponseBytes ?? (maxResponseSize === undefined ? undefined : parseSize(maxResponseSize)),
    seed: session.seed ?? seed,
  }
}
