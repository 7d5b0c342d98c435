// The table of problem formats. Loads the code of rare formats when they are used.

import type { Problem } from "@callsheet/format"
import type { Style } from "../screen.ts"
import { formatJson, formatText } from "./text.ts"

export interface Validation {
  readonly ok: boolean
  /** Errors and warnings or only errors, sorted by file and position. */
  readonly problems: readonly Problem[]
  readonly counts: ValidationCounts
}

export interface ValidationCounts {
  readonly errors: number
  readonly warnings: number
  readonly files: number
  readonly workflows: number
  readonly apis: number
  readonly environments: number
  readonly allowedWarnings: number | undefined
}

export interface FormatContext {
  readonly style: Style
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

/** Yields the output with line breaks. It comes in pieces, because the length of a string is limited. */
export type FormatProblems = (validation: Validation, context: FormatContext) => Iterable<string>

interface ProblemFormatRow {
  /** Set if the lines are commands for a CI system. The format then makes other text safe itself. */
  readonly writes?: "exact"
  readonly load: () => Promise<FormatProblems>
}

const table = {
  text: { load: async () => formatText },
  json: { load: async () => formatJson },
  github: {
    writes: "exact",
    load: async () => (await import("./github.ts")).formatGithub,
  },
  sarif: { load: async () => (await import("./sarif.ts")).formatSarif },
} satisfies Record<string, ProblemFormatRow>

export type ProblemFormatName = keyof typeof table

export const problemFormats: Readonly<Record<ProblemFormatName, ProblemFormatRow>> = table
export const problemFormatNames = Object.keys(table) as readonly ProblemFormatName[]
