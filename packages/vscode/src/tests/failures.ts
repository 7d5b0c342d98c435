// Describes why a block failed: a message per failed assertion and contract violation, each at its place.

import {
  stringifyJson,
  type AssertionView,
  type BlockError,
  type ContractProblem,
  type JsonValue,
  type RunError,
} from "@callsheet/format"

/** A place in a project file. Lines and columns are 1-based. */
export interface Place {
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
}

export interface Failure extends Place {
  readonly text: string
  /** Set together if there are two values to compare. */
  readonly expected?: string
  readonly received?: string
}

interface FailedBlock {
  readonly contract: readonly ContractProblem[]
  readonly assertions: readonly AssertionView[]
  readonly error: BlockError | undefined
}

/** Returns the failures of a block. `at` is the place of the block. */
export function failuresOf({ assertions, contract, error }: FailedBlock, at: Place): readonly Failure[] {
  const failed = assertions
    .filter(({ status }) => status === "failed")
    .map((view) => assertionFailure(view, at))
  const broken = contract
    .filter(({ known }) => known !== true)
    .map(({ path, message, file, line }): Failure => {
      const text = `contract: ${path}: ${message}`
      return file === undefined ? { text, ...at } : { text, file, line }
    })
  const own = [...failed, ...broken]
  // The blocks in it show their own failures.
  if (error === undefined || error.code === "child-failed") return own
  const hint = error.hint === undefined ? "" : `\nhint: ${error.hint}`
  const { file = at.file, line = at.line, column = at.column } = error
  const general = { text: `${error.message} (${error.code})${hint}`, file, line, column }
  // The error of a block with failed assertions only counts them.
  return failed.length > 0 ? own : [general, ...broken]
}

function assertionFailure(view: AssertionView, at: Place): Failure {
  const { source, operator, message, expected, actual } = view
  const { file = at.file, line = at.line, column = at.column } = view
  const place = { file, line, column }
  const compared = expected === undefined ? operator : `${operator} ${shortText(expected)}`
  const text = message === undefined ? `${source} ${compared}` : `${source} ${compared}: ${message}`
  if (expected === undefined || actual === undefined) return { text, ...place }
  return { text, expected: pretty(expected), received: pretty(actual), ...place }
}

const MAX_SHORT = 60

function shortText(value: JsonValue): string {
  const text = stringifyJson(value)
  return text.length > MAX_SHORT ? `${text.slice(0, MAX_SHORT)}…` : text
}

const pretty = (value: JsonValue): string =>
  typeof value === "string" ? value : stringifyJson(value, { indent: 2 })

/** Returns the problems that kept a run from starting. */
export function runFailures(error: RunError | undefined, at: Place): readonly Failure[] {
  if (error === undefined) return [{ text: "the run could not start", ...at }]
  if (error.problems.length === 0) return [{ text: `${error.message} (${error.code})`, ...at }]
  return error.problems.map(({ message, code, hint, file, line, column }) => ({
    text: `${message} (${code})${hint === undefined ? "" : `\nhint: ${hint}`}`,
    ...(file === undefined ? at : { file, line, column }),
  }))
}
