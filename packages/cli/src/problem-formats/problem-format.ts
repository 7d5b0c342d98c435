// What a problem format is: it makes one text of what a check of the files found.

import type { Problem } from "@callsheet/format"
import type { Style } from "../screen.ts"

/** What was checked, and what was found. */
export interface Validation {
  /** Whether the command succeeds. */
  readonly ok: boolean
  /** What is to be shown: errors and warnings by file and place, or errors alone. */
  readonly problems: readonly Problem[]
  readonly counts: ValidationCounts
}

export interface ValidationCounts {
  /** Shown or not. */
  readonly errors: number
  readonly warnings: number
  /** Files that problems were found in. */
  readonly files: number
  /** What was checked. */
  readonly workflows: number
  readonly apis: number
  readonly environments: number
  /** How many warnings are allowed, where there are more. */
  readonly allowedWarnings: number | undefined
}

export interface FormatContext {
  readonly style: Style
  /** Absolute path of the project. */
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

/** The whole output, line breaks included; in pieces, since a string has an end. */
export type FormatProblems = (validation: Validation, context: FormatContext) => Iterable<string>

export interface ProblemFormatRow {
  readonly summary: string
  /** For a format whose lines are commands to a CI system: it breaks those from outside itself. */
  readonly writes?: "exact"
  readonly load: () => Promise<FormatProblems>
}
