// The options of `validate`, checked: what is asked for, before anything is read.

import { CallsheetError, suggest } from "@callsheet/format"
import type { Options } from "../options.ts"
import { problemFormatNames, type ProblemFormatName } from "../problem-formats/index.ts"

export interface ValidateWishes {
  readonly format: ProblemFormatName
  /** Absent where any number will do. */
  readonly maxWarnings: number | undefined
  readonly quiet: boolean
  /** Whether scripts are given to the compiler. */
  readonly types: boolean
}

/** Throws `usage`. */
export function readValidateOptions(options: Options): ValidateWishes {
  const maxWarnings = readMaxWarnings(options.value("max-warnings"))
  return {
    format: readFormat(options),
    quiet: options.has("quiet"),
    types: options.has("types"),
    maxWarnings,
  }
}

const usage = (message: string, hint?: string): CallsheetError =>
  new CallsheetError("usage", message, { hint: hint ?? "see callsheet validate --help" })

function readFormat(options: Options): ProblemFormatName {
  const name = options.value("format")
  if (name === undefined) return options.has("json") ? "json" : "text"
  if (!isFormatName(name)) {
    throw usage(
      `no format ${JSON.stringify(name)}`,
      suggest(name, problemFormatNames) ?? `there are ${problemFormatNames.join(", ")}`,
    )
  }
  if (options.has("json") && name !== "json") throw usage(`two formats: --json and --format ${name}`)
  return name
}

const isFormatName = (name: string): name is ProblemFormatName =>
  (problemFormatNames as readonly string[]).includes(name)

function readMaxWarnings(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  throw usage("--max-warnings must be a whole number, zero or more")
}
