// The options of a run: names and choices before defaults are applied.

import type { RequestCount } from "@callsheet/language"
import type { JsonValue } from "@callsheet/format"
import type { RunPart } from "./part.ts"
import type { RunResults } from "./run-results.ts"

export interface SessionOptions {
  /** `{ api: environment }`, from `--env api=name`. */
  readonly environments?: Readonly<Record<string, string>> | undefined
  /** The bare `--env name`: for every touched API that is not in `environments`. */
  readonly environment?: string | undefined
  /** Text is coerced to the declared type; other values must already have it. */
  readonly inputs?: Readonly<Record<string, JsonValue>> | undefined
  /** `--var api.name=value`. */
  readonly overrides?: readonly VariableOverride[] | undefined
  /** The source of `CALLSHEET_VAR__…`. */
  readonly processEnvironment?: Readonly<Record<string, string | undefined>> | undefined
  readonly concurrency?: number | undefined
  readonly onFailure?: "halt" | "continue" | undefined
  readonly timeoutMs?: number | undefined
  readonly maxResponseBytes?: number | undefined
  readonly seed?: number | undefined
  /** If true, events include headers and bodies of every exchange; failures always include theirs. */
  readonly exchanges?: boolean | undefined
  /** If true, events report what is documented and which of it was answered. */
  readonly coverage?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called first with the secrets that the runs resolve, then with each captured one, to verify that none leaked. */
  readonly onSecrets?: ((secrets: readonly RunSecret[]) => void) | undefined
  /** The part of the session's only workflow to run. Default: all of it. */
  readonly part?: RunPart | undefined
  /** Results of an earlier run, to run a single block. */
  readonly results?: RunResults | undefined
  /** Called at the end with the only workflow's results. Without it, a result that nothing reads is dropped. */
  readonly onResults?: ((results: RunResults) => void) | undefined
  /** Called once before anything is sent to production; `true` if somebody has confirmed. Absent: the run errors. */
  readonly confirm?: true | ((production: readonly ProductionBinding[]) => Promise<boolean>) | undefined
}

/** Never part of an event. */
export interface RunSecret {
  /** `shop.apiKey`; for a captured secret its source: `signin.response.body.token`. */
  readonly name: string
  readonly value: string | number | bigint | boolean
}

export interface VariableOverride {
  readonly api: string
  readonly name: string
  readonly value: string
}

/** The minimum number of requests that a session sends to one environment of level production. */
export interface ProductionBinding extends RequestCount {
  readonly api: string
  readonly environment: string
}
