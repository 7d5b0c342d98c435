// The options of a run: names and choices before defaults are applied.

import type { RequestCount } from "@callsheet/language"
import type { JsonValue } from "@callsheet/format"
import type { RunPart } from "./part.ts"
import type { DataFile } from "./ports.ts"
import type { RunResults } from "./run-results.ts"

export interface SessionOptions {
  /** `{ api: environment }`, set with `--env api=name`. */
  readonly environments?: Readonly<Record<string, string>> | undefined
  /** The environment of every used API that isn't in `environments`, set with `--env name`. */
  readonly environment?: string | undefined
  /** The environments by API that apply if neither an entry nor `environments` and `environment` choose one. */
  readonly defaultEnvironments?: Readonly<Record<string, string>> | undefined
  /** Input values. Text is coerced to the declared type. Other values must already have that type. */
  readonly inputs?: Readonly<Record<string, JsonValue>> | undefined
  /** Variable values, set with `--var api.name=value`. */
  readonly overrides?: readonly VariableOverride[] | undefined
  /** The process variables that `CALLSHEET_VAR__…` is read from. */
  readonly processEnvironment?: Readonly<Record<string, string | undefined>> | undefined
  readonly concurrency?: number | undefined
  readonly onFailure?: "halt" | "continue" | undefined
  readonly timeoutMs?: number | undefined
  readonly maxResponseBytes?: number | undefined
  readonly seed?: number | undefined
  /** Runs the only workflow once per row of this file, set with `--data`. */
  readonly data?: DataFile | undefined
  /** How often to repeat a failed run whose requests are idempotent, or that has its own cleanup. Default: 0. */
  readonly retries?: number | undefined
  /** How often to run each main entry. Default: once, without numbers in the report. */
  readonly repeat?: number | undefined
  /** The number of failed main entries after which no more start. */
  readonly bail?: number | undefined
  /** The time in milliseconds that cleanup has after `signal` aborts. Default: 30,000. */
  readonly cleanupTimeoutMs?: number | undefined
  /** If true, events include the headers and bodies of every exchange. Failures always include theirs. */
  readonly exchanges?: boolean | undefined
  /** If true, events report which documented operations exist and which of them received a response. */
  readonly coverage?: boolean | undefined
  /** If true, events report what the session created and did not delete. Requires `exchanges` and `coverage`. */
  readonly leftovers?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the secrets that the runs resolve, then with each captured one, so that leaks can be detected. */
  readonly onSecrets?: ((secrets: readonly RunSecret[]) => void) | undefined
  /** The part to run. Only valid if the session has one workflow. Default: all of it. */
  readonly part?: RunPart | undefined
  /** The results of an earlier run. Required to run a single block. */
  readonly results?: RunResults | undefined
  /** Called at the end with the results of the only workflow. If absent, results that no block reads are dropped. */
  readonly onResults?: ((results: RunResults) => void) | undefined
  /** Called once before anything is sent to production. `true` means the user confirmed. Required for such runs. */
  readonly confirm?: true | ((production: readonly ProductionBinding[]) => Promise<boolean>) | undefined
}

/** A secret value and its name. Never part of an event. */
export interface RunSecret {
  /** The variable (`shop.apiKey`), or the path that a captured secret was read from (`signin.response.body.token`). */
  readonly name: string
  readonly value: string | number | bigint | boolean
}

export interface VariableOverride {
  readonly api: string
  readonly name: string
  readonly value: string
}

/** The minimum number of requests that a session sends to one production environment. */
export interface ProductionBinding extends RequestCount {
  readonly api: string
  readonly environment: string
  /** Masked. Absent if each operation has its own server. */
  readonly baseUrl?: string
}
