// The table of reporters. A reporter's code is loaded when the reporter is used.

import type { ReporterName } from "@callsheet/format"
import type { ReporterRow } from "./reporter.ts"

export const reporters: Readonly<Record<ReporterName, ReporterRow>> = {
  pretty: {
    isLive: true,
    load: async () => (await import("./pretty/pretty.ts")).createPretty,
  },
  json: {
    asksLatest: true,
    needsExchanges: true,
    load: async () => (await import("./json.ts")).createJson,
  },
  junit: {
    asksLatest: true,
    load: async () => (await import("./junit.ts")).createJunit,
  },
  coverage: {
    reads: [
      "run.started",
      "api.documented",
      "block.started",
      "response.received",
      "block.finished",
      "run.finished",
    ],
    needsCoverage: true,
    load: async () => (await import("./coverage.ts")).createCoverage,
  },
  github: {
    needsCoverage: true,
    standsBeside: true,
    load: async () => (await import("./github.ts")).createGithub,
  },
  html: {
    needsExchanges: true,
    needsCoverage: true,
    load: async () => (await import("./html/html.ts")).createHtml,
  },
}
