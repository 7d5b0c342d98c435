// The table of reporters; a reporter's code is loaded when it is used.

import type { ReporterRow } from "./reporter.ts"

export const reporters = {
  pretty: {
    summary: "For people: progress, failures, a summary.",
    isLive: true,
    needsExchanges: false,
    needsCoverage: false,
    load: async () => (await import("./pretty/pretty.ts")).createPretty,
  },
  json: {
    summary: "One JSON document with every block, request and response.",
    isLive: false,
    asksLatest: true,
    needsExchanges: true,
    needsCoverage: false,
    load: async () => (await import("./json.ts")).createJson,
  },
  junit: {
    summary: "JUnit XML, as CI systems read it.",
    isLive: false,
    asksLatest: true,
    needsExchanges: false,
    needsCoverage: false,
    load: async () => (await import("./junit.ts")).createJunit,
  },
  coverage: {
    summary: "Which operations, statuses and media types of the documents were exercised.",
    isLive: false,
    reads: [
      "run.started",
      "api.documented",
      "block.started",
      "response.received",
      "block.finished",
      "run.finished",
    ],
    needsExchanges: false,
    needsCoverage: true,
    load: async () => (await import("./coverage.ts")).createCoverage,
  },
} as const satisfies Record<string, ReporterRow>

export type ReporterName = keyof typeof reporters

export const reporterNames = Object.keys(reporters) as readonly ReporterName[]
