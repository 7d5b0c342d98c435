// Applies the defaults of `callsheet.json` and of all run options.

import {
  runOptionNames,
  runOptionRows,
  runOptionsIn,
  streamsShape,
  workflowShape,
  type OnFailure,
  type Project,
  type StreamSettings,
  type Workflow,
} from "@callsheet/format"
import type { StreamLimits } from "../ports.ts"
import type { SessionOptions } from "../session/session-options.ts"

export interface RunSettings {
  /** The maximum number of concurrent requests and iterations. */
  readonly concurrency: number
  readonly onFailure: OnFailure
  /** `--timeout`, in milliseconds. It overrides every other timeout of a request. */
  readonly timeoutMs: number | undefined
  readonly maxResponseBytes: number
  readonly streams: StreamLimits
  readonly seed: number | undefined
  /** True if events include the headers and bodies of every exchange. */
  readonly exchanges: boolean
  /** True if events report the documented operations, and which of them received a response. "responses": only the latter. */
  readonly coverage: boolean | "responses"
  readonly unknown: SessionOptions["unknown"]
  /** True if nothing may be decided by a secret. */
  readonly withholdsSecrets: boolean
  /** True if a response's fields are secret if they are named like credentials. */
  readonly guessesSecrets: boolean
}

export const defaultRequestTimeoutMs = 30_000

export function settle(
  options: SessionOptions,
  workflow: Workflow,
  { settingsFile }: Pick<Project, "settingsFile">,
): RunSettings {
  return {
    concurrency: options.concurrency ?? runOptionRows.concurrency.default,
    onFailure: options.onFailure ?? workflow.onFailure ?? workflowShape.fields.onFailure.default,
    timeoutMs: options.timeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? runOptionRows.maxResponseBytes.default,
    streams: streamLimits(settingsFile?.settings?.streams),
    seed: options.seed,
    exchanges: readsExchanges(options),
    coverage: options.coverage ?? false,
    unknown: options.unknown,
    withholdsSecrets: options.withholdsSecrets ?? false,
    guessesSecrets: options.guessesSecrets ?? true,
  }
}

function streamLimits({ idleMs, maxItems, until }: StreamSettings = {}): StreamLimits {
  const { fields } = streamsShape
  return {
    idleMs: idleMs ?? fields.idleMs.default,
    maxItems: maxItems ?? fields.maxItems.default,
    until: new Set(until ?? fields.until.default),
  }
}

/** Returns whether a listener also reads the headers, bodies and values of successful blocks. */
export const readsExchanges = ({ exchanges = true }: SessionOptions): boolean => exchanges

/** Returns the options with the values of `defaults` where the call sets none. */
export function withDefaults(session: SessionOptions, { settingsFile }: Project): SessionOptions {
  const { defaults } = settingsFile?.settings ?? {}
  if (defaults === undefined) return session
  const inFile = runOptionsIn(defaults)
  return {
    ...session,
    ...Object.fromEntries(runOptionNames.map((name) => [name, session[name] ?? inFile[name]])),
    trace: session.trace ?? defaults.trace,
    defaultEnvironments: { ...defaults.env, ...session.defaultEnvironments },
  }
}

/** Returns the project with workflows that check every response against its document, whatever their files say. */
export function withContracts(project: Project): Project {
  const workflows = [...project.workflows].map(([name, file]) => {
    const { workflow } = file
    return [
      name,
      workflow === undefined ? file : { ...file, workflow: { ...workflow, validateContracts: true } },
    ] as const
  })
  return { ...project, workflows: new Map(workflows) }
}
