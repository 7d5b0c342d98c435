// The options of a run that hold one value, one row each. The parser, help, the docs, `defaults` in `callsheet.json`,
// the types of `run()` and commands to paste come from this table.

/** What an option holds: a whole number, milliseconds, a number of bytes, or a word. */
type Kind =
  | { readonly is: "count"; readonly minimum: number; readonly maximum?: number | undefined }
  | { readonly is: "milliseconds" }
  | { readonly is: "bytes" }
  | { readonly is: "choice"; readonly choices: readonly string[] }

export type RunOptionRow = Kind & {
  readonly flag: string
  /** A sentence. Help adds the default. */
  readonly summary: string
  readonly default?: number
  /** The value of an option that is given without one. */
  readonly bare?: number
  /** The name in `defaults` of `callsheet.json`. Absent if only a call can set the option. */
  readonly inFile?: string
}

const count = (minimum: number, maximum?: number) => ({ is: "count", minimum, maximum }) as const

export const runOptionRows = {
  /** The maximum number of requests at once, of all runs together. Default: 32. */
  concurrency: {
    ...count(1, 100_000),
    flag: "concurrency",
    summary: "Send at most this many requests at once.",
    default: 32,
    inFile: "concurrency",
  },
  /** The maximum number of workflows, rows and repetitions that run at once. Default: 1. */
  jobs: {
    ...count(1, 1000),
    flag: "jobs",
    summary: "Run this many workflows at once.",
    default: 1,
    inFile: "jobs",
  },
  onFailure: {
    is: "choice",
    choices: ["halt", "continue"],
    flag: "on-failure",
    summary: "Override the workflow's onFailure.",
  },
  /** Time limit per request, in milliseconds. It overrides every other timeout of a request. */
  timeoutMs: { is: "milliseconds", flag: "timeout", summary: "Time limit per request.", inFile: "timeoutMs" },
  /** The maximum size of a decoded response in bytes. */
  maxResponseBytes: {
    is: "bytes",
    flag: "max-response-size",
    summary: "Limit each decoded response.",
    default: 50 * 1024 * 1024,
    inFile: "maxResponseSize",
  },
  seed: { ...count(0), flag: "seed", summary: "Make random values the same in each run.", inFile: "seed" },
  /** The number of times to repeat a failed run whose requests are idempotent, or that has its own cleanup. */
  retries: {
    ...count(0, 100),
    flag: "retries",
    summary: "Retry failed workflows this many times.",
    inFile: "retries",
  },
  /** The number of times to run each workflow. By default, once, and the report doesn't number the runs. */
  repeat: { ...count(1, 1_000_000), flag: "repeat", summary: "Run each workflow this many times." },
  /** The number of failed runs after which no more start. */
  bail: { ...count(1, 1_000_000), flag: "bail", summary: "Stop after this many failed workflows.", bare: 1 },
  /** The time in milliseconds that cleanup has after `signal` aborts. Default: 30,000. */
  cleanupTimeoutMs: {
    is: "milliseconds",
    flag: "cleanup-timeout",
    summary: "Limit cleanup after Ctrl-C.",
    default: 30_000,
  },
} as const satisfies Readonly<Record<string, RunOptionRow>>

type Rows = typeof runOptionRows

export type RunOptionValues = {
  readonly [N in keyof Rows]?: Rows[N] extends { readonly choices: readonly (infer C)[] } ? C : number
}

export const runOptionNames = Object.keys(runOptionRows) as readonly (keyof Rows)[]

/** The names in `defaults` of `callsheet.json`. */
export type FileOption = Extract<Rows[keyof Rows], { readonly inFile: string }>["inFile"]

/** The longest delay of a timer, in milliseconds. From 2^31 on, `setTimeout` fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
