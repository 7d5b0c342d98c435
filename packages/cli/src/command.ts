// The interface of a command: its row in the table, and its call.

import type { Options } from "./options.ts"
import type { Screen } from "./screen.ts"

/** Runs one call and returns the exit code: 0 passed, 1 a run failed. Misuse throws a `CallsheetError`. */
export type Command = (call: CommandCall) => Promise<number>

export interface CommandCall {
  /** The arguments in order, without options. Their number fits the row. */
  readonly words: readonly string[]
  readonly options: Options
  readonly screen: Screen
  /** Absolute path of the working directory; file arguments are relative to it. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The bundled entry of the script process, beside the running program. */
  readonly scriptEntry: URL
  /** Ends the process at once, for a second Ctrl-C. Everything else returns its exit code. */
  readonly exit: (code: number) => never
}

export interface CommandRow {
  /** One word, or two for a grouped command: `env list`. */
  readonly name: string
  readonly summary: string
  readonly arguments: readonly ArgumentRow[]
  readonly options: readonly OptionRow[]
  readonly synopsis?: string
  readonly details?: readonly string[]
  readonly examples?: readonly string[]
  readonly load: () => Promise<Command>
}

export interface ArgumentRow {
  readonly name: string
  readonly summary: string
  readonly optional?: boolean
  /** Takes all remaining words; only for the last argument. */
  readonly repeats?: boolean
  readonly choices?: readonly string[] | undefined
}

export interface OptionRow {
  readonly name: string
  readonly summary: string
  /** The name of the value in the help; an option without one is a flag. */
  readonly value?: string | undefined
  /** The value is optional, and given with `=`, never as the next word. */
  readonly valueOptional?: boolean
  readonly repeats?: boolean
}
