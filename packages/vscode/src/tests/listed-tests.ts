// The JSON of `callsheet list tests --json`: what a project can run, with its places. Lines and columns are 1-based.

export interface ListedPlace {
  readonly line: number
  readonly column: number
}

export interface ListedBlock extends ListedPlace {
  readonly id: string
  readonly type: string
  readonly description?: string
  /** The id of the block around this one. */
  readonly in?: string
}

export interface ListedWorkflow {
  readonly workflow: string
  readonly file: string
  /** True if it runs only when something names it. */
  readonly isHelper?: true
  /** In file order. */
  readonly blocks: readonly ListedBlock[]
}

interface ListedEntry extends ListedPlace {
  readonly name: string
  readonly workflow: string
  readonly role: "before" | "main" | "finally"
  /** The number of rows in its data file. */
  readonly rows?: number
}

export interface ListedSuite extends ListedPlace {
  readonly suite: string
  readonly file: string
  readonly entries: readonly ListedEntry[]
}

export interface ListedTests {
  readonly tests: readonly (ListedWorkflow | ListedSuite)[]
}
