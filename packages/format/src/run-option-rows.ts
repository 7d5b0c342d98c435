// The options of a run that hold one value, one row each. The parser, help, the docs, `defaults` in `callsheet.json`,
// the types of `run()` and commands to paste come from this table.

/** What an option holds: a whole number, milliseconds, a number of bytes, a word, or the address of a server. */
type Kind =
  | { readonly is: "count"; readonly minimum: number; readonly maximum?: number | undefined }
  | { readonly is: "milliseconds" }
  | { readonly is: "bytes" }
  | { readonly is: "choice"; readonly choices: readonly string[] }
  | { readonly is: "address" }

export type RunOptionRow = Kind & {
  /** The option with its value, as in help. */
  readonly option: string
  readonly help: string
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
    option: "--concurrency <number>",
    help: "Send at most this many requests at once (default 32).",
    default: 32,
    inFile: "concurrency",
  },
  /** The maximum number of workflows, rows and repetitions that run at once. Default: 1. */
  jobs: {
    ...count(1, 1000),
    option: "--jobs <number>",
    help: "Run this many workflows at once (default 1).",
    default: 1,
    inFile: "jobs",
  },
  onFailure: {
    is: "choice",
    choices: ["halt", "continue"],
    option: "--on-failure halt|continue",
    help: "Override the workflow's onFailure.",
  },
  /** Time limit per request, in milliseconds. It overrides every other timeout of a request. */
  timeoutMs: {
    is: "milliseconds",
    option: "--timeout <ms>",
    help: "Time limit per request.",
    inFile: "timeoutMs",
  },
  /** The maximum size of a decoded response in bytes. */
  maxResponseBytes: {
    is: "bytes",
    option: "--max-response-size <size>",
    help: "Limit each decoded response (bytes, KiB or MiB; default 50MiB).",
    default: 50 * 1024 * 1024,
    inFile: "maxResponseSize",
  },
  seed: {
    ...count(0),
    option: "--seed <number>",
    help: "Make random values the same in each run.",
    inFile: "seed",
  },
  /** The number of times to repeat a failed run whose requests are idempotent, or that has its own cleanup. */
  retries: {
    ...count(0, 100),
    option: "--retries <number>",
    help: "Retry failed workflows this many times.",
    inFile: "retries",
  },
  /** The number of times to run each workflow. By default, once, and the report doesn't number the runs. */
  repeat: { ...count(1, 1_000_000), option: "--repeat <number>", help: "Run each workflow this many times." },
  /** The number of failed runs after which no more start. */
  bail: {
    ...count(1, 1_000_000),
    option: "--bail[=<number>]",
    help: "Stop after this many failed workflows (default 1).",
    bare: 1,
  },
  /** Compares each response with its snapshot, or stores it. `new` stores only what is missing. */
  snapshots: {
    is: "choice",
    choices: ["check", "update", "new"],
    option: "--snapshots check|update|new",
    help: "Compare responses with snapshots, or store them.",
  },
  /** The port on loopback on which the inbox receives callbacks. By default, any free one. */
  inboxPort: {
    ...count(1, 65_535),
    option: "--inbox-port <port>",
    help: "Receive callbacks on this port.",
    inFile: "inboxPort",
  },
  /** The address under which others reach the inbox's port, such as that of a tunnel. */
  inboxUrl: {
    is: "address",
    option: "--inbox-url <url>",
    help: "Receive callbacks through this URL, such as a tunnel's.",
    inFile: "inboxUrl",
  },
  /** The time in milliseconds that cleanup has after `signal` aborts. Default: 30,000. */
  cleanupTimeoutMs: {
    is: "milliseconds",
    option: "--cleanup-timeout <ms>",
    help: "Limit cleanup after Ctrl-C (default 30000).",
    default: 30_000,
  },
} as const satisfies Readonly<Record<string, RunOptionRow>>

type Rows = typeof runOptionRows

export type RunOptionValues = {
  readonly [N in keyof Rows]?: Rows[N] extends { readonly choices: readonly (infer C)[] }
    ? C
    : Rows[N] extends { readonly is: "address" }
      ? string
      : number
}

/** An http or https URL without a name, password, query or fragment. */
export const addressPattern = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/u

/** Returns the option without its value: `--jobs`. */
export const flagOf = ({ option }: RunOptionRow): string => option.replace(/[ [].*/, "")

export const runOptionNames = Object.keys(runOptionRows) as readonly (keyof Rows)[]

/** The names in `defaults` of `callsheet.json`. */
export type FileOption = Extract<Rows[keyof Rows], { readonly inFile: string }>["inFile"]

/** The longest delay of a timer, in milliseconds. From 2^31 on, `setTimeout` fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
