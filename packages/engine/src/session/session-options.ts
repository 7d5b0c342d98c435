// The options of a run, before defaults are applied.

import type { RequestCount, Unknown } from "@callsheet/language"
import type { JsonValue, Problem, RunOptionValues } from "@callsheet/format"
import type { RunPart } from "../plan/part.ts"
import type { DataFile, RunSecret } from "../ports.ts"
import type { RunResults } from "../run/run-results.ts"

type Values = { readonly [N in keyof RunOptionValues]: RunOptionValues[N] | undefined }

export interface SessionOptions extends Values {
  /** `{ api: environment }`, set with `--env api=name`. */
  readonly environments?: Readonly<Record<string, string>> | undefined
  /** The environment of every API that `environments` doesn't name, set with `--env name`. */
  readonly environment?: string | undefined
  /** The environments by API to use if nothing else chooses one. */
  readonly defaultEnvironments?: Readonly<Record<string, string>> | undefined
  /** Values of inputs. Text is converted to the declared type. Other values must already have it. */
  readonly inputs?: Readonly<Record<string, JsonValue>> | undefined
  /** Variable values, set with `--var api.name=value`. */
  readonly overrides?: readonly VariableOverride[] | undefined
  /** The process variables with `CALLSHEET_VAR__…`. */
  readonly processEnvironment?: Readonly<Record<string, string | undefined>> | undefined
  /** Runs the only workflow once per row of this file, set with `--data`. */
  readonly data?: DataFile | undefined
  /** If true, events include the headers and bodies of every exchange. Failures always include theirs. */
  readonly exchanges?: boolean | undefined
  /** If true, events report the documented operations, and which of them received a response. "responses": only the latter. */
  readonly coverage?: boolean | "responses" | undefined
  /** If true, events report what the session created and did not delete. Requires `exchanges` and `coverage`. */
  readonly leftovers?: boolean | undefined
  /** If true, requests carry the headers of a trace, except those to production. "production": those, too. */
  readonly trace?: boolean | "production" | undefined
  /** The start of the command in hints. Default: `callsheet run`. */
  readonly command?: string | undefined
  /** Shows the URL of a login page to the user. Without it, runs that need a login are refused. */
  readonly login?: ((url: string) => void) | undefined
  /** Set if values are unknown, because they come from a record, which is masked. */
  readonly unknown?: Unknown | undefined
  /** The warnings that the first run raises. */
  readonly warnings?: readonly Problem[] | undefined
  /** If true, nothing is decided by a secret: such a check fails as undecidable. Set if an agent chose what to run. */
  readonly withholdsSecrets?: boolean | undefined
  /** If false, the names of a response's fields don't make their values secret. Default: true. */
  readonly guessesSecrets?: boolean | undefined
  /**
   * If true, nothing starts if any entry has an error that `validate` reports. Otherwise, such errors are warnings if
   * the entry can run.
   */
  readonly strict?: boolean | undefined
  /** If true, violations that the baseline doesn't list count as known, because the caller adds them. */
  readonly updatesBaseline?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Receives unexpected errors, which are bugs. Their messages may contain secrets. Reports show only their names. */
  readonly onBug?: ((error: unknown) => void) | undefined
  /** Called with the secrets that runs resolve, then with each captured one, to search output for them. */
  readonly onSecrets?: ((secrets: readonly RunSecret[]) => void) | undefined
  /** The part to run, if the session has only one workflow. By default, all of it. */
  readonly part?: RunPart | undefined
  /** The results of an earlier run. Required to run a single block. */
  readonly results?: RunResults | undefined
  /** Called at the end with the results of the only workflow. Without it, unused results are dropped. */
  readonly onResults?: ((results: RunResults) => void) | undefined
  /**
   * Called once before anything is sent to production. `true` means that the user has confirmed. Required for such
   * runs.
   */
  readonly confirm?: true | ((production: readonly ProductionBinding[]) => Promise<boolean>) | undefined
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
