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
      "iteration.finished",
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
  ndjson: {
    isLive: true,
    needsExchanges: true,
    needsCoverage: true,
    load: async () => (await import("./ndjson.ts")).createNdjson,
  },
  ctrf: {
    load: async () => (await import("./ctrf.ts")).createCtrf,
  },
  har: {
    needsExchanges: true,
    reads: [
      "run.started",
      "leftovers.found",
      "warning.raised",
      "block.started",
      "request.sent",
      "response.received",
      "block.finished",
      "iteration.finished",
      "run.finished",
    ],
    load: async () => (await import("./har/har.ts")).createHar,
  },
  allure: {
    isDirectory: true,
    needsExchanges: true,
    load: async () => (await import("./allure/allure.ts")).createAllure,
  },
}
