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
    starts: /^\{"version":1,"status":"[a-z]+","durationMs":/,
    load: async () => (await import("./json.ts")).createJson,
  },
  junit: {
    asksLatest: true,
    starts: /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="callsheet" /,
    load: async () => (await import("./junit.ts")).createJunit,
  },
  coverage: {
    reads: [
      "run.started",
      "api.documented",
      "block.started",
      "request.checked",
      "response.received",
      "contract.checked",
      "block.finished",
      "iteration.finished",
      "run.finished",
    ],
    needsCoverage: true,
    starts: /^\{\n  "version": 1,\n  "operations": \{\n    "exercised": [0-9]+,\n    "documented": /,
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
    starts: /^<!doctype html>\n[^]*\n<meta name="generator" content="callsheet">\n/,
    load: async () => (await import("./html/html.ts")).createHtml,
  },
  ndjson: {
    isLive: true,
    needsExchanges: true,
    needsCoverage: true,
    starts: /^\{"(?:type":"[a-z]+\.[a-z]+","run":[0-9]|end":\{"status":")/,
    load: async () => (await import("./ndjson.ts")).createNdjson,
  },
  ctrf: {
    starts: /^\{"reportFormat":"CTRF","specVersion":"[0-9.]+","results":\{"tool":\{"name":"callsheet",/,
    load: async () => (await import("./ctrf.ts")).createCtrf,
  },
  har: {
    needsExchanges: true,
    reads: [
      "run.started",
      "leftovers.found",
      "warning.raised",
      "block.started",
      "request.checked",
      "request.sent",
      "response.received",
      "contract.checked",
      "block.finished",
      "iteration.finished",
      "run.finished",
    ],
    starts: /^\{"log":\{"version":"1\.2","creator":\{"name":"callsheet",/,
    load: async () => (await import("./har/har.ts")).createHar,
  },
  allure: {
    isDirectory: true,
    needsExchanges: true,
    starts: /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}-result\.json$/m,
    load: async () => (await import("./allure/allure.ts")).createAllure,
  },
}
