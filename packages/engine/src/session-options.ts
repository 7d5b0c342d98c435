// What a caller may ask of a run: names and choices, before anything is settled.

import type { RequestCount } from "@callsheet/language"
import type { JsonValue } from "@callsheet/format"
import type { RunPart } from "./part.ts"
import type { RunResults } from "./run-results.ts"

/** What is asked for. Everything has a default. */
export interface SessionOptions {
  /** `{ api: environment }`, from `--env api=name`. */
  readonly environments?: Readonly<Record<string, string>> | undefined
  /** The bare `--env name`: for every touched API that has no binding of its own. */
  readonly environment?: string | undefined
  /** Text is coerced to the declared type; other values must be of it. */
  readonly inputs?: Readonly<Record<string, JsonValue>> | undefined
  /** `--var api.name=value`. */
  readonly overrides?: readonly VariableOverride[] | undefined
  /** Where `CALLSHEET_VAR__…` is looked up. */
  readonly processEnvironment?: Readonly<Record<string, string | undefined>> | undefined
  readonly concurrency?: number | undefined
  readonly onFailure?: "halt" | "continue" | undefined
  readonly timeoutMs?: number | undefined
  readonly maxResponseBytes?: number | undefined
  readonly seed?: number | undefined
  /** Whether events carry headers and bodies of every exchange; failures carry theirs always. */
  readonly exchanges?: boolean | undefined
  /** Whether events say what is documented, and what is answered of it. */
  readonly coverage?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /**
   * Told before anything else the secrets that the runs resolve, and then each that they capture: for whoever verifies
   * that none got out.
   */
  readonly onSecrets?: ((secrets: readonly RunSecret[]) => void) | undefined
  /** What of the only workflow of the session is run; absent: all of it. */
  readonly part?: RunPart | undefined
  /** Of a run before, for one block alone. */
  readonly results?: RunResults | undefined
  /** Told at the end what the run of the only workflow leaves behind; without it nothing is kept that nothing reads. */
  readonly onResults?: ((results: RunResults) => void) | undefined
  /**
   * Asked once before anything is sent where a bound environment is of level production; `true` where somebody has
   * confirmed it already. Absent: the run errors.
   */
  readonly confirm?: true | ((production: readonly ProductionBinding[]) => Promise<boolean>) | undefined
}

/** Never part of an event. */
export interface RunSecret {
  /** `shop.apiKey`; of one that was captured the place that it came from: `signin.response.body.token`. */
  readonly name: string
  readonly value: string | number | bigint | boolean
}

export interface VariableOverride {
  readonly api: string
  readonly name: string
  readonly value: string
}

/** What all runs of a session send at least to one environment of level production. */
export interface ProductionBinding extends RequestCount {
  readonly api: string
  readonly environment: string
}
