// The interface of a command: its row in the table, and its call.

import type { Options } from "./options.ts"
import type { Screen } from "../screen.ts"

/** Runs one call. Returns 0 if everything passed, 1 if a run failed. Throws a `CallsheetError` on misuse. */
export type Command = (call: CommandCall) => Promise<number>

export interface CommandCall {
  /** The arguments in order, without options. The parser has checked their number. */
  readonly words: readonly string[]
  readonly options: Options
  readonly screen: Screen
  /** The absolute path of the working directory. File arguments are relative to it. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The entry of the script process, next to the running bundle. */
  readonly scriptEntry: URL
  /** Ends the process at once, for a second Ctrl-C. In all other cases, return the exit code. */
  readonly exit: (code: number) => never
}

export interface CommandRow {
  /** One word, or two for a grouped command: `env list`. */
  readonly name: string
  readonly summary: string
  readonly arguments: readonly ArgumentRow[]
  readonly options: () => readonly OptionRow[]
  readonly synopsis?: string
  readonly details?: readonly string[]
  readonly examples?: readonly string[]
  /** True if `--project` may be a pattern that names several projects. */
  readonly takesPattern?: boolean
  readonly load: () => Promise<Command>
}

export interface ArgumentRow {
  readonly name: string
  readonly summary: string
  readonly optional?: boolean
  /** True if the argument takes all remaining words. Allowed only for the last argument. */
  readonly repeats?: boolean
  readonly choices?: readonly string[] | undefined
}

export interface OptionRow {
  readonly name: string
  /** The short form without its dash: `v`, `vv`. */
  readonly short?: string | undefined
  readonly summary: string
  /** The name of the value in the help. Absent for a flag. */
  readonly value?: string | undefined
  /** True if the value is optional. It must then follow `=`, because the next word is never read as the value. */
  readonly valueOptional?: boolean
  readonly repeats?: boolean
}
