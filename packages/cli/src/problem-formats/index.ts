// The table of problem formats; a format's code is loaded when it is asked for.

import type { ProblemFormatRow } from "./problem-format.ts"

export const problemFormats = {
  text: {
    summary: "For people: a line per problem, and a summary.",
    load: async () => (await import("./text.ts")).formatText,
  },
  json: {
    summary: "One JSON document.",
    load: async () => (await import("./json.ts")).formatJson,
  },
  github: {
    summary: "Annotations of GitHub Actions.",
    writes: "exact",
    load: async () => (await import("./github.ts")).formatGithub,
  },
  sarif: {
    summary: "SARIF 2.1.0, as code scanning reads it.",
    load: async () => (await import("./sarif.ts")).formatSarif,
  },
} as const satisfies Record<string, ProblemFormatRow>

export type ProblemFormatName = keyof typeof problemFormats

export const problemFormatNames = Object.keys(problemFormats) as readonly ProblemFormatName[]
