// The options of `run()`. A module of its own, so that the published types don't include the engine's.

import type { JsonValue, Listener, RunOptionValues } from "@callsheet/format"

export interface RunOptions extends RunOptionValues {
  /** The names or files of workflows, in the order to run them. Set one of `workflows`, `all` and `suite`. */
  readonly workflows?: readonly string[]
  readonly all?: boolean
  /** The name of a suite in `callsheet.json`. */
  readonly suite?: string
  /** The project's directory. By default, the nearest one with `apis/`, from the working directory upward. */
  readonly project?: string
  /** The environment of every API that `environments` doesn't name. */
  readonly environment?: string
  /** The environments by API: `{ shop: "staging" }`. */
  readonly environments?: Readonly<Record<string, string>>
  /** Values of inputs. Text is converted to the declared type. Other values must already have it. */
  readonly inputs?: Readonly<Record<string, JsonValue>>
  /** Variable values for this run: `{ shop: { apiKey: "…" } }`. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string | number | bigint | boolean>>>>
  /** A file whose rows are inputs, relative to the working directory. Runs the only workflow once per row. */
  readonly data?: string
  /** Adds `leftovers` to the report: everything that the run created and did not delete. */
  readonly leftovers?: boolean
  /** Sends `traceparent` with every request, except those to production. "production": with those, too. */
  readonly trace?: boolean | "production"
  /** Allows production environments. Without it, runs that use one are refused. */
  readonly yes?: boolean
  /** Stores snapshots in CI, too. */
  readonly force?: boolean
  /**
   * Searches every event and the report for secrets. If one is found, the promise rejects with the code
   * `secret-leaked`.
   */
  readonly verifyNoLeak?: boolean
  /** If false, shows response fields that only their names mark as secret. Default: true. */
  readonly guessesSecrets?: boolean
  /** Cancels the run when it aborts. The report is still returned. */
  readonly signal?: AbortSignal
  /** Receives every event. If it throws, the run is canceled and the promise rejects. */
  readonly onEvent?: Listener
}
