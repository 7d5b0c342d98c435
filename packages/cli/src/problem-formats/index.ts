// The table of problem formats. Loads the code of rare formats when they are used.

import { formatJson, formatText, type FormatProblems } from "./text.ts"

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
